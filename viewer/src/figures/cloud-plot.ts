// The picture of one cloud: one plane per pair of dimensions, a strip for a single one.
import * as Plot from "@observablehq/plot";
import { inCells, type Cloud, type Window } from "../data/cloud";
import type { Grid } from "../data/format";
import { at, border, coordinates } from "../data/grid";
import { formatNumber, roundTicks } from "../data/numbers";
import { margins } from "./axes";

export type { Cloud } from "../data/cloud";

export interface CloudPlotOptions {
  cloud: Cloud | null;
  grid: Grid;
  cell: number;
  window: Window;
  names: readonly string[];
  width: number;
  label: string;
}

export function cloudPlot(options: CloudPlotOptions): Element[] {
  const m = options.grid.cells.length;
  return Array.from({ length: Math.ceil(m / 2) }, (_, level) => plane(options, 2 * level, 2 * level + 1 < m));
}

interface Point {
  x: number;
  y: number;
  inside: boolean;
}

function plane(options: CloudPlotOptions, k: number, twoDimensional: boolean): Element {
  const { cloud, grid, cell, window, width, label } = options;
  const here = coordinates(grid, cell);
  const column = at(here, k);
  const row = twoDimensional ? at(here, k + 1) : 0;
  const inner = width - margins.marginLeft - margins.marginRight;
  const x = axis(options, k, inner / 70);
  const y = twoDimensional ? axis(options, k + 1, 5) : { domain: [-0.5, 1.5], ticks: [], label: null };
  const point = (measures: ArrayLike<number>, jitter: number) => ({
    x: inCells(grid, k, at(measures, k)),
    y: twoDimensional ? inCells(grid, k + 1, at(measures, k + 1)) : jitter,
  });
  const points: Point[] = (cloud?.samples ?? []).map((measures, s) => ({
    // a strip has no second dimension: spread the dots by the golden ratio, the same each time
    ...point(measures, (s * 0.618034) % 1),
    inside: cloud?.inside[s] ?? false,
  }));
  const marked = (measures: Float32Array | null) => (measures ? [point(measures, 0.5)] : []);
  const height = (twoDimensional ? inner : 80) + margins.marginTop + margins.marginBottom;
  const element = Plot.plot({
    width,
    height,
    ...margins,
    ariaLabel: label,
    x: { type: "linear", ...x },
    y: { type: "linear", ...y, ...(twoDimensional ? {} : { axis: null }) },
    marks: [
      Plot.ruleX(borders(grid, k, at0(window, k)), { stroke: "var(--line)" }),
      twoDimensional ? Plot.ruleY(borders(grid, k + 1, at0(window, k + 1)), { stroke: "var(--line)" }) : null,
      Plot.rect([0], {
        x1: column, x2: column + 1, y1: row, y2: row + 1,
        fill: "var(--stay)", fillOpacity: 0.08, stroke: "var(--ink)", strokeWidth: 2.5,
      }), // prettier-ignore
      cloud && cloud.samples.length === 0 ? spreadCircle(options, k, twoDimensional) : null,
      dots(points.filter(({ inside }) => !inside), "var(--leave)"),
      dots(points.filter(({ inside }) => inside), "var(--stay)"),
      symbol(marked(cloud?.mean ?? null), "plus"),
      symbol(marked(cloud?.believed ?? null), "times"),
    ],
    clip: true,
  });
  element.setAttribute("role", "img");
  return element;
}

function dots(points: Point[], fill: string): Plot.Markish {
  return Plot.dot(points, { x: "x", y: "y", r: 2.6, fill, fillOpacity: 0.75 });
}

function symbol(points: { x: number; y: number }[], name: "plus" | "times"): Plot.Markish {
  const common = { x: "x", y: "y", symbol: name, r: 6 } as const;
  return [
    Plot.dot(points, { ...common, stroke: "var(--page)", strokeWidth: 5 }),
    Plot.dot(points, { ...common, stroke: "var(--ink)", strokeWidth: 2 }),
  ];
}

function spreadCircle({ cloud, grid }: CloudPlotOptions, k: number, twoDimensional: boolean): Plot.Markish {
  if (!cloud?.mean || !twoDimensional || !Number.isFinite(cloud.spread)) return null;
  const { mean, spread } = cloud;
  const line = Array.from({ length: 61 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 60;
    return {
      x: inCells(grid, k, at(mean, k) + spread * Math.cos(angle)),
      y: inCells(grid, k + 1, at(mean, k + 1) + spread * Math.sin(angle)),
    };
  });
  return Plot.line(line, { x: "x", y: "y", stroke: "var(--leave)", strokeDasharray: "4 3" });
}

function axis({ grid, window, names }: CloudPlotOptions, k: number, count: number) {
  const { lower, upper } = at0(window, k);
  const values = roundTicks(border(grid, k, lower), border(grid, k, upper), count);
  const texts = new Map(values.map((value) => [inCells(grid, k, value), formatNumber(value, 4)]));
  return {
    domain: [lower, upper],
    ticks: [...texts.keys()],
    tickFormat: (position: number) => texts.get(position) ?? "",
    label: names[k] ?? null,
  };
}

// Borders of cells within the window.
function borders(grid: Grid, k: number, { lower, upper }: { lower: number; upper: number }): number[] {
  const first = Math.max(0, Math.ceil(lower));
  const last = Math.min(at(grid.cells, k), Math.floor(upper));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

function at0(window: Window, k: number): { lower: number; upper: number } {
  return window[k] ?? { lower: 0, upper: 1 };
}
