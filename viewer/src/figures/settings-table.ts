// Every setting of a run, enough to repeat it.
import type { RunItem } from "../data/format";
import { h } from "../ui/dom";

export function settingsTable({ settings }: RunItem): HTMLElement | null {
  if (settings.length === 0) return null;
  return h(
    "section",
    { class: "table-section" },
    h("h3", {}, "Settings"),
    h("p", { class: "explanation" }, "With these the program repeats the run, to the byte."),
    h(
      "div",
      { class: "scroll settings", tabindex: 0, role: "region", "aria-label": "Settings" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "setting"), h("th", { scope: "col" }, "value"))),
        h(
          "tbody",
          {},
          ...settings.map(({ name, value }) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))),
        ),
      ),
    ),
  );
}
