// What a page ought to show, read from the data it carries. Unpacked here by Node's own means, not by the page's code, so
// that the two can disagree.
import type { ArchiveData, Grid, MotionData, RunItem } from "../../src/data/format";
import { readF32, readI32, readU16 } from "../support/pack";

export interface ExpectedCell {
  believedFitness: number | null;
  fitness: number | null;
  spread: number | null;
  probability: number | null; // null where only the samples could tell
  realCell: number | null;
}

export interface ExpectedMap {
  title: string;
  state: "believed" | "corrected";
  cells: Map<number, ExpectedCell>;
  row: Map<number, number>; // cell to row of the archive
  archive: ArchiveData;
}

export function expectedMaps(item: RunItem, titles?: string): ExpectedMap[] {
  return item.archives.flatMap((archive) => {
    const maps: ExpectedMap[] = [];
    const title = titles ?? archive.label;
    if (archive.believed) maps.push(mapOf(archive, title, "believed"));
    if (archive.real) maps.push(mapOf(archive, title, "corrected"));
    return maps;
  });
}

function mapOf(archive: ArchiveData, title: string, state: ExpectedMap["state"]): ExpectedMap {
  const believed = archive.believed && { cell: readI32(archive.believed.cell), fitness: readF32(archive.believed.fitness) };
  const real = archive.real && {
    cell: readI32(archive.real.cell),
    fitness: readF32(archive.real.fitness),
    spread: readF32(archive.real.spread),
    probability: readF32(archive.real.probability),
    kept: readI32(archive.real.kept),
  };
  const rows = new Map<number, number>();
  if (state === "corrected") {
    for (const row of real?.kept ?? []) rows.set(real?.cell[row] ?? -1, row);
  } else {
    believed?.cell.forEach((cell, row) => {
      const other = rows.get(cell);
      if (cell >= 0 && (other === undefined || (believed.fitness[row] ?? 0) > (believed.fitness[other] ?? 0))) rows.set(cell, row);
    });
  }
  const cells = new Map<number, ExpectedCell>();
  for (const [cell, row] of rows) {
    const there = real?.cell[row] ?? -1;
    const alive = there >= 0;
    cells.set(cell, {
      believedFitness: state === "believed" ? (believed?.fitness[row] ?? null) : null,
      fitness: alive ? (real?.fitness[row] ?? null) : null,
      spread: alive ? (real?.spread[row] ?? null) : null,
      probability: there === cell ? (real?.probability[row] ?? null) : null,
      realCell: alive ? there : null,
    });
  }
  return { title, state, cells, row: rows, archive };
}

// How many samples of a row did not fail.
export function sampleCount({ archive, row }: ExpectedMap, cell: number): number {
  const samples = archive.real?.samples;
  const r = row.get(cell);
  if (!samples || r === undefined) return 0;
  const m = samples.lower.length;
  const values = readU16(samples.values);
  let alive = 0;
  for (let s = 0; s < samples.count; ++s) {
    if (values[(r * samples.count + s) * m] !== 65535) ++alive;
  }
  return alive;
}

export interface ExpectedMotion {
  rollouts: number;
  inside: number; // of them
  shares: number[]; // of a gait: every foot of each rollout
}

// Null where the map's elite in the cell has none.
export function expectedMotion({ archive, row }: ExpectedMap, cell: number, grid: Grid): ExpectedMotion | null {
  const { motion } = archive;
  const place = motion ? readI32(motion.rows).indexOf(row.get(cell) ?? -1) : -1;
  if (!motion || place < 0) return null;
  const landings = motion.path ? endsOf(motion, place) : sharesOf(motion, place);
  const inside = landings.filter((values) => isIn(grid, values, cell)).length;
  return { rollouts: motion.rollouts, inside, shares: motion.path ? [] : landings.flat() };
}

function endsOf({ path, rollouts }: MotionData, place: number): number[][] {
  if (!path) return [];
  const values = readU16(path.values);
  return Array.from({ length: rollouts }, (_, r) => {
    const last = 2 * ((place * rollouts + r + 1) * path.points - 1);
    return [0, 1].map((k) => {
      const [q = 65535, lower = 0, upper = 0] = [values[last + k], path.lower[k], path.upper[k]];
      return q === 65535 ? Number.NaN : Math.fround(lower + (q / 65534) * (upper - lower));
    });
  });
}

function sharesOf({ feet, touches, steps, rollouts, longest }: MotionData, place: number): number[][] {
  const bytes = Buffer.from(touches ?? "", "base64");
  const lengths = readI32(steps);
  return Array.from({ length: rollouts }, (_, r) =>
    feet.map((_, foot) => {
      const episode = place * rollouts + r;
      const first = (feet.length * episode + foot) * longest;
      let down = 0;
      for (let i = first; i < first + longest; ++i) down += ((bytes[Math.floor(i / 8)] ?? 0) >> i % 8) % 2;
      return down / (lengths[episode] ?? 0);
    }),
  );
}

function isIn(grid: Grid, values: number[], cell: number): boolean {
  const found = values.reduce((outer, value, k) => {
    const [lower = 0, upper = 1, count = 1] = [grid.lower[k], grid.upper[k], grid.cells[k]];
    return outer * count + Math.min(count - 1, Math.max(0, Math.floor(((value - lower) / (upper - lower)) * count)));
  }, 0);
  return found === cell;
}

// Whether a text on the screen shows this number, to its digits.
export function shows(text: string | undefined, value: number | null, digits = 4): boolean {
  if (text === undefined) return false;
  if (value === null || !Number.isFinite(value)) return text.startsWith("–");
  const shown = parseShown(text);
  if (value === 0) return shown === 0;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  return Math.abs(shown - value) <= 0.5001 * Math.max(unit, 1e-12);
}

// The number that a text begins with.
export function parseShown(text: string): number {
  const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const match = /^([−+]?[\d.\u202f]+)(?:×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?/.exec(text.trim());
  if (!match?.[1]) return Number.NaN;
  const mantissa = Number(match[1].replace("−", "-").replaceAll("\u202f", ""));
  const exponent = Number(Array.from(match[3] ?? "⁰", (digit) => raised.indexOf(digit)).join(""));
  return Number(`${mantissa}e${match[2] ? "-" : ""}${exponent}`);
}
