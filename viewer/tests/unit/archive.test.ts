import { describe, expect, it } from "vitest";
import { openArchive, samplesOf } from "../../src/data/archive";
import type { ArchiveData } from "../../src/data/format";
import { landingsOf } from "../../src/data/landing";
import { packI32, packU16 } from "../support/pack";
import { makeRun, unitGrid } from "../support/synthetic";
import { tinyArchive, tinyGrid } from "../support/tiny";

function withReal(change: Partial<NonNullable<ArchiveData["real"]>>): ArchiveData {
  const data = tinyArchive();
  if (!data.real) throw new Error("no real");
  return { ...data, real: { ...data.real, ...change } };
}

describe("an archive", () => {
  it("is unpacked, row by row", () => {
    const archive = openArchive(tinyArchive(), tinyGrid, "a");
    expect([...(archive.believed?.cell ?? [])]).toEqual([0, 1, 3]);
    expect([...(archive.real?.cell ?? [])]).toEqual([1, 1, -1]);
    expect([...(archive.real?.kept ?? [])]).toEqual([1]);
  });

  it("keeps its samples, without those that failed", () => {
    const archive = openArchive(tinyArchive(), tinyGrid, "a");
    const samples = samplesOf(archive, 0).map((sample) => [...sample]);
    expect(samples).toHaveLength(2);
    expect(samples[0]?.[0]).toBeCloseTo(0.25, 4);
    expect(samples[0]?.[1]).toBeCloseTo(0.75, 4);
    expect(samplesOf(archive, 2)).toEqual([]);
  });

  it("may come without beliefs, re-evaluations or samples", () => {
    const bare = openArchive({ ...tinyArchive(), believed: null, real: null }, tinyGrid, "a");
    expect([bare.believed, bare.real]).toEqual([null, null]);
    expect(samplesOf(openArchive(withReal({ samples: null }), tinyGrid, "a"), 0)).toEqual([]);
  });

  it("may be empty", () => {
    const [data] = makeRun({ cells: [2, 2] }).archives;
    if (!data?.believed) throw new Error("no believed");
    const empty = openArchive({ ...data, size: 0, believed: { cell: "", fitness: "", measures: "" }, real: null }, unitGrid(2, 2), "a");
    expect(empty.believed?.cell).toHaveLength(0);
  });

  it("that is damaged is refused by the name of what is wrong", () => {
    const open = (data: ArchiveData) => () => openArchive(data, tinyGrid, "archives[0]");
    expect(open({ ...tinyArchive(), size: 4 })).toThrow("archives[0].believed.cell must hold 4 numbers, got 3");
    expect(open({ ...tinyArchive(), size: -1 })).toThrow("archives[0].size must be a whole number, got -1");
    expect(open(withReal({ kept: packI32([3]) }))).toThrow("archives[0].real.kept[0] must be in 0 .. 2, got 3");
    expect(open(withReal({ kept: packI32([2]) }))).toThrow("archives[0].real.kept must name solutions with a cell, got row 2");
    expect(open(withReal({ cell: packI32([4, 0, 0]) }))).toThrow("archives[0].real.cell[0] must be in -1 .. 3, got 4");
    const samples = { count: 1, lower: [0], upper: [1], values: packU16([]) };
    expect(open(withReal({ samples }))).toThrow("archives[0].real.samples.lower and upper must have 2 numbers");
  });
});

describe("landings", () => {
  it("say who stays, who leaves, who fails", () => {
    const landings = landingsOf(openArchive(tinyArchive(), tinyGrid, "a"));
    expect([landings?.stay, landings?.leave, landings?.failed]).toEqual([1, 1, 1]);
    expect(landings?.arrows.map(({ cell, realCell, stays }) => [cell, realCell, stays])).toEqual([
      [0, 1, false],
      [1, 1, true],
    ]);
  });

  it("need both sides", () => {
    expect(landingsOf(openArchive({ ...tinyArchive(), believed: null }, tinyGrid, "a"))).toBeNull();
    expect(landingsOf(openArchive({ ...tinyArchive(), real: null }, tinyGrid, "a"))).toBeNull();
  });
});
