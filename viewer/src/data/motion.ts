// How the solutions of an archive move: paths over the ground, or which foot touches it when.
import type { Grid, MotionData, PathData } from "./format";
import { at, cellOf } from "./grid";
import { bitAt, countOf, DataError, unpackBits, unpackI32, unpackQuantised } from "./packed";

interface Episodes {
  place: Map<number, number>; // row of the archive to place among the solutions shown
  rollouts: number; // of each solution
  steps: Int32Array; // (solutions x rollouts)
  stepSeconds: number;
  longest: number; // steps
}

export interface PathMotion extends Episodes {
  kind: "path";
  points: number;
  path: Float32Array; // (solutions x rollouts x points x 2) m; NaN: no such place
}

export interface GaitMotion extends Episodes {
  kind: "gait";
  feet: string[]; // their names
  touches: Uint8Array; // (solutions x rollouts x feet x longest) bits
}

export type Motion = PathMotion | GaitMotion;

// The descriptor is where the torso ends, two numbers, or the share of time of each foot.
export function openMotion(data: MotionData, n: number, grid: Grid, name: string): Motion {
  wholeNumber(data.rollouts, 1, `${name}.rollouts`);
  wholeNumber(data.longest, 1, `${name}.longest`);
  if (!(data.step_seconds > 0)) throw new DataError(`${name}.step_seconds must be above 0, got ${data.step_seconds}`);
  const rows = unpackI32(data.rows, countOf(data.rows, 4, n, `${name}.rows`), 0, n, `${name}.rows`);
  const count = rows.length * data.rollouts;
  const episodes = {
    place: new Map(Array.from(rows, (row, i) => [row, i])),
    rollouts: data.rollouts,
    steps: unpackI32(data.steps, count, 0, data.longest + 1, `${name}.steps`),
    stepSeconds: data.step_seconds,
    longest: data.longest,
  };
  if (data.kind === "path" && data.path) {
    if (grid.cells.length !== 2) throw new DataError(`${name} must be of a grid of 2 dimensions, got ${grid.cells.length}`);
    return { kind: "path", ...episodes, points: data.path.points, path: openPath(data.path, count, `${name}.path`) };
  }
  if (data.kind === "gait" && data.touches !== null) {
    const { feet } = data;
    if (feet.length !== grid.cells.length) throw new DataError(`${name}.feet must be ${grid.cells.length} names, got ${feet.length}`);
    const touches = unpackBits(data.touches, count * feet.length * data.longest, `${name}.touches`);
    return { kind: "gait", ...episodes, feet, touches };
  }
  throw new DataError(`${name} must be a path or a gait, got ${JSON.stringify(data.kind)}`);
}

function openPath(data: PathData, episodes: number, name: string): Float32Array {
  wholeNumber(data.points, 2, `${name}.points`);
  if (data.lower.length !== 2 || data.upper.length !== 2) throw new DataError(`${name}.lower and upper must have 2 numbers`);
  return unpackQuantised(data.values, episodes * data.points * 2, data, `${name}.values`);
}

function wholeNumber(value: number, least: number, name: string): void {
  if (!Number.isInteger(value) || value < least) throw new DataError(`${name} must be at least ${least}, got ${value}`);
}

// One rollout of a solution.
export interface Track {
  seconds: number; // that the episode lasts
  points: { x: number; y: number; seconds: number }[];
  failed: boolean; // it breaks off before the end
  inside: boolean; // ends in the cell
}

export interface Gait {
  seconds: number;
  feet: Foot[];
  inside: boolean; // the shares are those of the cell
}

export interface Foot {
  touches: { from: number; to: number }[]; // seconds
  share: number; // of the episode; NaN where it has no steps
}

// Undefined where the solution is not among those shown.
export function tracksOf(motion: PathMotion, row: number, grid: Grid, cell: number): Track[] | undefined {
  return rolloutsOf(motion, row, (episode) => {
    const seconds = at(motion.steps, episode) * motion.stepSeconds;
    const points: Track["points"] = [];
    for (let i = 0; i < motion.points; ++i) {
      const place = 2 * (episode * motion.points + i);
      const x = at(motion.path, place);
      const y = at(motion.path, place + 1);
      if (Number.isNaN(x) || Number.isNaN(y)) break;
      points.push({ x, y, seconds: (i / (motion.points - 1)) * seconds });
    }
    const end = points[motion.points - 1];
    return { seconds, points, failed: !end, inside: end !== undefined && cellOf(grid, [end.x, end.y]) === cell };
  });
}

export function gaitsOf(motion: GaitMotion, row: number, grid: Grid, cell: number): Gait[] | undefined {
  return rolloutsOf(motion, row, (episode) => {
    const feet = motion.feet.map((_, foot) => footOf(motion, episode, foot));
    const shares = feet.map(({ share }) => share);
    return { seconds: at(motion.steps, episode) * motion.stepSeconds, feet, inside: cellOf(grid, shares) === cell };
  });
}

function rolloutsOf<T>(motion: Motion, row: number, make: (episode: number) => T): T[] | undefined {
  const place = motion.place.get(row);
  return place === undefined
    ? undefined
    : Array.from({ length: motion.rollouts }, (_, rollout) => make(place * motion.rollouts + rollout));
}

// Steps on the ground that follow each other are one touch.
function footOf(motion: GaitMotion, episode: number, foot: number): Foot {
  const first = (episode * motion.feet.length + foot) * motion.longest;
  const steps = at(motion.steps, episode);
  const touches: Foot["touches"] = [];
  let count = 0;
  for (let step = 0; step < steps; ++step) {
    if (!bitAt(motion.touches, first + step)) continue;
    ++count;
    const last = touches[touches.length - 1];
    const from = step * motion.stepSeconds;
    const to = (step + 1) * motion.stepSeconds;
    if (last && step > 0 && bitAt(motion.touches, first + step - 1)) last.to = to;
    else touches.push({ from, to });
  }
  return { touches, share: count / steps };
}

// The ground that tracks are drawn on: a square, in metres, that holds them all, their starts and the cell.
export interface Ground {
  x: [number, number];
  y: [number, number];
}

export function groundOf(bounds: readonly { lower: number; upper: number }[], tracks: readonly Track[]): Ground {
  const points = tracks.flatMap((track) => track.points);
  const [x, y] = [points.map((point) => point.x), points.map((point) => point.y)].map((values, k) => {
    const cell = bounds[k] ?? { lower: 0, upper: 0 };
    // the start is the origin, also where no track is known
    const lower = values.reduce((a, b) => Math.min(a, b), Math.min(0, cell.lower));
    const upper = values.reduce((a, b) => Math.max(a, b), Math.max(0, cell.upper));
    return { middle: (lower + upper) / 2, half: (upper - lower) / 2 };
  });
  if (!x || !y) throw new RangeError("the ground has two dimensions");
  const half = 1.1 * Math.max(x.half, y.half);
  return { x: [x.middle - half, x.middle + half], y: [y.middle - half, y.middle + half] };
}
