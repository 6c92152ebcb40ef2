// Box plots of a study: the replications of every algorithm, metric by metric.
import * as Plot from "@observablehq/plot";
import type { StudyAlgorithm, StudyData } from "../data/format";
import { formatNumber, formatPercent } from "../data/numbers";
import { isShare, publishedValue, quartilesOf, type Metric } from "../data/study";
import { listChoice } from "../ui/choice";
import { h, svg } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import { lineStyle } from "./colours";

export function boxesFigure(data: StudyData): Figure | null {
  const first = data.metrics.find(({ key }) => key === "corrected.qd_score") ?? data.metrics[0];
  if (!first || data.algorithms.length === 0) return null;
  let metric: Metric = first;
  const choice = listChoice(
    "Metric",
    data.metrics.map(({ key, label }) => ({ value: key, label })),
    metric.key,
    (key) => {
      metric = data.metrics.find((candidate) => candidate.key === key) ?? first;
      result.redraw();
    },
  );
  const result = figure({
    title: "Every replication",
    explanation:
      "One dot per replication; the box spans the quartiles, its line is the median, the thin line reaches from the " +
      "lowest to the highest. A diamond marks the published median, where there is one.",
    controls: [choice],
    table: () => ({
      caption: metric.label,
      columns: ["algorithm", "seed", metric.label],
      rows: data.algorithms.flatMap(({ label, runs }) =>
        runs.map(({ seed, metrics }) => [label, seed, metrics[metric.key] ?? null]),
      ),
    }),
    draw: (width) => h("div", {}, boxPlot(data, metric, Math.min(width, 980)), diamondLegend(data, metric)),
  });
  return result;
}

interface Dot {
  label: string;
  value: number;
  shift: number; // pixels, so that equal values do not hide each other
}

function dotsOf({ label, runs }: StudyAlgorithm, metric: string): Dot[] {
  return runs.flatMap(({ metrics }, i) => {
    const value = metrics[metric];
    return typeof value === "number" ? [{ label, value, shift: ((i * 0.618034) % 1) * 14 - 7 }] : [];
  });
}

function boxPlot(data: StudyData, metric: Metric, width: number): Element {
  const labels = data.algorithms.map(({ label }) => label);
  const marks = data.algorithms.flatMap((algorithm, i) => {
    const { label } = algorithm;
    const { colour } = lineStyle(i);
    const dots = dotsOf(algorithm, metric.key);
    const values = dots.map(({ value }) => value);
    const quartiles = quartilesOf(algorithm, metric.key);
    const published = publishedValue(algorithm, metric.key);
    return [
      values.length > 0
        ? Plot.ruleY([label], { y: [label], x1: Math.min(...values), x2: Math.max(...values), stroke: "var(--muted)" })
        : null,
      quartiles
        ? Plot.barX([label], {
            y: [label], x1: quartiles.lower, x2: quartiles.upper, inset: 3,
            fill: colour, fillOpacity: 0.25, stroke: colour,
          }) // prettier-ignore
        : null,
      quartiles ? Plot.tickX([label], { y: [label], x: [quartiles.median], strokeWidth: 2.5, inset: 3 }) : null,
      ...dots.map((dot) =>
        Plot.dot([dot], { y: "label", x: "value", dy: dot.shift, r: 2.8, fill: colour, stroke: "var(--page)", strokeWidth: 0.7 }),
      ),
      published === null
        ? null
        : Plot.dot([label], { y: [label], x: [published], symbol: "diamond", r: 6, fill: "var(--page)", stroke: "var(--ink)", strokeWidth: 1.8 }),
    ];
  });
  const element = Plot.plot({
    width,
    height: labels.length * 44 + 60,
    marginLeft: Math.min(110, 18 + 7.5 * Math.max(...labels.map((label) => label.length))),
    marginRight: 20,
    marginBottom: 40,
    ariaLabel: `${metric.label} of every replication, by algorithm`,
    x: { label: metric.label, grid: true, nice: true, ticks: width / 110, tickFormat: (value: number) => (isShare(metric.key) ? formatPercent(value) : formatNumber(value)) },
    y: { domain: labels, label: null, tickSize: 0, padding: 0.25 },
    marks,
  });
  element.setAttribute("role", "img");
  return element;
}

function diamondLegend(data: StudyData, metric: Metric): HTMLElement | null {
  if (data.algorithms.every((algorithm) => publishedValue(algorithm, metric.key) === null)) return null;
  return h(
    "div",
    { class: "legend" },
    h(
      "span",
      { class: "swatch" },
      svg(
        "svg",
        { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" },
        svg("path", { d: "M0 -6.5L4.5 0L0 6.5L-4.5 0Z", fill: "var(--page)", stroke: "var(--ink)", "stroke-width": 1.8 }),
      ),
      h("span", { class: "svg-text" }, "published median"),
    ),
  );
}
