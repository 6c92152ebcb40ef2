// The head of a view: what it is, and the facts of it.
import { formatCount } from "../data/numbers";
import { h } from "../ui/dom";

export function header(kind: string, name: string, entries: readonly [string, string][]): HTMLElement {
  return h(
    "header",
    {},
    h("p", { class: "kind" }, kind),
    h("h2", {}, name),
    h(
      "dl",
      { class: "facts" },
      ...entries.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
    ),
  );
}

// Those that are known.
export function facts(entries: readonly [string, string | number | null][]): [string, string][] {
  return entries.flatMap(([label, value]) =>
    value === null ? [] : [[label, typeof value === "number" ? formatCount(value) : value] as [string, string]],
  );
}
