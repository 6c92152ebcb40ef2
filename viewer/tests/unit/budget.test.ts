import { describe, expect, it } from "vitest";
import { budgetCurves, sweptMetrics } from "../../src/data/budget";
import type { StudyData } from "../../src/data/format";
import { makeStudy } from "../support/synthetic";

const [qd, , coverage] = sweptMetrics;
const { data: plain } = makeStudy();

// The first two algorithms taken for one at two budgets, of which the first costs more.
function swept(): StudyData {
  const data = structuredClone(plain);
  const cost = (i: number, evaluations: number) => {
    const summary = data.algorithms[i]?.summary;
    if (!summary) throw new Error("an algorithm is missing");
    summary.evaluations = { median: evaluations, lower: evaluations, upper: evaluations };
    summary.seconds = { median: i === 0 ? 2 : 0, lower: 0, upper: 2 };
  };
  cost(0, 4000);
  cost(1, 1000);
  data.sweep = {
    curves: [{ name: "aria-me", label: "ARIA-ME", points: [{ algorithm: 0, share: 1 }, { algorithm: 1, share: 0.25 }] }],
    published: [{ name: "aria-me", evaluations: 4.28e8, seconds: null, qd_score: 722.41, p_score: 653.37 }],
  }; // prettier-ignore
  return data;
}

describe("a budget sweep", () => {
  it("has a curve per algorithm, cheapest first, and the published point where there is one", () => {
    const [curve] = budgetCurves(swept(), qd, "evaluations");
    expect(curve?.points.map(({ share, cost }) => [share, cost])).toEqual([
      [0.25, 1000],
      [1, 4000],
    ]);
    expect(curve?.published).toEqual({ cost: 4.28e8, value: 722.41 });
  });

  it("leaves out what was not published and what has no place on a logarithmic axis", () => {
    expect(budgetCurves(swept(), coverage, "evaluations")[0]?.published).toBeNull();
    const [byTime] = budgetCurves(swept(), qd, "seconds");
    expect(byTime?.published).toBeNull();
    expect(byTime?.points.map(({ share }) => share)).toEqual([1]);
  });

  it("is nothing for a study of one budget", () => {
    expect(budgetCurves(plain, qd, "evaluations")).toEqual([]);
  });
});
