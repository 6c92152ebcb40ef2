// How the archive grew: each figure of progress.csv over the evaluations spent.
import * as Plot from "@observablehq/plot";
import type { RunItem } from "../data/format";
import { formatNumber, formatShort } from "../data/numbers";
import { columnLabel, progressOf, type Curve, type Progress } from "../data/progress";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import { panelWidth } from "./maps";

export function progressFigure(item: RunItem): Figure | null {
  const progress = progressOf(item.progress);
  if (!progress || !item.progress) return null;
  const { columns, rows } = item.progress;
  return figure({
    title: "Progress",
    explanation:
      "What the algorithm believed of itself while it ran, over the evaluations it had spent. Believed figures are only " +
      "as good as the luck behind them.",
    table: () => ({ caption: "Milestones of the run", columns: columns.map((name) => name.replaceAll("_", " ")), rows }),
    draw: (width) => {
      const each = panelWidth(width, Math.max(2, progress.curves.length), 590);
      return h(
        "div",
        { class: "panels" },
        ...progress.curves.map((curve) =>
          h(
            "div",
            { class: "panel", style: `width: ${each}px` },
            h("div", { class: "panel-title" }, h("strong", { class: "svg-text" }, columnLabel(curve.name))),
            curvePlot(curve, progress, each),
          ),
        ),
      );
    },
  });
}

function curvePlot(curve: Curve, { phases }: Progress, width: number): Element {
  const later = phases.slice(1);
  const element = Plot.plot({
    width,
    height: 250,
    marginLeft: 44,
    marginRight: 16,
    marginTop: phases.length > 1 ? 36 : 12,
    marginBottom: 38,
    ariaLabel: `${columnLabel(curve.name)} over evaluations`,
    x: { label: "evaluations", ticks: width / 100, tickFormat: formatShort },
    y: { label: null, grid: true, ticks: 5, tickFormat: (value: number) => formatNumber(value, 4) },
    marks: [
      Plot.ruleX(later, { x: "from", stroke: "var(--muted)", strokeDasharray: "3 3" }),
      phases.length > 1
        ? // every other one higher: a short phase leaves its name no room
          phases.map((phase, i) =>
            Plot.text([phase], {
              x: i === 0 ? [curve.points[0]?.evaluations ?? phase.from] : "from", text: "name", frameAnchor: "top",
              dy: i % 2 === 0 ? -14 : -28, dx: i === 0 ? 0 : 3, textAnchor: "start", fill: "var(--muted)",
            }), // prettier-ignore
          )
        : null,
      Plot.line(curve.points, { x: "evaluations", y: "value", stroke: "var(--category-0)", strokeWidth: 2 }),
      curve.points.length === 1 ? Plot.dot(curve.points, { x: "evaluations", y: "value", fill: "var(--category-0)" }) : null,
    ],
  });
  element.setAttribute("role", "img");
  return element;
}
