// The table of a study: median and quartiles per algorithm, beside the published value and the difference to it.
import type { StudyAlgorithm, StudyData } from "../data/format";
import { formatDifference, formatNumber } from "../data/numbers";
import { formatMetric, formatQuartiles, hasPublished, metricGroups, publishedValue, quartilesOf, type Metric, type MetricGroup } from "../data/study";
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
      `Median of ${data.replications} replications, with the quartiles below it; beside it the published median, where ` +
        "there is one, and the difference to it. Bold: the best. Corrected figures come from evaluating every " +
        `solution ${formatNumber(data.reevaluations)} times more; QD- and V-Score are normalised by the range over all ` +
        `corrected archives of the study (fitness ${range(data.ranges.fitness)}, negative variance ` +
        `${range(data.ranges.negative_variance)}).`,
    ),
    ...groups.map((group) =>
      group.prefix.startsWith("fixed.")
        ? h("details", {}, h("summary", {}, group.title), groupTable(data, group))
        : groupTable(data, group),
    ),
  );
}

function range([lower, upper]: readonly [number, number]): string {
  return `${formatNumber(lower, 3)} to ${formatNumber(upper, 3)}`;
}

function groupTable(data: StudyData, { prefix, title, note, metrics }: MetricGroup): HTMLElement {
  const compared = new Set(metrics.filter(({ key }) => hasPublished(data, key)).map(({ key }) => key));
  const best = new Map(metrics.map((metric) => [metric.key, bestOf(data, metric)]));
  const twoRows = compared.size > 0;
  const head = metrics.map(({ key, label }) =>
    compared.has(key)
      ? h("th", { scope: "colgroup", colspan: 2, class: "group" }, shortLabel(label, prefix))
      : h("th", { scope: "col", rowspan: twoRows ? 2 : 1, class: "number" }, shortLabel(label, prefix)),
  );
  const parts = [...compared].flatMap(() =>
    ["median", "published"].map((word) => h("th", { scope: "col", class: "number" }, word)),
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
        h("tr", {}, h("th", { scope: "col", rowspan: twoRows ? 2 : 1 }, "Algorithm"), ...head),
        twoRows ? h("tr", {}, ...parts) : null,
      ),
      h("tbody", {}, ...body),
    ),
  );
}

// "QD-Score, believed" needs no ", believed" below a heading that says so.
function shortLabel(label: string, prefix: string): string {
  return prefix === "" ? label : (label.split(",")[0] ?? label);
}

function metricCells(algorithm: StudyAlgorithm, key: string, compared: boolean, best: boolean): HTMLElement[] {
  const quartiles = quartilesOf(algorithm, key);
  const published = publishedValue(algorithm, key);
  const own = quartiles
    ? h(
        "td",
        { class: best ? "number best" : "number", "data-metric": key },
        h("span", {}, formatMetric(key, quartiles.median)),
        h("small", {}, formatQuartiles(key, quartiles)),
      )
    : h("td", { class: "number" }, "–");
  if (!compared) return [own];
  if (published === null || !quartiles) return [own, h("td", { class: "number published" }, "–")];
  const difference = formatDifference(quartiles.median - published, 3);
  return [
    own,
    h("td", { class: "number published" }, h("span", {}, formatNumber(published, 5)), h("small", {}, difference)),
  ];
}

// Null where several share the best median.
function bestOf(data: StudyData, { key, higher_is_better }: Metric): string | null {
  let best: { name: string | null; value: number } | null = null;
  for (const algorithm of data.algorithms) {
    const median = quartilesOf(algorithm, key)?.median;
    if (median === undefined || !Number.isFinite(median)) continue;
    const value = higher_is_better ? median : -median;
    if (!best || value > best.value) best = { name: algorithm.name, value };
    else if (value === best.value) best = { name: null, value };
  }
  return best?.name ?? null;
}
