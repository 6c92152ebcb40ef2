import { describe, expect, it } from "vitest";
import { columnLabel, learningCurves, progressOf } from "../../src/data/progress";
import { readReport } from "../../src/data/report";
import { openRun } from "../../src/data/run";
import { toCsv } from "../../src/ui/table";
import { makeReport, makeRun, makeStudy, withLearners } from "../support/synthetic";

describe("a report", () => {
  it("is read back as it was written", () => {
    const report = makeReport(makeRun({ cells: [4] }));
    expect(readReport(JSON.stringify(report))).toEqual(report);
  });

  it("that was never filled says so", () => {
    expect(() => readReport("__" + "ARIA_REPORT__")).toThrow("this is the empty template");
  });

  it("that is damaged says what is wrong", () => {
    expect(() => readReport("{")).toThrow("the data of this page must be JSON");
    expect(() => readReport("[]")).toThrow("must be a JSON object");
    expect(() => readReport('{"format": 2}')).toThrow("format must be 1, got 2");
    expect(() => readReport('{"format": 1, "items": []}')).toThrow("items must be a list that is not empty");
    expect(() => readReport('{"format": 1, "items": [{"kind": "cat"}]}')).toThrow(
      'items[0].kind must be run, archive or study, got "cat"',
    );
  });
});

describe("a run", () => {
  it("has a believed and a corrected panel per archive, in order", () => {
    const { panels } = openRun(makeRun({ cells: [4, 4] }));
    expect(panels.map(({ title, state }) => [title, state])).toEqual([
      ["MAP-Elites archive", "believed"],
      ["MAP-Elites archive", "corrected"],
      ["ARIA's archive", "believed"],
      ["ARIA's archive", "corrected"],
    ]);
  });

  it("needs a name for each measure", () => {
    expect(() => openRun({ ...makeRun({ cells: [4, 4] }), measure_names: ["x"] })).toThrow("measure_names must have 2 names, got 1");
  });
});

describe("progress", () => {
  it("gives a curve per numeric column and the phases", () => {
    const progress = progressOf({
      columns: ["evaluations", "phase", "cells", "best_fitness"],
      rows: [
        [10, "start", 1, null],
        [20, "start", 2, -1],
        [30, "end", 3, -0.5],
      ],
    });
    expect(progress?.curves.map(({ name, points }) => [name, points.length])).toEqual([
      ["cells", 3],
      ["best_fitness", 2],
    ]);
    expect(progress?.phases).toEqual([
      { name: "start", from: 10 },
      { name: "end", from: 30 },
    ]);
    expect(columnLabel("best_fitness")).toBe("Best fitness (believed)");
    expect(columnLabel("mean_speed")).toBe("Mean speed");
  });

  it("may be missing or empty", () => {
    expect(progressOf(null)).toBeNull();
    expect(progressOf({ columns: ["evaluations", "cells"], rows: [] })).toBeNull();
    expect(progressOf({ columns: ["cells"], rows: [[1]] })).toBeNull();
  });
});

describe("learning curves of a study", () => {
  const study = makeStudy();

  it("are those of the algorithms that learn, each while it does", () => {
    const lines = (points: object[]) => [
      { algorithm: 1, label: "ARIA-ES", points },
      { algorithm: 4, label: "ME-Sa-R", points },
    ];
    expect(learningCurves(withLearners(study, [1, 4]))).toEqual([
      { name: "critic_loss", lines: lines([{ evaluations: 10, value: 0.5 }, { evaluations: 20, value: 0.25 }]) },
      { name: "greedy_return", lines: lines([{ evaluations: 20, value: 7 }]) },
    ]); // prettier-ignore
  });

  it("are none where nobody learns", () => {
    expect(learningCurves(study)).toEqual([]);
  });
});

describe("a table as CSV", () => {
  it("quotes what needs quotes and leaves out what is missing", () => {
    const rows = [['say "a", b', 0.1, null], ["plain", Number.NaN, Math.fround(0.1)]];
    expect(toCsv({ caption: "", columns: ["name", "x", "y"], rows })).toBe(
      'name,x,y\n"say ""a"", b",0.1,\nplain,,0.100000001\n',
    );
  });
});
