// Archive profiles: the share of cells whose elite really reaches a fitness.
import * as Plot from "@observablehq/plot";
import { formatNumber } from "../data/numbers";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import { lineStyle } from "./colours";
import { lineLegend } from "./legend";

export interface ProfileSeries {
  label: string;
  thresholds: readonly number[];
  share: readonly (number | null)[];
  band: { lower: readonly number[]; upper: readonly number[] } | null;
}

export function profileFigure(series: readonly ProfileSeries[], explanation: string): Figure {
  const banded = series.some(({ band }) => band);
  return figure({
    title: series.length > 1 ? "Archive profiles" : "Archive profile",
    explanation,
    table: () => ({
      caption: "Share of all cells whose elite has at least the fitness",
      columns: ["archive", "fitness", "share", ...(banded ? ["lower quartile", "upper quartile"] : [])],
      rows: series.flatMap(({ label, thresholds, share, band }) =>
        thresholds.map((fitness, i) => [
          label,
          fitness,
          share[i] ?? null,
          ...(banded ? [band?.lower[i] ?? null, band?.upper[i] ?? null] : []),
        ]),
      ),
    }),
    draw: (width) => {
      const entries = series.map(({ label }, i) => ({ label, ...lineStyle(i) }));
      return h("div", {}, series.length > 1 ? lineLegend(entries) : null, profilePlot(series, Math.min(width, 860)));
    },
  });
}

function profilePlot(series: readonly ProfileSeries[], width: number): Element {
  const element = Plot.plot({
    width,
    height: Math.max(260, Math.min(400, width * 0.5)),
    marginLeft: 52,
    marginBottom: 38,
    ariaLabel: `Archive profiles of ${series.map(({ label }) => label).join(", ")}`,
    x: { label: "fitness of at least", tickFormat: (value: number) => formatNumber(value, 3), ticks: width / 90 },
    y: { label: "share of all cells", domain: [0, 1], tickFormat: (value: number) => `${Math.round(100 * value)} %`, grid: true },
    marks: [
      ...series.map(({ thresholds, band }, i) =>
        band
          ? Plot.areaY(thresholds, {
              x: thresholds, y1: band.lower, y2: band.upper, fill: lineStyle(i).colour, fillOpacity: 0.18,
            }) // prettier-ignore
          : null,
      ),
      ...series.map(({ thresholds, share }, i) =>
        Plot.line(thresholds, {
          x: thresholds, y: share, stroke: lineStyle(i).colour, strokeWidth: 2, strokeDasharray: lineStyle(i).dash,
        }), // prettier-ignore
      ),
      Plot.ruleY([0], { stroke: "var(--muted)" }),
    ],
  });
  element.setAttribute("role", "img");
  return element;
}
