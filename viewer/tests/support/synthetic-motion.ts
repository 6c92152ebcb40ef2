// Made-up motions: an ant whose rollouts end where its samples are, a walker whose feet are down for such shares of time.
import type { ArchiveData, Grid, MotionData } from "../../src/data/format";
import { packBits, packF32, packI32, packU16, readF32, readU16 } from "./pack";
import { Random } from "./random";

const rollouts = 4;
const longest = 250;
const points = 40;

// An archive of the unit square on the ground of another grid: cells, fitness and chances stay as they are.
export function stretched(archive: ArchiveData, grid: Grid): ArchiveData {
  const m = grid.cells.length;
  const width = (k: number) => (grid.upper[k] ?? 1) - (grid.lower[k] ?? 0);
  const move = (value: number, k: number) => (grid.lower[k] ?? 0) + value * width(k);
  const places = (text: string) => packF32(readF32(text).map((value, i) => move(value, i % m)));
  const { believed, real } = archive;
  return {
    ...archive,
    believed: believed && { ...believed, measures: places(believed.measures) },
    real: real && {
      ...real,
      measures: places(real.measures),
      spread: packF32(readF32(real.spread).map((value) => value * width(0))),
      samples: real.samples && { ...real.samples, lower: real.samples.lower.map(move), upper: real.samples.upper.map(move) },
    },
  };
}

// The descriptors of the first samples of every solution, NaN where there is none.
function drawnOf({ real, size }: ArchiveData): number[][] {
  const samples = real?.samples;
  if (!samples) throw new Error("motions are made up from samples");
  const values = readU16(samples.values);
  const m = samples.lower.length;
  return Array.from({ length: size * rollouts }, (_, episode) => {
    const i = Math.floor(episode / rollouts) * samples.count + (episode % rollouts);
    return samples.lower.map((lower, k) => {
      const [q = 65535, upper = 0] = [values[m * i + k], samples.upper[k]];
      return q === 65535 ? Number.NaN : lower + (q / 65534) * (upper - lower);
    });
  });
}

function frame(archive: ArchiveData, random: Random, step_seconds: number): Omit<MotionData, "kind" | "path" | "feet" | "touches"> {
  // one of eight episodes ends early
  const steps = Array.from({ length: archive.size * rollouts }, () =>
    random.uniform() < 0.125 ? 60 + Math.floor(random.uniform() * 150) : longest,
  );
  const rows = Array.from({ length: archive.size }, (_, row) => row);
  return { rows: packI32(rows), rollouts, steps: packI32(steps), step_seconds, longest };
}

export function makePaths(archive: ArchiveData, reach: number, seed: number): MotionData {
  const random = new Random(seed);
  const [lower, upper] = [-1.5 * reach, 1.5 * reach];
  const quantum = (value: number) => Math.round(((value - lower) / (upper - lower)) * 65534);
  const values = drawnOf(archive).flatMap(([x = Number.NaN, y = Number.NaN]) => {
    const bend = 0.25 * random.normal();
    const sway = 0.04 + 0.04 * random.uniform();
    const phase = 6 * random.uniform();
    return Array.from({ length: points }, (_, i) => {
      const s = i / (points - 1);
      const aside = s * (1 - s) * bend + (i < points - 1 ? s * sway * Math.sin(14 * s + phase) * (1 - s) : 0);
      // a solution that fails gets a little way before it does
      if (Number.isNaN(x)) return i < points / 2 ? [quantum(3 * s + 0.1 * Math.sin(9 * s)), quantum(2 * s)] : [65535, 65535];
      return [quantum(s * x - aside * y), quantum(s * y + aside * x)];
    }).flat();
  }); // prettier-ignore
  const path = { points, lower: [lower, lower], upper: [upper, upper], values: packU16(values) };
  return { kind: "path", ...frame(archive, random, 0.05), path, feet: [], touches: null };
}

export function makeGaits(archive: ArchiveData, seed: number): MotionData {
  const random = new Random(seed);
  const common = frame(archive, random, 0.02);
  const drawn = drawnOf(archive);
  const first = drawn[0] ?? [];
  const feet = first.length === 2 ? ["right", "left"] : first.map((_, k) => `foot ${k + 1}`);
  const bits = drawn.flatMap((shares) => {
    const period = 22 + 6 * random.uniform();
    const phase = random.uniform();
    return shares.flatMap((share, foot) =>
      Array.from({ length: longest }, (_, t) => ((t / period + phase + foot / feet.length) % 1 < share ? 1 : 0)),
    );
  }); // prettier-ignore
  const steps = Buffer.from(common.steps, "base64");
  const cut = bits.map((bit, i) => (i % longest < steps.readInt32LE(4 * Math.floor(i / (feet.length * longest))) ? bit : 0));
  return { kind: "gait", ...common, path: null, feet, touches: packBits(cut) };
}
