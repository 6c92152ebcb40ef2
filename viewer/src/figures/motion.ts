// How the chosen cell's solution moves, one picture per map: its paths over the ground, or its gait.
import { cellName, cellRanges } from "../data/cell-figures";
import type { Grid } from "../data/format";
import { cellBounds } from "../data/grid";
import { gaitsOf, groundOf, tracksOf, type Gait, type GaitMotion, type PathMotion, type Track } from "../data/motion";
import { gaitFigures, trackFigures } from "../data/motion-figures";
import { definitionList, type Definition } from "../ui/definitions";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import { gaitLegend, gaitPlot, gaitTable } from "./gait-plot";
import { stateWords } from "./map-panel";
import { panelWidth } from "./maps";
import { pathLegend, pathPlot, pathTable } from "./path-plot";
import { shownRollouts, type ShownPanel } from "./rollouts";
import type { Selection } from "./selection";

const title = "How the solution of this cell moves";

// Null where no archive shows how its solutions move.
export function motionFigure(grid: Grid, names: readonly string[], selection: Selection): Figure | null {
  const kinds = selection.panels.map(({ archive }) => archive.motion?.kind);
  if (kinds.includes("path")) return pathFigure(grid, names, selection);
  if (kinds.includes("gait")) return gaitFigure(grid, names, selection);
  return null;
}

function pathFigure(grid: Grid, names: readonly string[], selection: Selection): Figure {
  const shown = () => shownRollouts<PathMotion, Track>(selection, "path", tracksOf);
  const result = figure({
    title,
    explanation:
      "The ground from above: each line is the way of the robot's torso in one rollout of the very same solution, from " +
      "the start to where the episode ends. The outlined square is the chosen cell, the place where the solution should end up.",
    table: () => pathTable(shown()),
    draw: (width) => {
      const panels = shown();
      const bounds = cellBounds(grid, selection.chosen);
      // one ground for all: what is near and what is far can be compared
      const ground = groundOf(bounds, panels.flatMap(({ rollouts }) => rollouts ?? [])); // prettier-ignore
      const each = panelWidth(width, panels.length);
      return body(grid, names, selection.chosen, pathLegend(panels, bounds), [
        ...panels.map((shownPanel) =>
          motionPanel(shownPanel, each, "end inside", trackFigures(shownPanel.rollouts ?? []), (label) =>
            pathPlot({ tracks: shownPanel.rollouts ?? [], bounds, ground, width: each, label }),
          ),
        ),
      ]);
    },
  });
  selection.onChoice(result.redraw);
  return result;
}

function gaitFigure(grid: Grid, names: readonly string[], selection: Selection): Figure {
  const shown = () => shownRollouts<GaitMotion, Gait>(selection, "gait", gaitsOf);
  const result = figure({
    title,
    explanation:
      "When each foot of the robot touches the ground, in a few rollouts of the very same solution: a bar while it does, " +
      "a pale band while it is in the air, up to the end of the episode. On the right the share of the episode that the " +
      "foot is on the ground; these shares together are where the rollout lands in descriptor space.",
    table: () => gaitTable(shown()),
    draw: (width) => {
      const panels = shown();
      const bounds = cellBounds(grid, selection.chosen);
      const each = panelWidth(width, panels.length);
      return body(grid, names, selection.chosen, gaitLegend(panels), [
        ...panels.map((shownPanel) =>
          motionPanel(shownPanel, each, "inside", gaitFigures(shownPanel.motion.feet, shownPanel.rollouts ?? [], bounds), (label) =>
            shownPanel.rollouts ? gaitPlot({ gaits: shownPanel.rollouts, motion: shownPanel.motion, width: each, label }) : null,
          ),
        ),
      ]);
    },
  });
  selection.onChoice(result.redraw);
  return result;
}

function body(grid: Grid, names: readonly string[], cell: number, legend: Node | null, panels: Node[]): HTMLElement {
  const words = `Chosen: ${cellName(grid, cell)} (${cellRanges(grid, cell, names)})`;
  return h("div", {}, h("p", { class: "moving-cell svg-text" }, words), legend, h("div", { class: "panels" }, ...panels));
}

function motionPanel<M, R extends { inside: boolean }>(
  { panel, empty, rollouts }: ShownPanel<M, R>,
  width: number,
  inside: string,
  figures: Definition[],
  plot: (label: string) => Element | null,
): HTMLElement {
  const found = rollouts?.filter((rollout) => rollout.inside).length ?? 0;
  const finding = empty
    ? "no elite in this cell"
    : rollouts
      ? `${found} of ${rollouts.length} ${inside}`
      : "its motion was not recorded";
  const label = [
    `${panel.title}, ${stateWords(panel)}: ${finding}`,
    ...(rollouts ? figures.map(({ label: name, value }) => `${name} ${value}`) : []),
  ].join("; ");
  return h(
    "div",
    { class: "panel motion", style: `width: ${width}px` },
    h(
      "div",
      { class: "panel-title" },
      h("strong", { class: "svg-text" }, panel.title),
      h("span", { class: "svg-text" }, `${stateWords(panel)} · ${finding}`),
    ),
    plot(label),
    rollouts ? definitionList(figures) : null,
  );
}
