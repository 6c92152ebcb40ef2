// The table of a study: median and quartiles per algorithm, beside the published value and the difference to it.
import type { StudyAlgorithm, StudyData } from "../data/format";
import { formatDifference, formatNumber } from "../data/numbers";
import { hasPublished, metricGroups, publishedValue, quartilesOf, type Metric, type MetricGroup } from "../data/study";
import { h } from "../ui/dom";

export function studyTables(data: StudyData): HTMLElement {
  const groups = metricGroups(data);
  return h(
    "section",
    { class: "table-section" },
    h("h3", {}, "Results"),
    h(
      "p",
      { class: "explanation" },
      `Median of ${data.replications} replications, quartiles in brackets. Corrected figures come from evaluating every ` +
        `solution ${formatNumber(data.reevaluations)} times more; QD- and V-Score are normalised by the range over all ` +
        `corrected archives of the study (fitness ${range(data.ranges.fitness)}, negative variance ` +
        `${range(data.ranges.negative_variance)}).`,
    ),
    ...groups.slice(0, 2).map((group) => groupTable(data, group)),
    ...groups.slice(2).map((group) => h("details", { open: !group.title.includes("fixed") }, h("summary", {}, group.title), groupTable(data, group))),
  );
}

function range([lower, upper]: readonly [number, number]): string {
  return `${formatNumber(lower, 3)} to ${formatNumber(upper, 3)}`;
}

function groupTable(data: StudyData, { title, note, metrics }: MetricGroup): HTMLElement {
  const compared = new Set(metrics.filter(({ key }) => hasPublished(data, key)).map(({ key }) => key));
  const best = new Map(metrics.map((metric) => [metric.key, bestOf(data, metric)]));
  const head = metrics.map(({ key, label }) =>
    h("th", { scope: "colgroup", colspan: compared.has(key) ? 3 : 1, class: "group" }, shortLabel(label, title)),
  );
  const parts = metrics.flatMap(({ key }) =>
    ["median", ...(compared.has(key) ? ["published", "difference"] : [])].map((word) =>
      h("th", { scope: "col", class: "number" }, word),
    ),
  );
  const body = data.algorithms.map((algorithm) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, algorithm.label),
      ...metrics.flatMap(({ key }) => metricCells(algorithm, key, compared.has(key), best.get(key) === algorithm.name)),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    h(
      "table",
      { class: "study" },
      h("caption", {}, h("strong", {}, title), `: ${note}`),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col", rowspan: compared.size > 0 ? 2 : 1 }, "Algorithm"), ...head),
        compared.size > 0 ? h("tr", {}, ...parts) : null,
      ),
      h("tbody", {}, ...body),
    ),
  );
}

// "QD-Score (corrected)" needs no "(corrected)" below a heading that says so.
function shortLabel(label: string, title: string): string {
  const word = /\((\w+)\)\s*$/.exec(label)?.[1];
  return word && title.toLowerCase().includes(word.toLowerCase()) ? label.replace(/\s*\(\w+\)\s*$/, "") : label;
}

function metricCells(algorithm: StudyAlgorithm, key: string, compared: boolean, best: boolean): HTMLElement[] {
  const quartiles = quartilesOf(algorithm, key);
  const published = publishedValue(algorithm, key);
  const own = quartiles
    ? h(
        "td",
        { class: best ? "number best" : "number", "data-metric": key },
        h("span", {}, formatNumber(quartiles.median, 5)),
        h("small", {}, `[${formatNumber(quartiles.lower, 4)}, ${formatNumber(quartiles.upper, 4)}]`),
      )
    : h("td", { class: "number" }, "–");
  if (!compared) return [own];
  const difference = published === null || !quartiles ? null : quartiles.median - published;
  return [
    own,
    h("td", { class: "number published" }, formatNumber(published, 5)),
    h("td", { class: "number difference" }, formatDifference(difference, 3)),
  ];
}

function bestOf(data: StudyData, { key, higher_is_better }: Metric): string | null {
  let best: { name: string; value: number } | null = null;
  for (const algorithm of data.algorithms) {
    const median = quartilesOf(algorithm, key)?.median;
    if (median === undefined || !Number.isFinite(median)) continue;
    const value = higher_is_better ? median : -median;
    if (!best || value > best.value) best = { name: algorithm.name, value };
  }
  return best?.name ?? null;
}
