// One heat map: a panel's cells coloured by a quantity. Cells of one colour are one path, so that a page with many
// thousand cells stays quick.
import * as Plot from "@observablehq/plot";
import { at } from "../data/grid";
import { valueAt, type Panel, type Quantity } from "../data/panels";
import { svg, uniqueId } from "../ui/dom";
import { aspect, latticeAxis, margins } from "./axes";
import { levelOf, type Colouring } from "./colours";

export interface HeatMap {
  element: SVGSVGElement;
  cellAt: (clientX: number, clientY: number) => number | null;
  boxOf: (cell: number) => { x: number; y: number; width: number; height: number }; // in the picture's units
}

export interface HeatMapOptions {
  panel: Panel;
  quantity: Quantity;
  domain: [number, number];
  colouring: Colouring;
  names: readonly string[];
  width: number;
  label: string;
}

export function heatMap(options: HeatMapOptions): HeatMap {
  const { panel, width, names } = options;
  const { grid, layout } = panel;
  const inner = { width: width - margins.marginLeft - margins.marginRight, height: 0 };
  inner.height = Math.round(inner.width * aspect(grid, layout));
  const x = latticeAxis(grid, layout, 0, names, Math.max(2, inner.width / 60));
  const y = latticeAxis(grid, layout, 1, names, Math.max(2, inner.height / 50));
  const unit = { x: inner.width / layout.width, y: inner.height / layout.height };
  const boxOf = (cell: number) => ({
    x: margins.marginLeft + at(layout.left, at(layout.column, cell)) * unit.x,
    y: margins.marginTop + (layout.height - at(layout.bottom, at(layout.row, cell)) - 1) * unit.y,
    width: unit.x,
    height: unit.y,
  });

  const element = Plot.plot({
    width,
    height: inner.height + margins.marginTop + margins.marginBottom,
    ...margins,
    ariaLabel: options.label,
    x: { ...x, type: "linear" },
    y: { ...y, type: "linear", ...(grid.cells.length > 1 ? {} : { axis: null }) },
    marks: [() => cellPaths(options, boxOf), layout.nested ? null : Plot.frame({ stroke: "var(--line)" })],
  }) as SVGSVGElement;
  element.setAttribute("role", "img");

  const cellAt = (clientX: number, clientY: number) => {
    const box = element.getBoundingClientRect();
    const px = ((clientX - box.left) / box.width) * width - margins.marginLeft;
    const py = ((clientY - box.top) / box.width) * width - margins.marginTop;
    const column = startingAt(layout.left, px / unit.x);
    const row = startingAt(layout.bottom, layout.height - py / unit.y);
    return column === null || row === null ? null : at(layout.at, row * layout.columns + column);
  };
  return { element, cellAt, boxOf };
}

// Which unit interval [start, start + 1) holds the position.
function startingAt(starts: Float64Array, position: number): number | null {
  let lower = 0;
  let upper = starts.length;
  while (lower < upper) {
    const middle = (lower + upper) >> 1;
    if (at(starts, middle) <= position) lower = middle + 1;
    else upper = middle;
  }
  return lower > 0 && position - at(starts, lower - 1) < 1 ? lower - 1 : null;
}

function cellPaths(options: HeatMapOptions, boxOf: HeatMap["boxOf"]): SVGGElement {
  const { panel, quantity, domain, colouring } = options;
  const paths = new Map<number, string>(); // by level of the colour
  let empty = "";
  let unknown = "";
  panel.rowAt.forEach((row, cell) => {
    const box = boxOf(cell);
    const shape = `M${round(box.x)} ${round(box.y)}h${round(box.width)}v${round(box.height)}h${round(-box.width)}z`;
    const value = valueAt(panel, quantity, cell);
    if (row < 0) empty += shape;
    else if (!Number.isFinite(value)) unknown += shape;
    else paths.set(levelOf(value, domain), (paths.get(levelOf(value, domain)) ?? "") + shape);
  });
  const pattern = uniqueId("hatch");
  return svg(
    "g",
    { class: "cells", "shape-rendering": "crispEdges" },
    svg("defs", {}, hatch(pattern)),
    svg("path", { class: "empty", d: empty, fill: `url(#${pattern})` }),
    svg("path", { class: "unknown", d: unknown, fill: "var(--unknown)" }),
    ...Array.from(paths, ([level, d]) => svg("path", { d, fill: colouring(level) })),
  );
}

// Fine lines on grey: an empty cell looks like no value of the scale, dark or light.
export function hatch(id: string): SVGPatternElement {
  return svg(
    "pattern",
    { id, width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 4, height: 4, fill: "var(--empty)" }),
    svg("line", { x1: 0, y1: 0, x2: 0, y2: 4, stroke: "var(--empty-line)", "stroke-width": 1.5 }),
  );
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
