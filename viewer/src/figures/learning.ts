// How the learners of a study learnt: losses, returns and what else they tell, over the evaluations spent.
import * as Plot from "@observablehq/plot";
import type { StudyItem } from "../data/format";
import { formatNumber, formatShort } from "../data/numbers";
import { columnLabel, learningCurves, type LearningCurves } from "../data/progress";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import { lineStyle } from "./colours";
import { lineLegend } from "./legend";
import { panelWidth } from "./maps";

export function learningFigure(study: StudyItem): Figure | null {
  const curves = learningCurves(study);
  if (curves.length === 0) return null;
  const learners = new Map(curves.flatMap(({ lines }) => lines.map(({ algorithm, label }) => [algorithm, label])));
  const entries = [...learners].map(([algorithm, label]) => ({ label, ...lineStyle(algorithm) }));
  return figure({
    title: "Learning curves",
    explanation:
      "What the algorithms that learn told of their learning, over the evaluations spent until then, in the replication with " +
      "the median QD-Score. A curve ends where the learning does.",
    table: () => ({
      caption: "Learning curves",
      columns: ["figure", "algorithm", "evaluations", "value"],
      rows: curves.flatMap(({ name, lines }) =>
        lines.flatMap(({ label, points }) =>
          points.map(({ evaluations, value }) => [columnLabel(name), label, evaluations, value]),
        ),
      ),
    }),
    draw: (width) => {
      const each = panelWidth(width, Math.max(2, curves.length), 590);
      return h(
        "div",
        {},
        lineLegend(entries),
        h(
          "div",
          { class: "panels" },
          ...curves.map((curve) =>
            h(
              "div",
              { class: "panel", style: `width: ${each}px` },
              h("div", { class: "panel-title" }, h("strong", { class: "svg-text" }, columnLabel(curve.name))),
              learningPlot(curve, each),
            ),
          ),
        ),
      );
    },
  });
}

function learningPlot({ name, lines }: LearningCurves, width: number): Element {
  const element = Plot.plot({
    width,
    height: 250,
    marginLeft: 48,
    marginRight: 16,
    marginTop: 12,
    marginBottom: 38,
    ariaLabel: `${columnLabel(name)} over evaluations, by algorithm`,
    x: { label: "evaluations", ticks: width / 100, tickFormat: formatShort },
    y: { label: null, grid: true, ticks: 5, tickFormat: (value: number) => formatNumber(value, 4) },
    marks: lines.flatMap(({ algorithm, points }) => {
      const { colour, dash } = lineStyle(algorithm);
      return [
        Plot.line(points, { x: "evaluations", y: "value", stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
        points.length === 1 ? Plot.dot(points, { x: "evaluations", y: "value", fill: colour }) : null,
      ];
    }),
  });
  element.setAttribute("role", "img");
  return element;
}
