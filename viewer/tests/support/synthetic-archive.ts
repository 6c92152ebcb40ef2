// Made-up archives in the likeness of the noisy arm: a ball of reachable cells, descriptors with noise.
import type { ArchiveData, Grid, Scores } from "../../src/data/format";
import { cellBounds, cellCount, cellOf } from "../../src/data/grid";
import { packF32, packI32, packU16 } from "./pack";
import { Random } from "./random";

export interface ArchiveOptions {
  grid: Grid;
  seed: number;
  label: string;
  role: ArchiveData["role"];
  luck: number; // how far believed descriptors are from the true ones
  reach: number; // radius of the cells that are filled, in shares of the grid
  noise: number; // of one evaluation
  samples: number; // kept per solution; 0: none
  failing: number; // rows that fail every time
}

const evaluations = 256;

export function makeArchive(options: ArchiveOptions): ArchiveData {
  const { grid, reach, noise, luck } = options;
  const random = new Random(options.seed);
  const m = grid.cells.length;
  const columns = { cell: [] as number[], fitness: [] as number[], measures: [] as number[] };
  const real = {
    cell: [] as number[], fitness: [] as number[], std: [] as number[], measures: [] as number[], spread: [] as number[],
    probability: [] as number[], lower: [] as number[], upper: [] as number[], samples: [] as number[],
  }; // prettier-ignore
  const kept = new Map<number, number>();
  for (let cell = 0; cell < cellCount(grid); ++cell) {
    const centre = cellBounds(grid, cell).map(({ lower, upper }) => (lower + upper) / 2);
    const away = Math.hypot(...centre.map((value) => value - 0.5));
    if (away > reach) continue;
    const row = columns.cell.length;
    const truth = centre.map((value) => value + luck * random.normal());
    const fitness = -0.04 - 0.4 * away * away + 0.015 * random.normal() - (luck > 0.01 ? 0.03 : 0);
    const drawn = Array.from({ length: evaluations }, () => truth.map((value) => value + noise * random.normal()));
    columns.cell.push(cell);
    columns.fitness.push(fitness + (luck > 0.01 ? 0.03 : 0));
    const within = centre.map((value, k) => value + ((random.uniform() - 0.5) * 0.9) / (grid.cells[k] ?? 1));
    columns.measures.push(...within);
    const mean = truth.map((_, k) => drawn.reduce((sum, d) => sum + (d[k] ?? 0), 0) / evaluations);
    if (row < options.failing) {
      real.cell.push(-1);
      real.fitness.push(Number.NaN);
      real.std.push(Number.NaN);
      real.measures.push(...mean.map(() => Number.NaN));
      real.spread.push(Number.NaN);
      real.probability.push(0);
      real.lower.push(0);
      real.upper.push(0.015);
      real.samples.push(...new Array<number>(options.samples * m).fill(65535));
      continue;
    }
    const there = cellOf(grid, mean);
    const probability = drawn.filter((d) => cellOf(grid, d) === there).length / evaluations;
    const squares = drawn.reduce((sum, d) => sum + d.reduce((s, value, k) => s + (value - (mean[k] ?? 0)) ** 2, 0), 0);
    const margin = 1.96 * Math.sqrt((probability * (1 - probability)) / evaluations);
    real.cell.push(there);
    real.fitness.push(fitness);
    real.std.push(0.01);
    real.measures.push(...mean);
    real.spread.push(Math.sqrt(squares / (evaluations - 1)));
    real.probability.push(probability);
    real.lower.push(Math.max(0, probability - margin));
    real.upper.push(Math.min(1, probability + margin));
    // quantised over [-0.25, 1.25]
    for (const d of drawn.slice(0, options.samples)) {
      real.samples.push(...d.map((value) => Math.round(((value + 0.25) / 1.5) * 65534)));
    }
    const best = kept.get(there);
    if (best === undefined || fitness > (real.fitness[best] ?? 0)) kept.set(there, row);
  }
  const n = columns.cell.length;
  const rows = [...kept.values()].sort((a, b) => a - b);
  const fitnessOf = (row: number) => real.fitness[row] ?? 0;
  const thresholds = Array.from({ length: 41 }, (_, i) => -0.3 + (i * 0.32) / 40);
  const cells = cellCount(grid);
  const illusory = scores(columns.fitness, cells);
  const corrected = scores(rows.map(fitnessOf), cells);
  return {
    role: options.role,
    label: options.label,
    size: n,
    believed: { cell: packI32(columns.cell), fitness: packF32(columns.fitness), measures: packF32(columns.measures) },
    real: {
      cell: packI32(real.cell),
      fitness: packF32(real.fitness),
      fitness_std: packF32(real.std),
      measures: packF32(real.measures),
      spread: packF32(real.spread),
      probability: packF32(real.probability),
      probability_lower: packF32(real.lower),
      probability_upper: packF32(real.upper),
      kept: packI32(rows),
      evaluations,
      samples:
        options.samples > 0
          ? {
              count: options.samples,
              lower: new Array<number>(m).fill(-0.25),
              upper: new Array<number>(m).fill(1.25),
              values: packU16(real.samples),
            }
          : null,
    },
    scores: {
      illusory,
      corrected: {
        ...corrected,
        p_score: rows.reduce((sum, row) => sum + (real.probability[row] ?? 0), 0),
        p_score_margin: 1.25,
        v_score: rows.length / 2,
      },
    },
    profile: {
      thresholds,
      share: thresholds.map((threshold) => rows.filter((row) => fitnessOf(row) >= threshold).length / cells),
    },
    motion: null,
  };
}

function scores(fitness: number[], cells: number): Scores {
  return {
    cells: fitness.length,
    coverage: fitness.length / cells,
    qd_score: fitness.reduce((sum, value) => sum + value + 1, 0),
    max_fitness: fitness.length > 0 ? Math.max(...fitness) : null,
  };
}
