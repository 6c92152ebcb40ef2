// Names and values, one below the other.
import { h } from "./dom";

export interface Definition {
  label: string;
  value: string;
}

export function definitionList(entries: readonly Definition[]): HTMLElement {
  return h(
    "dl",
    {},
    ...entries.map(({ label, value }) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
  );
}
