// The grid of cells, and how it is laid out on paper.
//
// Dimensions 0, 2, 4, … run along x, dimensions 1, 3, 5, … along y; a later dimension is nested inside an earlier one.
// So every grid is a lattice of columns and rows: one dimension gives a strip, two the plain map, more a map of maps.
import type { Grid } from "./format";
import { DataError } from "./packed";

export interface Layout {
  columns: number;
  rows: number;
  width: number; // in cells, gaps between the nested blocks included
  height: number;
  nested: boolean;
  column: Int32Array; // (cells) position in the lattice
  row: Int32Array;
  at: Int32Array; // (columns x rows) the cell there
  left: Float64Array; // (columns) where a column starts, in cells
  bottom: Float64Array; // (rows)
}

const gapOfBlocks = 0.5; // cells

export function checkGrid(grid: Grid, name: string): void {
  const m = grid.cells.length;
  if (m === 0 || grid.lower.length !== m || grid.upper.length !== m) {
    throw new DataError(`${name} must give cells, lower and upper for each dimension`);
  }
  grid.cells.forEach((count, k) => {
    if (!Number.isInteger(count) || count < 1) throw new DataError(`${name}.cells[${k}] must be at least 1, got ${count}`);
    if (!(at(grid.upper, k) > at(grid.lower, k))) throw new DataError(`${name}.upper[${k}] must be above lower`);
  });
  if (cellCount(grid) > 1e6) throw new DataError(`${name} must have at most 1000000 cells, got ${cellCount(grid)}`);
}

export function cellCount(grid: Grid): number {
  return grid.cells.reduce((product, count) => product * count, 1);
}

// Position of a cell along each dimension.
export function coordinates(grid: Grid, cell: number): number[] {
  const result = new Array<number>(grid.cells.length);
  let rest = cell;
  for (let k = grid.cells.length - 1; k >= 0; --k) {
    const count = at(grid.cells, k);
    result[k] = rest % count;
    rest = Math.floor(rest / count);
  }
  return result;
}

// Lower and upper border of a cell along each dimension.
export function cellBounds(grid: Grid, cell: number): { lower: number; upper: number }[] {
  return coordinates(grid, cell).map((i, k) => ({ lower: border(grid, k, i), upper: border(grid, k, i + 1) }));
}

export function border(grid: Grid, dimension: number, i: number): number {
  const lower = at(grid.lower, dimension);
  return lower + ((at(grid.upper, dimension) - lower) * i) / at(grid.cells, dimension);
}

// The cell a descriptor counts for; what is outside the grid counts for the nearest cell. -1 where it is not a number.
export function cellOf(grid: Grid, measures: ArrayLike<number>): number {
  let cell = 0;
  for (let k = 0; k < grid.cells.length; ++k) {
    const position = fraction(grid, k, at(measures, k));
    if (Number.isNaN(position)) return -1;
    const count = at(grid.cells, k);
    cell = cell * count + Math.min(count - 1, Math.max(0, Math.floor(position)));
  }
  return cell;
}

// Where a value lies along a dimension, in cells.
function fraction(grid: Grid, k: number, value: number): number {
  const lower = at(grid.lower, k);
  return ((value - lower) / (at(grid.upper, k) - lower)) * at(grid.cells, k);
}

export function makeLayout(grid: Grid): Layout {
  const cells = cellCount(grid);
  const xs = grid.cells.filter((_, k) => k % 2 === 0);
  const ys = grid.cells.filter((_, k) => k % 2 === 1);
  if (ys.length < xs.length) ys.push(1); // blocks stand apart along y too
  const left = starts(xs);
  const bottom = starts(ys);
  const columns = left.length;
  const rows = bottom.length;
  const column = new Int32Array(cells);
  const row = new Int32Array(cells);
  const there = new Int32Array(cells);
  for (let cell = 0; cell < cells; ++cell) {
    let x = 0;
    let y = 0;
    coordinates(grid, cell).forEach((i, k) => {
      if (k % 2 === 0) x = x * at(grid.cells, k) + i;
      else y = y * at(grid.cells, k) + i;
    });
    column[cell] = x;
    row[cell] = y;
    there[y * columns + x] = cell;
  }
  const width = at(left, columns - 1) + 1;
  const height = at(bottom, rows - 1) + 1;
  return { columns, rows, width, height, nested: grid.cells.length > 2, column, row, at: there, left, bottom };
}

// Where each column (or row) starts: blocks of the same dimension stand apart, the outer ones farther.
function starts(counts: number[]): Float64Array {
  const total = counts.reduce((product, count) => product * count, 1);
  const result = new Float64Array(total);
  let position = 0;
  for (let i = 0; i < total; ++i) {
    let block = 1;
    if (i > 0) {
      for (let k = counts.length - 1; k > 0; --k) {
        block *= at(counts, k);
        if (i % block === 0) position += gapOfBlocks;
      }
    }
    result[i] = position;
    position += 1;
  }
  return result;
}

// The drawn place of a descriptor, in cells. Inner dimensions place it inside its cell's block.
export function place(grid: Grid, layout: Layout, measures: ArrayLike<number>): { x: number; y: number } {
  const m = grid.cells.length;
  if (m <= 2) {
    return { x: fraction(grid, 0, at(measures, 0)), y: m === 2 ? fraction(grid, 1, at(measures, 1)) : 0.5 };
  }
  const cell = cellOf(grid, measures);
  if (cell < 0) return { x: Number.NaN, y: Number.NaN };
  // the innermost dimension of each axis keeps its fraction; what is outside the grid stays at the border
  const x = Math.floor((m - 1) / 2) * 2;
  const y = Math.floor((m - 2) / 2) * 2 + 1;
  const inside = coordinates(grid, cell);
  const part = (k: number) => Math.min(1, Math.max(0, fraction(grid, k, at(measures, k)) - at(inside, k)));
  return {
    x: at(layout.left, at(layout.column, cell)) + part(x),
    y: at(layout.bottom, at(layout.row, cell)) + part(y),
  };
}

// Values of the outermost dimension of an axis, and where they are drawn.
export function axisPlace(grid: Grid, layout: Layout, axis: 0 | 1, value: number): number {
  const starts = axis === 0 ? layout.left : layout.bottom;
  const block = starts.length / at(grid.cells, axis);
  const position = fraction(grid, axis, value);
  const i = Math.min(at(grid.cells, axis) - 1, Math.max(0, Math.floor(position + 1e-9)));
  const start = at(starts, i * block);
  return start + (position - i) * (at(starts, (i + 1) * block - 1) + 1 - start);
}

export function at(values: ArrayLike<number>, i: number): number {
  const value = values[i];
  if (value === undefined) throw new RangeError(`no number ${i} among ${values.length}`);
  return value;
}
