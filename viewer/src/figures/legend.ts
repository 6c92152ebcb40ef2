// Legends: the colour ramp of the maps, and the lines of curves.
import * as Plot from "@observablehq/plot";
import { formatNumber } from "../data/numbers";
import { h, svg, uniqueId } from "../ui/dom";
import type { LineStyle } from "./colours";
import { hatch } from "./heat-map";

export function colourLegend(label: string, domain: [number, number], width: number, unknown: boolean): HTMLElement {
  const ramp = Plot.legend({
    color: { type: "linear", scheme: "viridis", domain },
    label,
    width: Math.min(320, width),
    ticks: 4,
    tickFormat: (value: number) => formatNumber(value, 3),
  }) as SVGElement;
  ramp.setAttribute("role", "img");
  ramp.setAttribute("aria-label", `colours: ${label}, ${formatNumber(domain[0])} to ${formatNumber(domain[1])}`);
  const pattern = uniqueId("hatch");
  return h(
    "div",
    { class: "legend" },
    ramp,
    swatch("empty cell", svg("defs", {}, hatch(pattern)), `url(#${pattern})`),
    unknown ? swatch("not known", null, "var(--unknown)") : null,
  );
}

function swatch(label: string, defs: SVGElement | null, fill: string): HTMLElement {
  const picture = svg("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, defs);
  picture.append(svg("rect", { x: 0.5, y: 0.5, width: 15, height: 15, fill, stroke: "var(--line)" }));
  return h("span", { class: "swatch" }, picture, h("span", { class: "svg-text" }, label));
}

export interface Entry extends LineStyle {
  label: string;
}

export function lineLegend(entries: readonly Entry[]): HTMLElement {
  return h(
    "div",
    { class: "legend" },
    ...entries.map(({ label, colour, dash }) =>
      h(
        "span",
        { class: "swatch" },
        svg(
          "svg",
          { width: 28, height: 12, viewBox: "0 0 28 12", "aria-hidden": "true" },
          svg("line", { x1: 1, x2: 27, y1: 6, y2: 6, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dash }),
        ),
        h("span", { class: "svg-text" }, label),
      ),
    ),
  );
}

export function dotLegend(entries: readonly { label: string; colour: string }[]): HTMLElement {
  return shapeLegend(
    10,
    entries.map(({ label, colour }) => ({ label, shapes: [svg("circle", { cx: 5, cy: 5, r: 3.5, fill: colour })] })),
  );
}

export interface ShapeEntry {
  label: string;
  shapes: SVGElement[]; // in a box of `width` by 10
}

export function shapeLegend(width: number, entries: readonly ShapeEntry[]): HTMLElement {
  return h(
    "div",
    { class: "legend" },
    ...entries.map(({ label, shapes }) => {
      const picture = svg("svg", { width, height: 10, viewBox: `0 0 ${width} 10`, "aria-hidden": "true" });
      picture.append(...shapes);
      return h("span", { class: "swatch" }, picture, h("span", { class: "svg-text" }, label));
    }),
  );
}
