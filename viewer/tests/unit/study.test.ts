import { describe, expect, it } from "vitest";
import { comparisons, formatMetric, formatQuartiles, hasPublished, metricGroups, publishedValue } from "../../src/data/study";
import { makeStudy } from "../support/synthetic";

const { data } = makeStudy();

describe("a study", () => {
  it("groups its metrics by what they are about, each in one group", () => {
    const groups = metricGroups(data);
    expect(groups.map(({ prefix, metrics }) => [prefix, metrics.length])).toEqual([
      ["corrected.", 6],
      ["illusory.", 4],
      ["fixed.corrected.", 2],
      ["fixed.illusory.", 1],
      ["", 3],
    ]);
    expect(groups.flatMap(({ metrics }) => metrics)).toHaveLength(data.metrics.length);
  });

  it("compares only corrected scores with published ones", () => {
    const [first] = data.algorithms;
    const last = data.algorithms.find(({ published }) => published === null);
    if (!first || !last) throw new Error("algorithms are missing");
    expect(publishedValue(first, "corrected.p_score")).toBe(653.37);
    expect(publishedValue(first, "corrected.coverage")).toBeNull();
    expect(publishedValue(first, "illusory.qd_score")).toBeNull();
    expect(publishedValue(first, "fixed.corrected.qd_score")).toBeNull();
    expect(publishedValue(last, "corrected.p_score")).toBeNull();
    expect(hasPublished(data, "corrected.v_score")).toBe(true);
    expect(hasPublished(data, "seconds")).toBe(false);
  });

  it("lists every pair once, with the tests of each metric", () => {
    const { pairs, metrics } = comparisons(data);
    expect(pairs).toHaveLength(21);
    expect(metrics.map(({ key }) => key)).toContain("corrected.p_score");
    expect(pairs.every(({ byMetric }) => byMetric.size === metrics.length)).toBe(true);
  });

  it("says which algorithm is better, also where less is better", () => {
    const test = { metric: "seconds", a: "map-elites", b: "aria-me", statistic: 1, p: 0.01, p_holm: 0.02, method: "exact" as const };
    const [pair] = comparisons({ ...data, tests: [test] }).pairs;
    expect(pair?.byMetric.get("seconds")).toMatchObject({ significant: true, better: "map-elites" });
    const weak = comparisons({ ...data, tests: [{ ...test, metric: "corrected.p_score", p_holm: 0.05 }] }).pairs[0];
    expect(weak?.byMetric.get("corrected.p_score")).toMatchObject({ significant: false, better: "aria-me" });
  });

  it("writes shares as per cent", () => {
    expect(formatMetric("corrected.coverage", 0.83594)).toBe("83.59 %");
    expect(formatMetric("coverage_gain", 0.5)).toBe("50 %");
    expect(formatMetric("corrected.p_score", 653.374)).toBe("653.37");
    expect(formatQuartiles("illusory.coverage", { median: 0.5, lower: 0.25, upper: 0.75 })).toBe("25 to 75 %");
    expect(formatQuartiles("corrected.p_score", { median: 2, lower: 1.5, upper: 2.5 })).toBe("1.5 to 2.5");
  });
});
