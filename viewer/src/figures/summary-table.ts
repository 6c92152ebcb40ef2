// The scores of a run: what was believed beside what is real, before beside after.
import type { Archive } from "../data/archive";
import type { Scores } from "../data/format";
import { formatDifference, formatNumber, formatPercent } from "../data/numbers";
import { h } from "../ui/dom";

interface Row {
  label: string;
  note: string;
  value: (scores: Scores) => number | null | undefined;
  text: (scores: Scores) => string;
  change: (difference: number) => string;
}

const plain = (value: (scores: Scores) => number | null | undefined) => ({
  value,
  text: (scores: Scores) => formatNumber(value(scores), 5),
  change: (difference: number) => formatDifference(difference, 4),
});

export const scoreRows: readonly Row[] = [
  { label: "Cells filled", note: "cells with an elite", ...plain((s) => s.cells) },
  {
    label: "Coverage",
    note: "share of all cells",
    value: (s) => s.coverage,
    text: (s) => formatPercent(s.coverage, 4),
    change: (difference) => `${formatDifference(100 * difference, 3)} points`,
  },
  { label: "QD-Score", note: "sum of normalised fitness", ...plain((s) => s.qd_score) },
  { label: "Maximum fitness", note: "best elite", ...plain((s) => s.max_fitness) },
  {
    label: "P-Score",
    note: "sum of the probabilities of staying",
    ...plain((s) => s.p_score),
    text: (s) =>
      formatNumber(s.p_score, 5) + (s.p_score_margin === undefined ? "" : ` ± ${formatNumber(s.p_score_margin, 2)}`),
  },
  { label: "V-Score", note: "sum of normalised negative variance", ...plain((s) => s.v_score) },
];

export function summaryTable(archives: readonly Archive[], range: readonly [number, number]): HTMLElement {
  const before = archives.find(({ role }) => role === "initial")?.scores.corrected ?? null;
  const after = archives.find(({ role }) => role === "result")?.scores.corrected ?? null;
  const compared = before && after ? { before, after } : null;
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col", rowspan: 2 }, "Score"),
      ...archives.map(({ label }) => h("th", { scope: "colgroup", colspan: 2, class: "group" }, label)),
      compared ? h("th", { scope: "col", rowspan: 2, class: "number" }, "real change") : null,
    ),
    h(
      "tr",
      {},
      ...archives.flatMap(() => [
        h("th", { scope: "col", class: "number" }, "believed"),
        h("th", { scope: "col", class: "number" }, "real"),
      ]),
    ),
  );
  const body = scoreRows.map(({ label, note, value, text, change }) => {
    const cells = archives.flatMap(({ scores }) => [
      h("td", { class: "number believed" }, scores.illusory ? text(scores.illusory) : "–"),
      h("td", { class: "number" }, scores.corrected ? text(scores.corrected) : "–"),
    ]);
    const from = compared ? value(compared.before) : null;
    const to = compared ? value(compared.after) : null;
    const known = typeof from === "number" && typeof to === "number";
    if (compared) cells.push(h("td", { class: "number" }, known ? change(to - from) : "–"));
    return h("tr", {}, h("th", { scope: "row" }, label, h("small", {}, note)), ...cells);
  });
  return h(
    "section",
    { class: "table-section" },
    h("h3", {}, "Scores"),
    h(
      "p",
      { class: "explanation" },
      "Believed figures are the algorithm's own, from the evaluations it was lucky in; real figures come from evaluating " +
        "every solution again. ± is the 95 % margin that the re-evaluations leave. The QD-Score normalises the fitness by " +
        `the range ${formatNumber(range[0])} to ${formatNumber(range[1])}.`,
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores" },
      h("table", { class: "scores" }, head, h("tbody", {}, ...body)),
    ),
  );
}
