// Heat maps side by side, with one colour scale for all of them.
import { cellBounds } from "../data/grid";
import {
  chanceOfStaying, domainOf, quantities, quantityLabels, quantityNotes, valueAt, type Panel, type Quantity,
} from "../data/panels"; // prettier-ignore
import { radioChoice } from "../ui/choice";
import { h } from "../ui/dom";
import { figure, type Figure } from "../ui/figure";
import type { Table } from "../ui/table";
import { viridis } from "./colours";
import { colourLegend } from "./legend";
import { mapPanel, stateWords, type MapPanel } from "./map-panel";
import type { Selection } from "./selection";

export interface MapsOptions {
  title: string;
  explanation: string;
  controls?: Node[];
  names: readonly string[];
  selection: Selection;
}

const gap = 20;

export function mapsFigure({ title, explanation, controls, names, selection }: MapsOptions): Figure {
  let quantity: Quantity = "fitness";
  let drawn: MapPanel[] = [];
  let shown = selection.panels;
  const colouring = viridis();
  const known = quantities.filter((q) => q === "fitness" || shown.some((panel) => panel.archive.real));
  const choice = radioChoice(
    "Colour shows",
    known.map((value) => ({ value, label: quantityLabels[value] })),
    quantity,
    (value) => {
      quantity = value;
      result.redraw();
    },
  );
  selection.onChange(() => {
    if (shown !== selection.panels) {
      shown = selection.panels;
      result.redraw();
    }
    for (const panel of drawn) panel.mark();
  });
  const result = figure({
    title,
    explanation,
    controls: [...(controls ?? []), choice],
    table: () => mapsTable(shown, names),
    draw: (width) => {
      const domain = domainOf(shown, quantity);
      const each = panelWidth(width, shown.length);
      drawn = shown.map((panel) =>
        mapPanel({ panel, quantity, domain, colouring, names, width: each, selection }),
      );
      const unknown = shown.some((panel) =>
        panel.rowAt.some((row, cell) => row >= 0 && !Number.isFinite(valueAt(panel, quantity, cell))),
      );
      return h(
        "div",
        {},
        h("p", { class: "note" }, quantityNotes[quantity]),
        colourLegend(quantityLabels[quantity], domain, width, unknown),
        h("div", { class: "panels" }, ...drawn.map(({ element }) => element)),
      );
    },
  });
  return result;
}

// As many panels in a row as fit, none wider than is useful, no row with a single one left over where that can be helped.
export function panelWidth(width: number, count: number, widest = 460): number {
  const fit = Math.max(1, Math.min(count, Math.floor((width + gap) / (250 + gap))));
  const perRow = Math.ceil(count / Math.ceil(count / fit));
  return Math.min(widest, Math.floor((width - gap * (perRow - 1)) / perRow));
}

export function mapsTable(panels: readonly Panel[], names: readonly string[]): Table {
  const rows = panels.flatMap((panel) =>
    [...panel.rowAt.keys()].flatMap((cell) => {
      if ((panel.rowAt[cell] ?? -1) < 0) return [];
      const chance = chanceOfStaying(panel, cell);
      return [
        [
          `${panel.title}, ${stateWords(panel)}`,
          cell,
          ...cellBounds(panel.grid, cell).map(({ lower, upper }) => (lower + upper) / 2),
          valueAt(panel, "fitness", cell),
          chance.probability,
          chance.lower,
          chance.upper,
          valueAt(panel, "spread", cell),
        ],
      ];
    }),
  );
  return {
    caption: "Every filled cell: its centre, and the figures of the elite there",
    columns: ["map", "cell", ...names, "fitness", "probability", "95 % from", "to", "spread"],
    rows,
  };
}
