// Which differences between algorithms are more than luck: pairs by metrics.
import type { StudyData } from "../data/format";
import { formatNumber, formatP } from "../data/numbers";
import { comparisons, significanceLevel, type Comparison, type Pair } from "../data/study";
import { h } from "../ui/dom";

export function significanceTable(data: StudyData): HTMLElement | null {
  const { pairs, metrics } = comparisons(data);
  if (pairs.length === 0) return null;
  const title = "Significance";
  return h(
    "section",
    { class: "table-section" },
    h("h3", {}, title),
    h(
      "p",
      { class: "explanation" },
      "Wilcoxon rank-sum test of each pair, p-values corrected by Holm–Bonferroni. Shaded and starred: below " +
        `${significanceLevel}, with the better algorithm named. Without a star, the difference may well be chance.`,
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      h(
        "table",
        { class: "significance" },
        h(
          "thead",
          {},
          h("tr", {}, h("th", { scope: "col" }, "Pair"), ...metrics.map(({ label }) => h("th", { scope: "col", class: "number" }, label))),
        ),
        h("tbody", {}, ...pairs.map((pair) => pairRow(pair, metrics.map(({ key }) => key)))),
      ),
    ),
  );
}

function pairRow(pair: Pair, metrics: readonly string[]): HTMLElement {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, `${pair.a.label} – ${pair.b.label}`),
    ...metrics.map((metric) => {
      const comparison = pair.byMetric.get(metric);
      return comparison ? comparisonCell(pair, comparison) : h("td", { class: "number" }, "–");
    }),
  );
}

function comparisonCell({ a, b }: Pair, { test, significant, better }: Comparison): HTMLElement {
  const winner = better === a.name ? a.label : better === b.name ? b.label : null;
  const title = `rank-sum statistic ${formatNumber(test.statistic)}, p ${formatP(test.p)} (${test.method}), corrected ${formatP(test.p_holm)}`;
  return h(
    "td",
    { class: significant ? "number significant" : "number", title },
    significant && winner ? h("small", {}, winner) : null,
    h("span", {}, `${formatP(test.p_holm)}${significant ? " *" : ""}`),
  );
}
