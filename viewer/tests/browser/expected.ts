// What a page ought to show, read from the data it carries. Unpacked here by Node's own means, not by the page's code, so
// that the two can disagree.
import type { ArchiveData, RunItem } from "../../src/data/format";

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
  const believed = archive.believed && { cell: i32(archive.believed.cell), fitness: f32(archive.believed.fitness) };
  const real = archive.real && {
    cell: i32(archive.real.cell),
    fitness: f32(archive.real.fitness),
    spread: f32(archive.real.spread),
    probability: f32(archive.real.probability),
    kept: i32(archive.real.kept),
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
  const bytes = Buffer.from(samples.values, "base64");
  let alive = 0;
  for (let s = 0; s < samples.count; ++s) {
    if (bytes.readUInt16LE(2 * (r * samples.count + s) * m) !== 65535) ++alive;
  }
  return alive;
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

function f32(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

function i32(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i));
}
