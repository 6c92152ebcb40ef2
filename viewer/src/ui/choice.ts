// A choice of one among a few (radio buttons drawn as tabs) or among many (a list).
import { h, uniqueId } from "./dom";

export interface Option<T extends string> {
  value: T;
  label: string;
}

export function radioChoice<T extends string>(
  legend: string,
  options: readonly Option<T>[],
  chosen: T,
  change: (value: T) => void,
): HTMLElement {
  const name = uniqueId("choice");
  return h(
    "fieldset",
    { class: "radios" },
    h("legend", {}, legend),
    ...options.map(({ value, label }) => {
      const input = h("input", { type: "radio", name, value, checked: value === chosen });
      input.addEventListener("change", () => {
        change(value);
      });
      return h("label", {}, input, h("span", {}, label));
    }),
  );
}

export function listChoice<T extends string>(
  label: string,
  options: readonly Option<T>[],
  chosen: T,
  change: (value: T) => void,
): HTMLElement {
  const select = h(
    "select",
    {},
    ...options.map(({ value, label: text }) => h("option", { value, selected: value === chosen }, text)),
  );
  select.addEventListener("change", () => {
    change(select.value as T);
  });
  return h("label", { class: "list" }, h("span", {}, label), select);
}
