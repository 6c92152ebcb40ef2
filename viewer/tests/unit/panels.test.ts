import { describe, expect, it } from "vitest";
import { openArchive } from "../../src/data/archive";
import { cellFigures, cellName, cellRanges } from "../../src/data/cell-figures";
import { cloudWindow } from "../../src/data/cloud";
import { makeLayout } from "../../src/data/grid";
import { believedPanel, chanceOfStaying, correctedPanel, domainOf, tellingCell, valueAt, type Panel } from "../../src/data/panels";
import { openRun } from "../../src/data/run";
import { makeRun, unitGrid } from "../support/synthetic";
import { tinyArchive, tinyGrid } from "../support/tiny";

function panels(data = tinyArchive()): { believed: Panel; corrected: Panel } {
  const archive = openArchive(data, tinyGrid, "a");
  const believed = believedPanel(archive, tinyGrid, makeLayout(tinyGrid));
  const corrected = correctedPanel(archive, tinyGrid, makeLayout(tinyGrid));
  if (!believed || !corrected) throw new Error("a panel is missing");
  return { believed, corrected };
}

describe("a panel", () => {
  it("has the believed elites in the cells where they were filed", () => {
    const { believed } = panels();
    expect([...believed.rowAt]).toEqual([0, 1, -1, 2]);
    expect(believed.filled).toBe(3);
    expect(valueAt(believed, "fitness", 0)).toBe(-0.5);
    expect(valueAt(believed, "spread", 0)).toBe(0.0625);
    expect(valueAt(believed, "fitness", 2)).toBeNaN();
  });

  it("has the kept elites in the cells where they really are", () => {
    const { corrected } = panels();
    expect([...corrected.rowAt]).toEqual([-1, 1, -1, -1]);
    expect(corrected.filled).toBe(1);
    expect(valueAt(corrected, "fitness", 1)).toBe(-0.75);
    expect(valueAt(corrected, "probability", 1)).toBe(0.75);
  });

  it("keeps the best where several solutions were filed under one cell", () => {
    const data = tinyArchive();
    const same = { ...data, believed: data.believed && { ...data.believed, cell: "AQAAAAEAAAABAAAA" } }; // 1, 1, 1
    expect([...panels(same).believed.rowAt]).toEqual([-1, 2, -1, -1]);
  });

  it("estimates the chance of staying in a believed cell from the samples", () => {
    const { believed } = panels();
    // solution 0: of four samples, two failed, one is in cell 0, one in cell 1
    expect(chanceOfStaying(believed, 0)).toMatchObject({ probability: 0.25, evaluations: 4 });
    expect(chanceOfStaying(believed, 0).lower).toBeNaN();
    // solution 1 is where it was believed to be: the stored probability, with its interval
    expect(chanceOfStaying(believed, 1)).toEqual({ probability: 0.75, lower: 0.625, upper: 0.875, evaluations: 64 });
    expect(chanceOfStaying(believed, 2).probability).toBeNaN();
  });

  it("does not know that chance without samples", () => {
    const data = tinyArchive();
    const { believed } = panels({ ...data, real: data.real && { ...data.real, samples: null } });
    expect(chanceOfStaying(believed, 0).probability).toBeNaN();
  });
});

describe("the scale shared by panels", () => {
  it("spans all values of all panels", () => {
    const { believed, corrected } = panels();
    expect(domainOf([believed, corrected], "fitness")).toEqual([-0.75, 0]);
    expect(domainOf([believed, corrected], "probability")).toEqual([0, 1]);
    expect(domainOf([believed, corrected], "spread")).toEqual([0, 0.0625]);
  });

  it("is never empty", () => {
    expect(domainOf([], "fitness")).toEqual([0, 1]);
    const [lower, upper] = domainOf([panels().corrected], "fitness");
    expect(lower).toBeLessThan(upper);
  });
});

describe("the cell shown first", () => {
  it("is one whose elite leaves it", () => {
    const { panels: all } = openRun(makeRun({ cells: [8, 8] }));
    const cell = tellingCell(all);
    const first = all[0];
    const row = first?.rowAt[cell] ?? -1;
    expect(row).toBeGreaterThanOrEqual(0);
    expect(first?.archive.real?.cell[row]).not.toBe(cell);
  });

  it("is filled, where no elite leaves, and exists, where nothing is filled", () => {
    expect(tellingCell([panels().corrected])).toBe(1);
    expect(tellingCell([])).toBe(0);
  });
});

describe("the figures of a cell", () => {
  it("say what was believed and what is real", () => {
    const { believed } = panels();
    expect(Object.fromEntries(cellFigures(believed, 0).map(({ label, value }) => [label, value]))).toEqual({
      "fitness, believed": "−0.5",
      "fitness, real": "−1 ± 0.13",
      "stays in this cell": "0.25 (1 of 4)",
      "descriptor spread": "0.0625",
      "believed at": "(0.25, 0.375)",
      "really at (mean)": "(0.25, 0.625)",
      "lands in": "cell 0, 1",
    });
  });

  it("of a corrected map say where the elite was believed to be", () => {
    expect(Object.fromEntries(cellFigures(panels().corrected, 1).map(({ label, value }) => [label, value]))).toEqual({
      "fitness, real": "−0.75 ± 0.13",
      "stays in this cell": "0.75 (0.625–0.875)",
      "descriptor spread": "0.03125",
      "really at (mean)": "(0.25, 0.875)",
      "was believed in": "this cell",
    });
  });

  it("say when it is empty, or failed every time", () => {
    expect(cellFigures(panels().believed, 2)).toEqual([{ label: "empty", value: "no elite here" }]);
    expect(cellFigures(panels().believed, 3)).toContainEqual({ label: "re-evaluated", value: "failed every time" });
  });

  it("name the cell and its ranges", () => {
    expect(cellName(tinyGrid, 1)).toBe("cell 0, 1");
    expect(cellRanges(tinyGrid, 1, ["x", "y"])).toBe("x 0 to 0.5, y 0.5 to 1");
  });
});

describe("the window of a cloud", () => {
  it("holds the cell and every dot, and is as wide as high in cells", () => {
    const grid = unitGrid(10, 10);
    const samples = [Float32Array.of(0.55, 0.55), Float32Array.of(0.95, 0.55)];
    const cloud = { samples, inside: [true, false], believed: null, mean: null, spread: 0.1 };
    const window = cloudWindow(grid, 55, [cloud, null]);
    const [x, y] = window;
    if (!x || !y) throw new Error("two dimensions were asked for");
    expect(x.upper - x.lower).toBeCloseTo(y.upper - y.lower);
    expect(x.lower).toBeLessThan(5);
    expect(x.upper).toBeGreaterThan(9.5);
    expect(y.lower).toBeLessThan(5);
    expect(y.upper).toBeGreaterThan(6);
  });
});
