// The ground from above, with the tracks of a few rollouts.
import * as Plot from "@observablehq/plot";
import type { Ground, PathMotion, Track } from "../data/motion";
import { formatNumber, roundTicks } from "../data/numbers";
import { h, svg } from "../ui/dom";
import type { Table } from "../ui/table";
import { margins } from "./axes";
import { shapeLegend } from "./legend";
import { stateWords } from "./map-panel";
import type { ShownPanel } from "./rollouts";

export interface PathPlotOptions {
  tracks: readonly Track[];
  bounds: readonly { lower: number; upper: number }[]; // of the cell, m
  ground: Ground;
  width: number;
  label: string;
}

const colourOf = (inside: boolean) => (inside ? "var(--stay)" : "var(--leave)");

export function pathPlot({ tracks, bounds, ground, width, label }: PathPlotOptions): Element {
  const inner = width - margins.marginLeft - margins.marginRight;
  const [across, along] = bounds;
  const axis = (domain: [number, number], name: string) => {
    // the same step both ways: the lines are squares on the ground
    const ticks = roundTicks(domain[0], domain[1], Math.max(3, inner / 60));
    return { domain, ticks, tickFormat: (value: number) => formatNumber(value, 3), label: name };
  };
  const x = axis(ground.x, "x, m");
  const y = axis(ground.y, "y, m");
  const element = Plot.plot({
    width,
    height: inner + margins.marginTop + margins.marginBottom,
    ...margins,
    ariaLabel: label,
    x: { type: "linear", ...x },
    y: { type: "linear", ...y },
    marks: [
      Plot.ruleX(x.ticks, { stroke: "var(--line)", strokeOpacity: 0.7 }),
      Plot.ruleY(y.ticks, { stroke: "var(--line)", strokeOpacity: 0.7 }),
      Plot.rect([0], {
        x1: across?.lower ?? 0, x2: across?.upper ?? 0, y1: along?.lower ?? 0, y2: along?.upper ?? 0,
        fill: "var(--stay)", fillOpacity: 0.08, stroke: "var(--ink)", strokeWidth: 2, className: "cell",
      }), // prettier-ignore
      ...tracks.map(({ points, inside }) =>
        Plot.line(points, {
          x: "x", y: "y", stroke: colourOf(inside), strokeWidth: 1.8, strokeOpacity: 0.85, className: "track",
        }), // prettier-ignore
      ),
      starts(tracks),
      ...ends(tracks),
    ],
  });
  element.setAttribute("role", "img");
  return element;
}

function starts(tracks: readonly Track[]): Plot.Markish {
  const points = tracks.flatMap((track) => track.points.slice(0, 1));
  const shape = { x: "x", y: "y", symbol: "diamond", r: 4.5 } as const;
  return Plot.dot(points, { ...shape, fill: "var(--ink)", stroke: "var(--page)", strokeWidth: 1, className: "start" });
}

// Full where the cell was met, a ring where it was not, a cross where the simulation broke off.
function ends(tracks: readonly Track[]): Plot.Markish[] {
  const of = (chosen: (track: Track) => boolean) => tracks.filter(chosen).flatMap(({ points }) => points.slice(-1));
  const common = { x: "x", y: "y", r: 4.2, strokeWidth: 2 } as const;
  const outside = { ...common, fill: "var(--page)", stroke: "var(--leave)", className: "end-outside" };
  const inside = { ...common, fill: "var(--stay)", stroke: "var(--page)", strokeWidth: 1, className: "end-inside" };
  return [
    Plot.dot(of(({ failed }) => failed), { ...common, symbol: "times", stroke: "var(--leave)", className: "broken-off" }),
    Plot.dot(of(({ failed, inside: met }) => !failed && !met), outside),
    Plot.dot(of(({ inside: met }) => met), inside),
  ]; // prettier-ignore
}

export function pathLegend(panels: readonly ShownPanel<PathMotion, Track>[], bounds: PathPlotOptions["bounds"]): HTMLElement {
  const line = (colour: string) => svg("line", { x1: 0, x2: 15, y1: 5, y2: 5, stroke: colour, "stroke-width": 2 });
  const cross = svg("path", { d: "M12,1.5l7,7m0,-7l-7,7", stroke: "var(--leave)", "stroke-width": 2 });
  const broken = panels.some(({ rollouts }) => rollouts?.some(({ failed }) => failed));
  const ring = { cx: 16, cy: 5, r: 3.8 };
  const legend = shapeLegend(22, [
    { label: "start", shapes: [svg("path", { d: "M11,0l2.9,5l-2.9,5l-2.9,-5z", fill: "var(--ink)" })] },
    { label: "ends in the cell", shapes: [line("var(--stay)"), svg("circle", { ...ring, fill: "var(--stay)" })] },
    {
      label: "ends outside",
      shapes: [line("var(--leave)"), svg("circle", { ...ring, fill: "var(--page)", stroke: "var(--leave)", "stroke-width": 2 })],
    },
    ...(broken ? [{ label: "breaks off: the simulation failed", shapes: [line("var(--leave)"), cross] }] : []),
  ]);
  const tracks = panels.flatMap(({ rollouts }) => rollouts ?? []);
  if (!tracks.some((track) => track.inside && endsBeyond(track, bounds))) return legend;
  const words = "This cell is at the border of the map: what ends beyond the border counts for it too.";
  return h("div", {}, h("p", { class: "note" }, words), legend);
}

function endsBeyond({ points }: Track, [across, along]: PathPlotOptions["bounds"]): boolean {
  const end = points[points.length - 1];
  const within = (value: number, range?: { lower: number; upper: number }) =>
    range !== undefined && value >= range.lower && value <= range.upper;
  return end !== undefined && !(within(end.x, across) && within(end.y, along));
}

export function pathTable(panels: readonly ShownPanel<PathMotion, Track>[]): Table {
  return {
    caption: "Every place of the tracks, as stored in this page",
    columns: ["map", "rollout", "time, s", "x, m", "y, m"],
    rows: panels.flatMap(({ panel, rollouts }) =>
      (rollouts ?? []).flatMap(({ points }, i) =>
        points.map(({ x, y, seconds }) => [`${panel.title}, ${stateWords(panel)}`, i + 1, seconds, x, y]),
      ),
    ),
  };
}
