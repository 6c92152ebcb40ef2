// The arrow map: from where each elite was believed to be, to where it really is.
import * as Plot from "@observablehq/plot";
import type { Archive } from "../data/archive";
import { cellName } from "../data/cell-figures";
import type { Grid } from "../data/format";
import { place, type Layout } from "../data/grid";
import { landingsOf, type Landing, type Landings } from "../data/landing";
import { formatPercent, formatPoint, quantity } from "../data/numbers";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import type { Table } from "../ui/table";
import { aspect, latticeAxis, margins } from "./axes";
import { lineLegend } from "./legend";
import { panelWidth } from "./maps";

interface Subject {
  archive: Archive;
  landings: Landings;
}

export function arrowsFigure(archives: readonly Archive[], grid: Grid, layout: Layout, names: readonly string[]): Figure | null {
  const subjects = archives.flatMap((archive) => {
    const landings = landingsOf(archive);
    return landings && archive.size > 0 ? [{ archive, landings }] : [];
  });
  if (subjects.length === 0) return null;
  return figure({
    title: "Where the elites really land",
    explanation:
      "One arrow per elite, from the descriptor that the algorithm believed to the mean of its re-evaluations. A long " +
      "arrow is a lucky evaluation that was taken at its word." +
      (grid.cells.length === 1 ? " Above: as believed; below: as it is." : ""),
    table: () => arrowsTable(subjects, names),
    draw: (width) => {
      const each = panelWidth(width, Math.max(2, subjects.length), 590);
      return h(
        "div",
        {},
        lineLegend([
          { label: "leaves its cell", colour: "var(--leave)", dash: "none" },
          { label: "stays in its cell", colour: "var(--stay)", dash: "none" },
        ]),
        h(
          "div",
          { class: "panels" },
          ...subjects.map((subject) => arrowPanel(subject, grid, layout, names, each)),
        ),
      );
    },
  });
}

export function landingWords({ stay, leave, failed }: Landings): string {
  const all = stay + leave + failed;
  if (all === 0) return "no elites";
  const lost = failed > 0 ? `, ${quantity(failed, "elite")} failed every time` : "";
  return `${leave} of ${quantity(all, "elite")} leave their cell (${formatPercent(leave / all)})${lost}`;
}

function arrowPanel({ archive, landings }: Subject, grid: Grid, layout: Layout, names: readonly string[], width: number): HTMLElement {
  const words = landingWords(landings);
  const strip = grid.cells.length === 1;
  const ends = landings.arrows.map((arrow) => {
    const from = place(grid, layout, arrow.from);
    const to = place(grid, layout, arrow.to);
    // a strip: believed above, real below
    return { arrow, x1: from.x, y1: strip ? 0.92 : from.y, x2: to.x, y2: strip ? 0.08 : to.y };
  });
  const inner = width - margins.marginLeft - margins.marginRight;
  const height = Math.round(inner * (strip ? 0.35 : aspect(grid, layout)));
  const arrows = (stays: boolean) =>
    Plot.arrow(
      ends.filter(({ arrow }) => arrow.stays === stays),
      {
        x1: "x1", y1: "y1", x2: "x2", y2: "y2",
        stroke: stays ? "var(--stay)" : "var(--leave)", strokeWidth: 1.2, strokeOpacity: 0.85,
        headLength: 5, headAngle: 50, clip: true,
      }, // prettier-ignore
    );
  const element = Plot.plot({
    width,
    height: height + margins.marginTop + margins.marginBottom,
    ...margins,
    ariaLabel: `${archive.label}: ${words}`,
    x: { type: "linear", ...latticeAxis(grid, layout, 0, names, Math.max(2, inner / 60)) },
    y: { type: "linear", ...latticeAxis(grid, layout, 1, names, Math.max(2, height / 50)), ...(strip ? { axis: null } : {}) },
    marks: [
      cellLines(layout),
      arrows(true),
      arrows(false),
      Plot.tip(ends, Plot.pointer({ x: "x1", y: "y1", title: ({ arrow }: { arrow: Landing }) => arrowWords(grid, arrow) })),
    ],
  });
  element.setAttribute("role", "img");
  return h(
    "div",
    { class: "panel", style: `width: ${width}px` },
    h(
      "div",
      { class: "panel-title" },
      h("strong", { class: "svg-text" }, archive.label),
      h("span", { class: "svg-text" }, words),
    ),
    element,
  );
}

function cellLines(layout: Layout): Plot.Markish {
  if (layout.columns > 128 || layout.rows > 128) return Plot.frame({ stroke: "var(--line)" });
  const xs = [...layout.left].flatMap((start) => [start, start + 1]);
  const ys = [...layout.bottom].flatMap((start) => [start, start + 1]);
  const style = { stroke: "var(--line)", strokeWidth: 0.5 };
  return [
    Plot.ruleX([...new Set(xs)], { ...style, y1: 0, y2: layout.height }),
    Plot.ruleY([...new Set(ys)], { ...style, x1: 0, x2: layout.width }),
  ];
}

function arrowWords(grid: Grid, { cell, realCell, from, to, stays }: Landing): string {
  const where = stays ? "stays in its cell" : `really in ${cellName(grid, realCell)}`;
  return `believed in ${cellName(grid, cell)}, at ${formatPoint(from, 3)}\n${where}, at ${formatPoint(to, 3)}`;
}

function arrowsTable(subjects: readonly Subject[], names: readonly string[]): Table {
  return {
    caption: "Every elite: cell and descriptor as believed, and as they are",
    columns: ["archive", "cell believed", "cell really", ...names.map((n) => `${n} believed`), ...names.map((n) => `${n} really`)],
    rows: subjects.flatMap(({ archive, landings }) =>
      landings.arrows.map(({ cell, realCell, from, to }) => [archive.label, cell, realCell, ...from, ...to]),
    ),
  };
}

