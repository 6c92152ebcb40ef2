// A gait diagram: a row per foot of each rollout, a bar in it while the foot is on the ground.
import * as Plot from "@observablehq/plot";
import type { Gait, GaitMotion } from "../data/motion";
import { formatNumber, formatPercent, roundTicks } from "../data/numbers";
import { svg } from "../ui/dom";
import type { Table } from "../ui/table";
import { margins } from "./axes";
import { shapeLegend } from "./legend";
import { stateWords } from "./map-panel";
import type { ShownPanel } from "./rollouts";

export interface GaitPlotOptions {
  gaits: readonly Gait[];
  motion: GaitMotion;
  width: number;
  label: string;
}

// Pixels, from the top of a rollout.
const heading = 18;
const row = 13;
const pitch = 17; // from row to row
const gap = 8; // to the next rollout
const letter = 7; // of a foot's name, at most
const marginRight = 46; // for the shares

interface Row {
  top: number;
  name: string;
  share: string;
}

interface Bar {
  from: number;
  to: number;
  top: number;
  inside: boolean;
}

export function gaitPlot({ gaits, motion, width, label }: GaitPlotOptions): Element {
  const longest = motion.longest * motion.stepSeconds;
  const rollout = heading + motion.feet.length * pitch + gap;
  const height = gaits.length * rollout;
  const names = 8 + letter * Math.max(...motion.feet.map((name) => name.length));
  const marginLeft = Math.min(width / 3, Math.max(margins.marginLeft, names));
  const inner = width - marginLeft - marginRight;
  const ticks = roundTicks(0, longest, inner / 60);
  const rows: Row[] = [];
  const bands: Bar[] = [];
  const bars: Bar[] = [];
  gaits.forEach(({ seconds, feet, inside }, i) => {
    feet.forEach(({ touches, share }, k) => {
      const top = i * rollout + heading + k * pitch;
      rows.push({ top, name: motion.feet[k] ?? "", share: formatPercent(share, 2) });
      bands.push({ from: 0, to: seconds, top, inside });
      bars.push(...touches.map((touch) => ({ ...touch, top, inside })));
    });
  });
  const rect = { x1: "from", x2: "to", y1: "top", y2: ({ top }: Bar) => top + row } as const;
  const element = Plot.plot({
    width,
    height: height + margins.marginBottom,
    marginLeft,
    marginRight,
    marginTop: 0,
    marginBottom: margins.marginBottom,
    ariaLabel: label,
    x: { type: "linear", domain: [0, longest], ticks, tickFormat: (value: number) => formatNumber(value, 3), label: "time, s" },
    y: { type: "linear", domain: [height, 0], axis: null },
    marks: [
      Plot.ruleX(ticks, { stroke: "var(--line)", strokeOpacity: 0.7, y1: heading / 2, y2: height }),
      Plot.rect(bands, { ...rect, fill: "var(--line)", fillOpacity: 0.75, className: "episode" }),
      ...[true, false].map((wanted) =>
        Plot.rect(bars.filter(({ inside }) => inside === wanted), {
          ...rect, fill: wanted ? "var(--stay)" : "var(--leave)", className: wanted ? "touch-inside" : "touch-outside",
        }), // prettier-ignore
      ),
      ...ends(gaits, rollout, inner / longest),
      Plot.text(gaits, { x: 0, y: (_, i) => i * rollout + heading / 2, text: (_, i) => `rollout ${i + 1}`, textAnchor: "start", dx: -36, fill: "var(--muted)" }),
      Plot.text(rows, { x: 0, y: middle, text: "name", textAnchor: "end", dx: -8, fill: "currentColor" }),
      Plot.text(rows, { x: longest, y: middle, text: "share", textAnchor: "start", dx: 6, fill: "currentColor", className: "share" }),
    ],
  }); // prettier-ignore
  element.setAttribute("role", "img");
  return element;
}

function middle({ top }: Row): number {
  return top + row / 2;
}

// A line where each episode ends, and when that is; `rollout` is its height, `scale` is in pixels per second.
function ends(gaits: readonly Gait[], rollout: number, scale: number): Plot.Markish[] {
  const lines = gaits.map(({ seconds }, i) => ({ seconds, top: i * rollout }));
  return [
    Plot.ruleX(lines, {
      x: "seconds", y1: ({ top }: { top: number }) => top + heading - 3, y2: ({ top }: { top: number }) => top + rollout - gap - (pitch - row) + 3,
      stroke: "var(--ink)", strokeWidth: 1.5, className: "end",
    }),
    // before the line where there is room for it, else behind it, and never over the name of the rollout
    ...lines.map(({ seconds, top }) =>
      Plot.text([seconds], {
        x: seconds, y: top + heading / 2, text: [`ends at ${formatNumber(seconds, 3)} s`], fill: "var(--muted)",
        textAnchor: seconds * scale > 112 ? "end" : "start", dx: seconds * scale > 112 ? 0 : Math.max(0, 22 - seconds * scale),
      }),
    ),
  ]; // prettier-ignore
}

// Null where nothing is drawn that it could explain.
export function gaitLegend(panels: readonly ShownPanel<GaitMotion, Gait>[]): HTMLElement | null {
  const bar = (fill: string, opacity = 1) => [svg("rect", { x: 0, y: 0, width: 22, height: 10, fill, "fill-opacity": opacity })];
  const some = (wanted: boolean) => panels.some(({ rollouts }) => rollouts?.some(({ inside }) => inside === wanted));
  if (!some(true) && !some(false)) return null;
  return shapeLegend(22, [
    ...(some(true) ? [{ label: "on the ground, rollout inside the cell", shapes: bar("var(--stay)") }] : []),
    ...(some(false) ? [{ label: "on the ground, rollout outside", shapes: bar("var(--leave)") }] : []),
    { label: "in the air", shapes: bar("var(--line)", 0.75) },
    { label: "end of the episode", shapes: [svg("line", { x1: 11, x2: 11, y1: 0, y2: 10, stroke: "var(--ink)", "stroke-width": 1.5 })] },
  ]); // prettier-ignore
}

export function gaitTable(panels: readonly ShownPanel<GaitMotion, Gait>[]): Table {
  return {
    caption: "Every touch of the ground",
    columns: ["map", "rollout", "foot", "from, s", "to, s"],
    rows: panels.flatMap(({ panel, motion, rollouts }) =>
      (rollouts ?? []).flatMap((gait, i) =>
        gait.feet.flatMap(({ touches }, k) =>
          touches.map(({ from, to }) => [`${panel.title}, ${stateWords(panel)}`, i + 1, motion.feet[k] ?? "", from, to]),
        ),
      ),
    ),
  };
}
