import { describe, expect, it } from "vitest";
import { axisPlace, cellBounds, cellCount, cellOf, checkGrid, coordinates, makeLayout, place } from "../../src/data/grid";
import { unitGrid } from "../support/synthetic";

const plane = { cells: [4, 5], lower: [0, -10], upper: [1, 10] };

describe("a grid", () => {
  it("numbers its cells in C order: the last dimension is the fastest", () => {
    expect(cellCount(plane)).toBe(20);
    expect(coordinates(plane, 0)).toEqual([0, 0]);
    expect(coordinates(plane, 1)).toEqual([0, 1]);
    expect(coordinates(plane, 5)).toEqual([1, 0]);
    expect(coordinates(unitGrid(2, 3, 4), 23)).toEqual([1, 2, 3]);
  });

  it("knows the borders of a cell", () => {
    expect(cellBounds(plane, 6)).toEqual([
      { lower: 0.25, upper: 0.5 },
      { lower: -6, upper: -2 },
    ]);
  });

  it("finds the cell of every cell's centre", () => {
    for (const grid of [unitGrid(7), plane, unitGrid(3, 4, 5), unitGrid(2, 3, 2, 3)]) {
      for (let cell = 0; cell < cellCount(grid); ++cell) {
        const centre = cellBounds(grid, cell).map(({ lower, upper }) => (lower + upper) / 2);
        expect(cellOf(grid, centre)).toBe(cell);
      }
    }
  });

  it("counts what is outside for the nearest cell, and what is no number for none", () => {
    expect(cellOf(plane, [-3, 100])).toBe(4);
    expect(cellOf(plane, [1, -10])).toBe(15);
    expect(cellOf(plane, [Number.NaN, 0])).toBe(-1);
  });

  it("that makes no sense is refused", () => {
    expect(() => { checkGrid({ cells: [], lower: [], upper: [] }, "grid"); }).toThrow("grid must give");
    expect(() => { checkGrid({ cells: [2], lower: [0, 1], upper: [1] }, "grid"); }).toThrow("grid must give");
    expect(() => { checkGrid({ cells: [0], lower: [0], upper: [1] }, "grid"); }).toThrow("grid.cells[0] must be at least 1, got 0");
    expect(() => { checkGrid({ cells: [2], lower: [1], upper: [1] }, "grid"); }).toThrow("grid.upper[0] must be above lower");
    expect(() => { checkGrid(unitGrid(2000, 2000), "grid"); }).toThrow("at most 1000000 cells");
  }); // prettier-ignore
});

describe("the layout of a grid", () => {
  it("of one dimension is a strip", () => {
    const layout = makeLayout(unitGrid(5));
    expect([layout.columns, layout.rows, layout.width, layout.height]).toEqual([5, 1, 5, 1]);
  });

  it("of two dimensions has the first along x and the second along y, without gaps", () => {
    const layout = makeLayout(plane);
    expect([layout.columns, layout.rows, layout.width, layout.height]).toEqual([4, 5, 4, 5]);
    expect([layout.column[7], layout.row[7]]).toEqual([1, 2]);
  });

  it("of more nests later dimensions in earlier ones, with gaps between the blocks", () => {
    const layout = makeLayout(unitGrid(2, 3, 4, 2)); // x: 2 blocks of 4, y: 3 blocks of 2
    expect([layout.columns, layout.rows]).toEqual([8, 6]);
    expect([layout.width, layout.height]).toEqual([8.5, 7]);
    const cell = ((1 * 3 + 2) * 4 + 3) * 2 + 1;
    expect([layout.column[cell], layout.row[cell]]).toEqual([1 * 4 + 3, 2 * 2 + 1]);
    expect(layout.left[4]).toBe(4.5);
  });

  it("of three dimensions sets the blocks apart along y too", () => {
    const layout = makeLayout(unitGrid(2, 3, 4));
    expect([layout.columns, layout.rows, layout.width, layout.height]).toEqual([8, 3, 8.5, 4]);
  });

  it("has a place of its own for every cell, and finds it back", () => {
    for (const grid of [unitGrid(7), plane, unitGrid(3, 4, 5), unitGrid(2, 3, 2, 3), unitGrid(2, 2, 2, 2, 2)]) {
      const layout = makeLayout(grid);
      const places = new Set<string>();
      for (let cell = 0; cell < cellCount(grid); ++cell) {
        const [column, row] = [layout.column[cell] ?? -1, layout.row[cell] ?? -1];
        expect(layout.at[row * layout.columns + column]).toBe(cell);
        places.add(`${column},${row}`);
      }
      expect(places.size).toBe(cellCount(grid));
    }
  });

  it("places a descriptor inside its cell", () => {
    for (const grid of [unitGrid(7), plane, unitGrid(3, 4, 5), unitGrid(2, 3, 2, 3)]) {
      const layout = makeLayout(grid);
      for (let cell = 0; cell < cellCount(grid); ++cell) {
        const point = cellBounds(grid, cell).map(({ lower, upper }) => lower + 0.25 * (upper - lower));
        const { x, y } = place(grid, layout, point);
        expect(x - (layout.left[layout.column[cell] ?? -1] ?? -1)).toBeCloseTo(0.25);
        expect(y - (layout.bottom[layout.row[cell] ?? -1] ?? -1)).toBeCloseTo(grid.cells.length === 1 ? 0.5 : 0.25);
      }
    }
  });

  it("puts the ticks of an axis at the outer dimension's values", () => {
    expect(axisPlace(plane, makeLayout(plane), 1, 0)).toBeCloseTo(2.5);
    const nested = unitGrid(2, 3, 4, 2);
    expect(axisPlace(nested, makeLayout(nested), 0, 0.5)).toBeCloseTo(4.5);
    expect(axisPlace(nested, makeLayout(nested), 0, 1)).toBeCloseTo(8.5);
  });
});
