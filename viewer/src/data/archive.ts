// An archive of the report, unpacked and checked.
import type { ArchiveData, BelievedData, Grid, RealData, SamplesData } from "./format";
import { at, cellCount } from "./grid";
import { openMotion, type Motion } from "./motion";
import { countOf, DataError, unpackF32, unpackI32, unpackQuantised } from "./packed";

export interface Believed {
  cell: Int32Array; // (n)
  fitness: Float32Array; // (n)
  measures: Float32Array; // (n x m)
}

export interface Real {
  cell: Int32Array; // (n) of the mean descriptor; -1: every evaluation failed
  fitness: Float32Array; // (n) mean
  fitnessStd: Float32Array; // (n)
  measures: Float32Array; // (n x m) mean
  spread: Float32Array; // (n)
  probability: Float32Array; // (n) of landing in `cell`
  probabilityLower: Float32Array; // (n)
  probabilityUpper: Float32Array; // (n)
  kept: Int32Array; // rows of the corrected archive
  evaluations: number;
  samples: Samples | null;
}

export interface Samples {
  count: number; // per solution
  values: Float32Array; // (n x count x m); NaN: failed
}

export interface Archive {
  label: string;
  role: ArchiveData["role"];
  size: number; // n
  dimensions: number; // m
  believed: Believed | null;
  real: Real | null;
  scores: ArchiveData["scores"];
  profile: ArchiveData["profile"];
  motion: Motion | null;
}

export function openArchive(data: ArchiveData, grid: Grid, name: string): Archive {
  if (!Number.isInteger(data.size) || data.size < 0) {
    throw new DataError(`${name}.size must be a whole number, got ${data.size}`);
  }
  return {
    label: data.label,
    role: data.role,
    size: data.size,
    dimensions: grid.cells.length,
    believed: data.believed && openBelieved(data.believed, data.size, grid, `${name}.believed`),
    real: data.real && openReal(data.real, data.size, grid, `${name}.real`),
    scores: data.scores,
    profile: data.profile,
    motion: data.motion && openMotion(data.motion, data.size, grid, `${name}.motion`),
  };
}

// Row `row` of an (n x m) array.
export function rowOf(values: Float32Array, row: number, m: number): Float32Array {
  return values.subarray(row * m, (row + 1) * m);
}

// The re-evaluated descriptors of a solution that did not fail.
export function samplesOf(archive: Archive, row: number): Float32Array[] {
  const samples = archive.real?.samples;
  if (!samples) return [];
  const m = archive.dimensions;
  return Array.from({ length: samples.count }, (_, s) => rowOf(samples.values, row * samples.count + s, m)).filter(
    (measures) => !Number.isNaN(measures[0]),
  );
}

function openBelieved(data: BelievedData, n: number, grid: Grid, name: string): Believed {
  return {
    cell: unpackI32(data.cell, n, -1, cellCount(grid), `${name}.cell`),
    fitness: unpackF32(data.fitness, n, `${name}.fitness`),
    measures: unpackF32(data.measures, n * grid.cells.length, `${name}.measures`),
  };
}

function openReal(data: RealData, n: number, grid: Grid, name: string): Real {
  const keptCount = countOf(data.kept, 4, n, `${name}.kept`);
  const real: Real = {
    cell: unpackI32(data.cell, n, -1, cellCount(grid), `${name}.cell`),
    fitness: unpackF32(data.fitness, n, `${name}.fitness`),
    fitnessStd: unpackF32(data.fitness_std, n, `${name}.fitness_std`),
    measures: unpackF32(data.measures, n * grid.cells.length, `${name}.measures`),
    spread: unpackF32(data.spread, n, `${name}.spread`),
    probability: unpackF32(data.probability, n, `${name}.probability`),
    probabilityLower: unpackF32(data.probability_lower, n, `${name}.probability_lower`),
    probabilityUpper: unpackF32(data.probability_upper, n, `${name}.probability_upper`),
    kept: unpackI32(data.kept, keptCount, 0, n, `${name}.kept`),
    evaluations: data.evaluations,
    samples: data.samples && openSamples(data.samples, n, grid.cells.length, `${name}.samples`),
  };
  real.kept.forEach((row) => {
    if (at(real.cell, row) < 0) throw new DataError(`${name}.kept must name solutions with a cell, got row ${row}`);
  });
  return real;
}

function openSamples(data: SamplesData, n: number, m: number, name: string): Samples {
  if (data.lower.length !== m || data.upper.length !== m) {
    throw new DataError(`${name}.lower and upper must have ${m} numbers`);
  }
  return { count: data.count, values: unpackQuantised(data.values, n * data.count * m, data, `${name}.values`) };
}
