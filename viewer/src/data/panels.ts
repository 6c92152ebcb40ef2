// The maps of an archive: which solution stands in each cell, as believed and as it really is, and its figures.
import { rowOf, samplesOf, type Archive } from "./archive";
import type { Grid } from "./format";
import { at, cellCount, cellOf, type Layout } from "./grid";

export type Quantity = "fitness" | "probability" | "spread";
export const quantities: readonly Quantity[] = ["fitness", "probability", "spread"];

export const quantityLabels: Record<Quantity, string> = {
  fitness: "Fitness",
  probability: "Probability of staying in the cell",
  spread: "Descriptor spread",
};

// What a quantity means, on believed and on real maps.
export const quantityNotes: Record<Quantity, string> = {
  fitness: "As believed: the fitness that the algorithm recorded. As it really is: the mean over the re-evaluations.",
  probability:
    "How likely a further evaluation of the elite lands in the cell where it is drawn. The algorithm does not know this: " +
    "on both kinds of map it comes from the re-evaluations.",
  spread:
    "How far the evaluations of the elite scatter in descriptor space (the root of the summed variances). On both kinds " +
    "of map it comes from the re-evaluations.",
};

export interface Panel {
  title: string;
  state: "believed" | "corrected";
  archive: Archive;
  grid: Grid;
  layout: Layout;
  rowAt: Int32Array; // (cells) row of the archive, -1: empty
  filled: number;
}

export function believedPanel(archive: Archive, grid: Grid, layout: Layout, title = archive.label): Panel | null {
  const believed = archive.believed;
  if (!believed) return null;
  const rowAt = new Int32Array(cellCount(grid)).fill(-1);
  believed.cell.forEach((cell, row) => {
    if (cell < 0) return;
    const there = at(rowAt, cell);
    if (there < 0 || at(believed.fitness, row) > at(believed.fitness, there)) rowAt[cell] = row;
  });
  return { title, state: "believed", archive, grid, layout, rowAt, filled: countFilled(rowAt) };
}

export function correctedPanel(archive: Archive, grid: Grid, layout: Layout, title = archive.label): Panel | null {
  const real = archive.real;
  if (!real) return null;
  const rowAt = new Int32Array(cellCount(grid)).fill(-1);
  real.kept.forEach((row) => (rowAt[at(real.cell, row)] = row));
  return { title, state: "corrected", archive, grid, layout, rowAt, filled: countFilled(rowAt) };
}

function countFilled(rowAt: Int32Array): number {
  return rowAt.reduce((sum, row) => sum + (row < 0 ? 0 : 1), 0);
}

// NaN where the cell is empty or the figure unknown.
export function valueAt(panel: Panel, quantity: Quantity, cell: number): number {
  const row = at(panel.rowAt, cell);
  if (row < 0) return Number.NaN;
  const { believed, real } = panel.archive;
  if (quantity === "fitness") {
    return (panel.state === "believed" ? believed : real)?.fitness[row] ?? Number.NaN;
  }
  if (!real) return Number.NaN;
  return quantity === "spread" ? at(real.spread, row) : chanceOfStaying(panel, cell).probability;
}

export interface Chance {
  probability: number; // of an evaluation landing in the cell that is drawn
  lower: number; // 95 % confidence interval; NaN where not known
  upper: number;
  evaluations: number; // behind the estimate
}

// The probability that is stored is that of the cell where a solution really is. For the cell where it was only
// believed to be, the stored samples give an estimate.
export function chanceOfStaying(panel: Panel, cell: number): Chance {
  const unknown = { probability: Number.NaN, lower: Number.NaN, upper: Number.NaN, evaluations: 0 };
  const row = at(panel.rowAt, cell);
  const real = panel.archive.real;
  if (row < 0 || !real) return unknown;
  if (real.cell[row] === cell) {
    return {
      probability: at(real.probability, row),
      lower: at(real.probabilityLower, row),
      upper: at(real.probabilityUpper, row),
      evaluations: real.evaluations,
    };
  }
  if (!real.samples) return unknown;
  const inside = samplesOf(panel.archive, row).filter((measures) => cellOf(panel.grid, measures) === cell).length;
  return { ...unknown, probability: inside / real.samples.count, evaluations: real.samples.count };
}

// One scale for all panels. Probability is always 0 .. 1, spread starts at 0.
export function domainOf(panels: readonly Panel[], quantity: Quantity): [number, number] {
  if (quantity === "probability") return [0, 1];
  let lower = Infinity;
  let upper = -Infinity;
  for (const panel of panels) {
    for (let cell = 0; cell < panel.rowAt.length; ++cell) {
      const value = valueAt(panel, quantity, cell);
      if (!Number.isFinite(value)) continue;
      lower = Math.min(lower, value);
      upper = Math.max(upper, value);
    }
  }
  if (lower > upper) return [0, 1];
  if (quantity === "spread") lower = 0;
  return lower < upper ? [lower, upper] : [lower - 0.5, upper + 0.5];
}

// The cell to show first: an elite that leaves its cell by a middling distance, since that is what the page is about.
export function tellingCell(panels: readonly Panel[]): number {
  for (const panel of panels) {
    const { believed, real, dimensions } = panel.archive;
    if (panel.state !== "believed" || !believed || !real) continue;
    const leaving = [...panel.rowAt.keys()].filter((cell) => {
      const row = at(panel.rowAt, cell);
      return row >= 0 && at(real.cell, row) >= 0 && real.cell[row] !== cell;
    });
    const distance = (cell: number) => {
      const row = at(panel.rowAt, cell);
      const from = rowOf(believed.measures, row, dimensions);
      const to = rowOf(real.measures, row, dimensions);
      return Math.hypot(...from.map((value, k) => (value - at(to, k)) / (at(panel.grid.upper, k) - at(panel.grid.lower, k))));
    };
    const ordered = leaving.map((cell) => ({ cell, by: distance(cell) })).sort((a, b) => a.by - b.by || a.cell - b.cell);
    // one that every map has an elite for, if there is one: then all can be compared
    const shared = ordered.filter(({ cell }) => panels.every((other) => at(other.rowAt, cell) >= 0));
    const from = shared.length > 0 ? shared : ordered;
    const middle = from[Math.floor(from.length / 2)];
    if (middle) return middle.cell;
  }
  const cells = [...(panels[0]?.rowAt.keys() ?? [])];
  const filled = cells.map((cell) => panels.filter((panel) => at(panel.rowAt, cell) >= 0).length);
  const most = filled.reduce((a, b) => Math.max(a, b), 0);
  const candidates = cells.filter((cell) => filled[cell] === most);
  return candidates[Math.floor(candidates.length / 2)] ?? 0;
}
