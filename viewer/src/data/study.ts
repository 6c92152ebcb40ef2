// Views on a study: groups of metrics, differences to the published values, significance.
import type { Quartiles, StudyAlgorithm, StudyData, StudyTest } from "./format";
import { formatNumber, formatPercent } from "./numbers";

export type Metric = StudyData["metrics"][number];

export interface MetricGroup {
  prefix: string;
  title: string;
  note: string;
  metrics: Metric[];
}

const groupsInOrder: readonly [prefix: string, title: string, note: string][] = [
  ["corrected.", "Really there (corrected)", "what re-evaluation found"],
  ["illusory.", "Believed (illusory)", "what the algorithms say of themselves"],
  ["fixed.corrected.", "Corrected, normalised by the task's fixed range", "compares with other studies"],
  ["fixed.illusory.", "Illusory, normalised by the task's fixed range", "compares with other studies"],
  ["", "Cost and gain", "evaluations and time are the algorithm's own, without the re-evaluation"],
];

// Each metric belongs to the group of its longest prefix.
export function metricGroups(data: StudyData): MetricGroup[] {
  const prefixOf = (key: string) =>
    groupsInOrder.map(([prefix]) => prefix).reduce((a, b) => (key.startsWith(b) && b.length > a.length ? b : a), "");
  return groupsInOrder
    .map(([prefix, title, note]) => ({ prefix, title, note, metrics: data.metrics.filter(({ key }) => prefixOf(key) === prefix) }))
    .filter((group) => group.metrics.length > 0);
}

// Which published figure a metric compares with, if any.
export function publishedValue(algorithm: StudyAlgorithm, metric: string): number | null {
  const published = algorithm.published;
  if (!published || !metric.startsWith("corrected.")) return null;
  const values: Record<string, number> = { ...published };
  return values[metric.slice("corrected.".length)] ?? null;
}

export function hasPublished(data: StudyData, metric: string): boolean {
  return data.algorithms.some((algorithm) => publishedValue(algorithm, metric) !== null);
}

export function quartilesOf(algorithm: StudyAlgorithm, metric: string): Quartiles | null {
  return algorithm.summary[metric] ?? null;
}

// Shares as per cent; the sums of scores with one digit more than the rest.
export function formatMetric(key: string, value: number): string {
  if (isShare(key)) return formatPercent(value, 4);
  return formatNumber(value, Math.abs(value) >= 100 ? 5 : 4);
}

export function formatQuartiles(key: string, { lower, upper }: Quartiles): string {
  const scale = isShare(key) ? 100 : 1;
  const digits = key.endsWith("max_fitness") ? 3 : 4;
  const text = `${formatNumber(scale * lower, digits)} to ${formatNumber(scale * upper, digits)}`;
  return isShare(key) ? `${text} %` : text;
}

export function isShare(key: string): boolean {
  return key.endsWith("coverage") || key === "coverage_gain";
}

export const significanceLevel = 0.05;

export interface Comparison {
  test: StudyTest;
  significant: boolean;
  better: string | null; // name of the algorithm with the better median
}

export interface Pair {
  a: StudyAlgorithm;
  b: StudyAlgorithm;
  byMetric: Map<string, Comparison>;
}

// Pairs in the order of the algorithms, and the metrics that were tested.
export function comparisons(data: StudyData): { pairs: Pair[]; metrics: Metric[] } {
  const pairs: Pair[] = [];
  data.algorithms.forEach((a, i) => {
    for (const b of data.algorithms.slice(i + 1)) {
      const tests = data.tests.filter((t) => (t.a === a.name && t.b === b.name) || (t.a === b.name && t.b === a.name));
      if (tests.length === 0) continue;
      const byMetric = new Map(tests.map((test) => [test.metric, compare(data, a, b, test)]));
      pairs.push({ a, b, byMetric });
    }
  });
  const metrics = data.metrics.filter(({ key }) => data.tests.some((test) => test.metric === key));
  return { pairs, metrics };
}

function compare(data: StudyData, a: StudyAlgorithm, b: StudyAlgorithm, test: StudyTest): Comparison {
  const higher = data.metrics.find(({ key }) => key === test.metric)?.higher_is_better ?? true;
  const difference = (a.summary[test.metric]?.median ?? Number.NaN) - (b.summary[test.metric]?.median ?? Number.NaN);
  const lead = higher ? difference : -difference;
  const better = lead > 0 ? a.name : lead < 0 ? b.name : null;
  return { test, significant: test.p_holm < significanceLevel, better };
}
