// Tables: on the page, and as CSV.
import { formatNumber } from "../data/numbers";
import { h } from "./dom";

export type Value = string | number | null;

export interface Table {
  caption: string;
  columns: string[];
  rows: Value[][];
}

const mostRows = 5000; // on the page; the CSV has them all

export function tableElement(table: Table, digits = 6): HTMLElement {
  const shown = table.rows.slice(0, mostRows);
  const numeric = table.columns.map((_, k) => shown.some((row) => typeof row[k] === "number"));
  const more = table.rows.length - shown.length;
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": table.caption },
    h(
      "table",
      {},
      h("caption", {}, more > 0 ? `${table.caption} (the first ${mostRows} rows; the CSV has all)` : table.caption),
      h("thead", {}, h("tr", {}, ...table.columns.map((name, k) => h("th", cellClass(numeric[k], "col"), name)))),
      h(
        "tbody",
        {},
        ...shown.map((row) =>
          h(
            "tr",
            {},
            ...row.map((value, k) =>
              k === 0
                ? h("th", cellClass(numeric[k], "row"), cellText(value, digits))
                : h("td", cellClass(numeric[k]), cellText(value, digits)),
            ),
          ),
        ),
      ),
    ),
  );
}

function cellClass(numeric: boolean | undefined, scope?: string): Record<string, string> {
  return { ...(numeric ? { class: "number" } : {}), ...(scope ? { scope } : {}) };
}

function cellText(value: Value, digits: number): string {
  return typeof value === "string" ? value : formatNumber(value, digits);
}

export function toCsv(table: Table): string {
  return [table.columns, ...table.rows].map((row) => row.map(csvValue).join(",") + "\n").join("");
}

function csvValue(value: Value): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(Number(value.toPrecision(9))) : "";
  const text = value ?? "";
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
