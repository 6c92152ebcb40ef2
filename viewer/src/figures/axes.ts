// Axes over the lattice of a grid: positions are in cells, ticks carry the values of the descriptor.
import type { Grid } from "../data/format";
import { at, axisPlace, type Layout } from "../data/grid";
import { formatNumber, roundTicks } from "../data/numbers";

// Around every map, so that maps, arrows and clouds line up below each other. The label of y stands above its axis.
export const margins = { marginLeft: 44, marginRight: 8, marginTop: 22, marginBottom: 34 };

export interface LatticeAxis {
  domain: [number, number];
  ticks: number[];
  tickFormat: (position: number) => string;
  label: string | null;
}

export function latticeAxis(grid: Grid, layout: Layout, axis: 0 | 1, names: readonly string[], count: number): LatticeAxis {
  const domain: [number, number] = [0, axis === 0 ? layout.width : layout.height];
  if (axis >= grid.cells.length) return { domain, ticks: [], tickFormat: String, label: null };
  const values = roundTicks(at(grid.lower, axis), at(grid.upper, axis), count);
  const texts = new Map(values.map((value) => [axisPlace(grid, layout, axis, value), formatNumber(value, 3)]));
  const inner = names.filter((_, k) => k % 2 === axis && k > axis);
  return {
    domain,
    ticks: [...texts.keys()],
    tickFormat: (position) => texts.get(position) ?? "",
    label: [names[axis] ?? "", ...inner.map((name) => `within it ${name}`)].join(", "),
  };
}

// Height over width of the drawn grid: by the ranges of a plane, by the cells of anything else, within reason.
export function aspect(grid: Grid, layout: Layout): number {
  if (grid.cells.length === 1) return 0.16;
  const ratio =
    grid.cells.length === 2
      ? (at(grid.upper, 1) - at(grid.lower, 1)) / (at(grid.upper, 0) - at(grid.lower, 0))
      : layout.height / layout.width;
  if (grid.cells.length === 2) return ratio < 0.4 || ratio > 2.5 ? 1 : ratio;
  return Math.min(1.5, Math.max(0.6, ratio));
}
