// The cloud of re-evaluations of the chosen cell's elite, one picture per map: what was believed to be one point is a
// cloud, and most of it may lie in other cells.
import { rowOf, samplesOf } from "../data/archive";
import { cellFigures, cellName, cellRanges } from "../data/cell-figures";
import type { Grid } from "../data/format";
import { at, cellOf } from "../data/grid";
import { cloudWindow, type Window } from "../data/cloud";
import type { Panel } from "../data/panels";
import { definitionList } from "../ui/definitions";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import type { Table } from "../ui/table";
import { cloudPlot, type Cloud } from "./cloud-plot";
import { dotLegend } from "./legend";
import { stateWords } from "./map-panel";
import { panelWidth } from "./maps";
import type { Selection } from "./selection";

export function cloudsFigure(grid: Grid, names: readonly string[], selection: Selection): Figure {
  const shown = () => selection.panels.map((panel) => ({ panel, cloud: cloudOf(panel, selection.chosen) }));
  const result = figure({
    title: "One cell, looked at closely",
    explanation:
      "Each dot is one more evaluation of the very same solution, so a dot outside the outlined cell is an evaluation " +
      "that left it. × marks where the algorithm believed the solution to be, + the mean of the evaluations. Choose " +
      "another cell on the maps above.",
    table: () => cloudsTable(shown(), names),
    draw: (width) => {
      const clouds = shown();
      const window = cloudWindow(
        grid,
        selection.chosen,
        clouds.map(({ cloud }) => cloud),
      );
      const each = panelWidth(width, clouds.length);
      return h(
        "div",
        {},
        h(
          "p",
          { class: "chosen-cell svg-text", "aria-live": "polite" },
          `Chosen: ${cellName(grid, selection.chosen)} (${cellRanges(grid, selection.chosen, names)})`,
        ),
        cloudLegend(clouds),
        h(
          "div",
          { class: "panels" },
          ...clouds.map(({ panel, cloud }) => cloudPanel(panel, cloud, window, names, selection.chosen, each)),
        ),
      );
    },
  });
  selection.onChoice(result.redraw);
  return result;
}

function cloudOf(panel: Panel, cell: number): Cloud | null {
  const row = at(panel.rowAt, cell);
  if (row < 0) return null;
  const { believed, real, dimensions: m } = panel.archive;
  const samples = samplesOf(panel.archive, row);
  return {
    samples,
    inside: samples.map((measures) => cellOf(panel.grid, measures) === cell),
    believed: believed && panel.state === "believed" ? rowOf(believed.measures, row, m) : null,
    mean: real && at(real.cell, row) >= 0 ? rowOf(real.measures, row, m) : null,
    spread: real ? at(real.spread, row) : Number.NaN,
  };
}

function cloudPanel(
  panel: Panel,
  cloud: Cloud | null,
  window: Window,
  names: readonly string[],
  cell: number,
  width: number,
): HTMLElement {
  const inside = cloud ? cloud.inside.filter(Boolean).length : 0;
  const words = !cloud
    ? "no elite in this cell"
    : cloud.samples.length > 0
      ? `${stateWords(panel)} · ${inside} of ${cloud.samples.length} inside`
      : stateWords(panel);
  const label = `${panel.title}, ${stateWords(panel)}: ${words}`;
  return h(
    "div",
    { class: "panel cloud", style: `width: ${width}px` },
    h(
      "div",
      { class: "panel-title" },
      h("strong", { class: "svg-text" }, panel.title),
      h("span", { class: "svg-text" }, cloud ? words : `${stateWords(panel)} · ${words}`),
    ),
    ...cloudPlot({ cloud, grid: panel.grid, cell, window, names, width, label }),
    cloud ? definitionList(cellFigures(panel, cell)) : null,
  );
}

function cloudLegend(clouds: { cloud: Cloud | null }[]): HTMLElement {
  if (clouds.some(({ cloud }) => cloud?.mean && cloud.samples.length === 0)) {
    const words = "The single evaluations were not kept: the circle has the solution's spread as its radius.";
    return h("p", { class: "note" }, words);
  }
  return dotLegend([
    { label: "evaluation inside the cell", colour: "var(--stay)" },
    { label: "outside", colour: "var(--leave)" },
  ]);
}

function cloudsTable(clouds: { panel: Panel; cloud: Cloud | null }[], names: readonly string[]): Table {
  return {
    caption: "Every dot, as stored in this page",
    columns: ["map", ...names, "in the cell"],
    rows: clouds.flatMap(({ panel, cloud }) =>
      cloud
        ? cloud.samples.map((measures, s) => [
            `${panel.title}, ${stateWords(panel)}`,
            ...measures,
            cloud.inside[s] ? "yes" : "no",
          ])
        : [],
    ),
  };
}
