// Colours of the figures. Values: viridis, perceptually uniform and safe for the colour-blind. Categories: hues that
// stay apart for the colour-blind, with a dash pattern of their own besides.
import * as Plot from "@observablehq/plot";

export type Colouring = (level: number) => string;

export const levels = 128; // colours of a map; more could not be told apart

export function viridis(): Colouring {
  const scale = Plot.scale({ color: { type: "linear", scheme: "viridis", domain: [0, levels - 1] } });
  const colours = Array.from({ length: levels }, (_, i) => scale.apply(i) as string);
  return (level) => colours[level] ?? "none";
}

export function levelOf(value: number, [lower, upper]: [number, number]): number {
  const share = (value - lower) / (upper - lower);
  return Math.min(levels - 1, Math.max(0, Math.round(share * (levels - 1))));
}

const dashes = ["none", "7 3", "2 2", "9 3 2 3", "4 2", "12 3", "1 3", "6 2 1 2 1 2"];

export interface LineStyle {
  colour: string;
  dash: string;
}

// The colours themselves are in the style sheet, one set for light and one for dark.
export function lineStyle(i: number): LineStyle {
  return { colour: `var(--category-${i % 8})`, dash: dashes[i % dashes.length] ?? "none" };
}
