// What is to say of a few rollouts, in words and numbers.
import type { CellFigure } from "./cell-figures";
import type { Gait, Track } from "./motion";
import { formatNumber, formatPercent, formatPoint } from "./numbers";

export function trackFigures(tracks: readonly Track[]): CellFigure[] {
  const ends = tracks.filter(({ failed }) => !failed).flatMap(({ points }) => points.slice(-1));
  const broken = tracks.length - ends.length;
  return [
    { label: "ends at (mean)", value: ends.length > 0 ? `${formatPoint([mean(ends, "x"), mean(ends, "y")], 3)} m` : "–" },
    { label: "length of the way", value: range(tracks.map(wayOf), "m") },
    ...(broken > 0 ? [{ label: "rollouts that break off", value: `${broken}` }] : []),
    { label: "episode lasts", value: range(tracks.map(({ seconds }) => seconds), "s") },
  ]; // prettier-ignore
}

export function gaitFigures(
  feet: readonly string[],
  gaits: readonly Gait[],
  bounds: readonly { lower: number; upper: number }[],
): CellFigure[] {
  return [
    ...feet.map((name, k) => {
      const shares = gaits.flatMap((gait) => gait.feet[k]?.share ?? []).filter(Number.isFinite);
      const share = shares.reduce((sum, value) => sum + value, 0) / shares.length;
      const cell = bounds[k];
      const asked = cell ? ` · cell ${formatNumber(100 * cell.lower, 3)}–${formatPercent(cell.upper)}` : "";
      return { label: `${name} (mean)`, value: formatPercent(share) + asked };
    }),
    { label: "episode lasts", value: range(gaits.map(({ seconds }) => seconds), "s") },
  ]; // prettier-ignore
}

// Along the places that are known.
export function wayOf({ points }: Track): number {
  return points.slice(1).reduce((sum, { x, y }, i) => {
    const before = points[i];
    return before ? sum + Math.hypot(x - before.x, y - before.y) : sum;
  }, 0);
}

function mean(points: readonly { x: number; y: number }[], name: "x" | "y"): number {
  return points.reduce((sum, point) => sum + point[name], 0) / points.length;
}

// From the least to the largest, or the one that all have.
function range(values: readonly number[], unit: string): string {
  const least = formatNumber(Math.min(...values), 3);
  const largest = formatNumber(Math.max(...values), 3);
  return least === largest ? `${least} ${unit}` : `${least} to ${largest} ${unit}`;
}
