// A heat map that the reader can walk over, by pointer or by keyboard, and choose a cell of.
import { cellFigures, cellName, cellRanges } from "../data/cell-figures";
import { at } from "../data/grid";
import { formatNumber, quantity as plural } from "../data/numbers";
import { valueAt, type Panel, type Quantity } from "../data/panels";
import { definitionList } from "../ui/definitions";
import { h, svg } from "../ui/dom";
import { hideTooltip, showTooltip } from "../ui/tooltip";
import type { Colouring } from "./colours";
import { heatMap, type HeatMap } from "./heat-map";
import type { Selection } from "./selection";

export interface MapPanelOptions {
  panel: Panel;
  quantity: Quantity;
  domain: [number, number];
  colouring: Colouring;
  names: readonly string[];
  width: number;
  selection: Selection;
}

export interface MapPanel {
  element: HTMLElement;
  mark: () => void; // draws the outlines of the cells hovered and chosen anew
}

export function stateWords(panel: Panel): string {
  return panel.state === "believed" ? "as believed" : "as it really is";
}

export function mapPanel(options: MapPanelOptions): MapPanel {
  const { panel, selection, names } = options;
  const about = `${panel.title}, ${stateWords(panel)}: ${plural(panel.filled, "cell")} filled`;
  const map = heatMap({ ...options, label: about });
  const marks = svg("g", { class: "marks" });
  map.element.append(marks);
  const live = h("p", { class: "visually-hidden", "aria-live": "polite" });
  const surface = h("div", {
    class: "map",
    "data-state": panel.state,
    tabindex: 0,
    role: "application",
    "aria-roledescription": "heat map",
    "aria-label": `${about}. Arrow keys move from cell to cell, Enter chooses one.`,
  });
  surface.append(map.element);

  const say = (cell: number, x: number, y: number) => {
    showTooltip(tooltip(panel, cell, names), x, y);
  };
  listenToPointer(surface, map, selection, say);
  listenToKeys(surface, panel, selection, (cell) => {
    const box = map.element.getBoundingClientRect();
    const scale = box.width / options.width;
    const { x, y, width, height } = map.boxOf(cell);
    say(cell, box.left + (x + width) * scale, box.top + (y + height) * scale);
    live.textContent = `${cellName(panel.grid, cell)}: ${spoken(panel, cell, options.quantity)}`;
  });

  const mark = () => {
    marks.replaceChildren(
      outline(map, selection.chosen, "chosen"),
      ...(selection.hovered === null ? [] : [outline(map, selection.hovered, "hovered")]),
    );
  };
  mark();
  const heading = h(
    "div",
    { class: "panel-title" },
    h("strong", { class: "svg-text" }, panel.title),
    h("span", { class: "svg-text" }, `${stateWords(panel)} · ${plural(panel.filled, "cell")}`),
  );
  return { element: h("div", { class: "panel", style: `width: ${options.width}px` }, heading, surface, live), mark };
}

function outline(map: HeatMap, cell: number, name: string): SVGElement {
  const box = map.boxOf(cell);
  const around = (by: number) => ({
    x: box.x - by,
    y: box.y - by,
    width: box.width + 2 * by,
    height: box.height + 2 * by,
    fill: "none",
  });
  // dark within light: seen on any colour of the scale
  return svg(
    "g",
    { class: name },
    svg("rect", { ...around(1.5), stroke: "#fff", "stroke-width": 3.5 }),
    svg("rect", { ...around(1.5), stroke: name === "chosen" ? "#d00057" : "#000", "stroke-width": 1.8 }),
  );
}

function listenToPointer(
  surface: HTMLElement,
  map: HeatMap,
  selection: Selection,
  say: (cell: number, x: number, y: number) => void,
): void {
  surface.addEventListener("pointermove", (event) => {
    const cell = map.cellAt(event.clientX, event.clientY);
    selection.hover(cell);
    if (cell === null) hideTooltip();
    else say(cell, event.clientX, event.clientY);
  });
  surface.addEventListener("pointerleave", () => {
    selection.hover(null);
    hideTooltip();
  });
  surface.addEventListener("click", (event) => {
    const cell = map.cellAt(event.clientX, event.clientY);
    if (cell !== null) selection.choose(cell);
  });
}

const moves: Record<string, [column: number, row: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

function listenToKeys(
  surface: HTMLElement,
  panel: Panel,
  selection: Selection,
  say: (cell: number) => void,
): void {
  const { layout } = panel;
  surface.addEventListener("keydown", (event) => {
    const here = selection.hovered ?? selection.chosen;
    const move = moves[event.key];
    if (event.key === "Enter" || event.key === " ") {
      selection.choose(here);
      say(here);
    } else if (event.key === "Escape") {
      selection.hover(null);
      hideTooltip();
    } else if (move) {
      const column = clamp(at(layout.column, here) + move[0], layout.columns);
      const row = clamp(at(layout.row, here) + move[1], layout.rows);
      const cell = at(layout.at, row * layout.columns + column);
      selection.hover(cell);
      say(cell);
    } else {
      return;
    }
    event.preventDefault();
  });
  surface.addEventListener("focus", () => {
    // only for the keyboard: a click has its own pointer
    if (!surface.matches(":focus-visible")) return;
    selection.hover(selection.chosen);
    say(selection.chosen);
  });
  surface.addEventListener("blur", () => {
    selection.hover(null);
    hideTooltip();
  });
}

function clamp(i: number, count: number): number {
  return Math.min(count - 1, Math.max(0, i));
}

function spoken(panel: Panel, cell: number, quantity: Quantity): string {
  const value = valueAt(panel, quantity, cell);
  return at(panel.rowAt, cell) < 0 ? "empty" : `${quantity} ${formatNumber(value)}`;
}

function tooltip(panel: Panel, cell: number, names: readonly string[]): Node {
  return h(
    "div",
    {},
    h("strong", {}, `${panel.title}, ${stateWords(panel)}`),
    h("p", {}, `${cellName(panel.grid, cell)}: ${cellRanges(panel.grid, cell, names)}`),
    definitionList(cellFigures(panel, cell)),
  );
}
