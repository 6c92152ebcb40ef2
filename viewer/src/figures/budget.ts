// What a budget buys: scores over evaluations and over seconds, algorithm by algorithm.
import * as Plot from "@observablehq/plot";
import { budgetCurves, sweptMetrics, type BudgetCurve, type Cost, type SweptMetric } from "../data/budget";
import type { StudyData } from "../data/format";
import { formatNumber, formatPercent } from "../data/numbers";
import { isShare } from "../data/study";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import { lineStyle } from "./colours";
import { lineLegend } from "./legend";
import { panelWidth } from "./maps";

const costs: readonly Cost[] = ["evaluations", "seconds"];

export function budgetFigure(data: StudyData): Figure | null {
  if (!data.sweep || data.sweep.curves.length === 0) return null;
  const labels = data.sweep.curves.map(({ label }, i) => ({ label, ...lineStyle(i) }));
  return figure({
    title: "What a budget buys",
    explanation:
      "Corrected scores over what a run took, evaluations and time of the algorithm alone, on logarithmic axes: medians, " +
      "with the range between the quartiles. Diamonds are published medians at the published cost, where that is known; " +
      "published times are of one GPU, and published QD-Scores have a range of their own.",
    table: () => ({
      caption: "What a budget buys",
      columns: ["algorithm", "share of the budget", "metric", "evaluations", "median", "lower quartile", "upper quartile"],
      rows: sweptMetrics.flatMap((metric) =>
        budgetCurves(data, metric, "evaluations").flatMap(({ label, points }) =>
          points.map(({ share, cost, median, lower, upper }) => [label, share, metric.label, cost, median, lower, upper]),
        ),
      ),
    }),
    draw: (width) => {
      const each = panelWidth(width, 3, 480);
      return h(
        "div",
        {},
        lineLegend(labels),
        ...costs.map((cost) =>
          h(
            "div",
            { class: "panels" },
            ...sweptMetrics.map((metric) =>
              h(
                "div",
                { class: "panel", style: `width: ${each}px` },
                h("div", { class: "panel-title" }, h("strong", { class: "svg-text" }, `${metric.label} over ${cost}`)),
                curvesPlot(budgetCurves(data, metric, cost), metric, cost, each),
              ),
            ),
          ),
        ),
      );
    },
  });
}

function curvesPlot(curves: readonly BudgetCurve[], metric: SweptMetric, cost: Cost, width: number): Element {
  const element = Plot.plot({
    width,
    height: 260,
    marginLeft: 48,
    marginRight: 16,
    marginBottom: 38,
    ariaLabel: `${metric.label} over ${cost}, by algorithm`,
    x: { type: "log", label: cost, ticks: width / 90, tickFormat: (value: number) => value.toExponential(0).replace("+", "") },
    y: { label: null, grid: true, zero: true, ticks: 5, tickFormat: (value: number) => (isShare(metric.key) ? formatPercent(value) : formatNumber(value)) },
    marks: curves.flatMap(({ points, published }, i) => {
      const { colour, dash } = lineStyle(i);
      return [
        Plot.ruleX(points, { x: "cost", y1: "lower", y2: "upper", stroke: colour, strokeOpacity: 0.5, strokeWidth: 3 }),
        Plot.line(points, { x: "cost", y: "median", stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
        Plot.dot(points, { x: "cost", y: "median", fill: colour, r: 3 }),
        published
          ? Plot.dot([published], { x: "cost", y: "value", symbol: "diamond", r: 6, fill: "var(--page)", stroke: colour, strokeWidth: 2 })
          : null,
      ];
    }),
  });
  element.setAttribute("role", "img");
  return element;
}
