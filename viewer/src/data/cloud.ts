// The part of the descriptor space that a cloud is drawn in.
import type { Grid } from "./format";
import { at, coordinates } from "./grid";

// The evaluations of one solution.
export interface Cloud {
  samples: Float32Array[];
  inside: boolean[]; // per sample: in the cell
  believed: Float32Array | null;
  mean: Float32Array | null;
  spread: number;
}

export type Window = { lower: number; upper: number }[]; // per dimension, in cells

// Holds the cell, its neighbours and all clouds; as many cells wide as high, so that cells keep their shape.
export function cloudWindow(grid: Grid, cell: number, clouds: readonly (Cloud | null)[]): Window {
  const here = coordinates(grid, cell);
  const ranges = here.map((i, k) => {
    let lower = i - 0.5;
    let upper = i + 1.5;
    const include = (measures: ArrayLike<number>, by: number) => {
      const position = inCells(grid, k, at(measures, k));
      if (!Number.isFinite(position)) return;
      lower = Math.min(lower, position - by);
      upper = Math.max(upper, position + by);
    };
    for (const cloud of clouds) {
      if (!cloud) continue;
      for (const sample of cloud.samples) include(sample, 0.1);
      if (cloud.believed) include(cloud.believed, 0.1);
      if (cloud.mean) include(cloud.mean, cloud.samples.length > 0 ? 0.1 : spreadInCells(grid, k, cloud.spread));
    }
    return { lower, upper };
  });
  const span = Math.max(...ranges.map(({ lower, upper }) => upper - lower));
  return ranges.map(({ lower, upper }) => {
    const middle = (lower + upper) / 2;
    return { lower: middle - span / 2, upper: middle + span / 2 };
  });
}

export function inCells(grid: Grid, k: number, value: number): number {
  const lower = at(grid.lower, k);
  return ((value - lower) / (at(grid.upper, k) - lower)) * at(grid.cells, k);
}

function spreadInCells(grid: Grid, k: number, spread: number): number {
  return Number.isFinite(spread) ? (spread / (at(grid.upper, k) - at(grid.lower, k))) * at(grid.cells, k) : 0;
}
