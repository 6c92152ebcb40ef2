// Made-up runs and studies, shaped like those of the noisy arm.
import type { Grid, Report, RunItem, StudyData, StudyItem } from "../../src/data/format";
import { Random } from "./random";
import { makeArchive } from "./synthetic-archive";
import { makeGaits, makePaths, stretched } from "./synthetic-motion";

export function unitGrid(...cells: number[]): Grid {
  return { cells, lower: cells.map(() => 0), upper: cells.map(() => 1) };
}

export interface RunOptions {
  cells?: number[];
  seed?: number;
  samples?: number;
  failing?: number;
  aria?: boolean; // with an archive that it started from
  name?: string;
}

// Of an ant, whose descriptor is the place where it ends up, or of a walker: the shares of time its feet are down, of
// which it has as many as the grid has dimensions.
export function makeRobot(kind: "path" | "gait", options: RunOptions = {}): RunItem {
  const run = makeRun({ cells: [16, 16], ...options });
  if (kind === "gait") {
    return { ...run, task: "walker", archives: run.archives.map((archive, i) => ({ ...archive, motion: makeGaits(archive, i) })) };
  }
  const reach = 15;
  const grid = { cells: run.grid.cells, lower: [-reach, -reach], upper: [reach, reach] };
  const archives = run.archives.map((archive, i) => {
    const moved = stretched(archive, grid);
    return { ...moved, motion: makePaths(moved, reach, i) };
  });
  return { ...run, task: "ant", grid, archives };
}

export function makeRun(options: RunOptions = {}): RunItem {
  const { cells = [32, 32], seed = 1, samples = 64, failing = 0, aria = true } = options;
  const grid = unitGrid(...cells);
  const width = 1 / Math.max(...cells);
  const common = { grid, noise: 0.3 * width, samples };
  const initial = makeArchive({
    ...common, seed, label: "MAP-Elites archive", role: aria ? "initial" : "result", luck: 0.7 * width, reach: 0.53, failing,
  }); // prettier-ignore
  const result = makeArchive({
    ...common, seed: seed + 1, label: "ARIA's archive", role: "result", luck: 0.1 * width, reach: 0.51, failing: 0,
  }); // prettier-ignore
  return {
    kind: "run",
    name: options.name ?? "runs/a",
    task: "arm",
    algorithm: aria ? "aria-me" : "map-elites",
    seed,
    settings: [
      { name: "task.joints", value: "8" },
      { name: "algorithm.sigma", value: "0.005" },
      { name: "algorithm.pairs", value: "2048" },
    ],
    grid,
    measure_names: ["x", "y", "z", "u", "v"].slice(0, cells.length),
    fitness_range: [-1, 0],
    evaluations: 422_912_000,
    seconds: 4.27,
    archives: aria ? [initial, result] : [initial],
    progress: {
      columns: ["evaluations", "phase", "cells", "best_fitness"],
      rows: Array.from({ length: 40 }, (_, i) => [
        (i + 1) * 10_572_800,
        i < 4 ? "map-elites" : i < 20 ? "improvement" : "completion",
        Math.round(1024 * (1 - Math.exp(-i / 8))),
        i === 0 ? null : -0.2 * Math.exp(-i / 5),
      ]),
    },
  };
}

const algorithms: [name: string, label: string, level: number, published: [number, number, number] | null][] = [
  ["aria-me", "ARIA-ME", 1, [722.41, 426.83, 653.37]],
  ["aria-es", "ARIA-ES", 0.85, [587.3, 428.22, 647.37]],
  ["aria-linear", "Linear RIM", 0.95, [704.68, 394.23, 542.58]],
  ["mome-r", "MOME-R", 0.74, [538.62, 303.57, 258.03]],
  ["me-sa-r", "ME-Sa-R", 0.74, [538.19, 304.37, 258.94]],
  ["me-sa", "ME-Sa", 0.73, null],
  ["map-elites", "MAP-Elites", 0.68, [506.34, 288.63, 318.59]],
];

const metrics = [
  ["corrected.qd_score", "QD-Score", 720], ["corrected.v_score", "V-Score", 430], ["corrected.p_score", "P-Score", 650],
  ["corrected.coverage", "Coverage", 0.84], ["corrected.max_fitness", "Max fitness", -0.02], ["corrected.cells", "Cells", 856],
  ["illusory.qd_score", "QD-Score, believed", 800], ["illusory.coverage", "Coverage, believed", 0.9],
  ["illusory.max_fitness", "Max fitness, believed", 0.03], ["illusory.cells", "Cells, believed", 920],
  ["fixed.corrected.qd_score", "QD-Score, fixed range", 825], ["fixed.corrected.v_score", "V-Score, fixed range", 855],
  ["fixed.illusory.qd_score", "QD-Score, believed, fixed range", 890],
  ["coverage_gain", "Coverage gained over the start", 0.5], ["evaluations", "Evaluations", 4.28e8], ["seconds", "Seconds", 6],
] as const; // prettier-ignore

export function makeStudy(seed = 1, replications = 10): StudyItem {
  const random = new Random(seed);
  const thresholds = Array.from({ length: 50 }, (_, i) => -0.3 + (0.3 * i) / 49);
  const data: StudyData = {
    format: 1,
    task: "arm",
    preset: "paper",
    seed,
    replications,
    reevaluations: 1024,
    metrics: metrics.map(([key, label]) => ({ key, label, higher_is_better: key !== "seconds" && key !== "evaluations" })),
    algorithms: algorithms.map(([name, label, level, published]) => {
      const runs = Array.from({ length: replications }, (_, i) => ({
        seed: seed + i,
        folder: `${name}/${i}`,
        evaluations: 4.28e8,
        seconds: 6,
        metrics: Object.fromEntries(
          metrics.map(([key, , size]): [string, number | null] => [
            key,
            key === "coverage_gain" && level < 0.9
              ? null
              : key === "evaluations"
                ? size
                : key.endsWith("cells")
                  ? Math.round(size * level * (1 + 0.01 * random.normal()))
                  : size * level * (1 + 0.015 * random.normal()),
          ]),
        ),
      }));
      const summary = Object.fromEntries(
        metrics.flatMap(([key]) => {
          const values = runs.flatMap(({ metrics: own }) => own[key] ?? []).sort((a, b) => a - b);
          return values.length > 0 ? [[key, { median: quantile(values, 0.5), lower: quantile(values, 0.25), upper: quantile(values, 0.75) }]] : [];
        }),
      );
      const share = thresholds.map((t) => 0.84 * level / (1 + Math.exp((t + 0.16 - 0.06 * level) * 40)));
      return {
        name,
        label,
        runs,
        summary,
        published: published && { qd_score: published[0], v_score: published[1], p_score: published[2] },
        profile: { median: share, lower: share.map((s) => s * 0.97), upper: share.map((s) => Math.min(1, s * 1.02)) },
        median_run: 4,
      };
    }),
    ranges: { fitness: [-0.263, -0.001], negative_variance: [-0.00022, -0.00018] },
    fixed_ranges: { fitness: [-1, 0], negative_variance: [-1, 0] },
    thresholds,
    tests: [],
  };
  for (const metric of ["corrected.qd_score", "corrected.v_score", "corrected.p_score", "corrected.coverage"]) {
    data.algorithms.forEach((a, i) => {
      data.algorithms.slice(i + 1).forEach((b) => {
        const close = Math.abs((a.summary[metric]?.median ?? 0) - (b.summary[metric]?.median ?? 0)) < 10;
        const p = close ? 0.1 + 0.5 * random.uniform() : 0.00001 + 0.0008 * random.uniform();
        data.tests.push({ metric, a: a.name, b: b.name, statistic: 100, p, p_holm: Math.min(1, 21 * p), method: "exact" });
      });
    });
  }
  const runs = algorithms.map(([name], i) => {
    const aria = name.startsWith("aria");
    const run = makeRun({ seed: 10 * i, samples: 8, name: `runs/study/${name}/4`, aria });
    return { ...run, algorithm: name, archives: run.archives.slice(-1) };
  });
  return { kind: "study", name: "runs/study", data, runs };
}

// Makes learners of some of a study's algorithms: they learn until the last of three milestones.
export function withLearners(study: StudyItem, learners: readonly number[]): StudyItem {
  const progress = {
    columns: ["evaluations", "phase", "cells", "best_fitness", "critic_loss", "greedy_return"],
    rows: [[10, "PGA", 1, -1, 0.5, null], [20, "PGA", 2, -1, 0.25, 7], [30, "ARIA", 3, 0, null, null]], // prettier-ignore
  };
  return { ...study, runs: study.runs.map((run, i) => (learners.includes(i) ? { ...run, progress } : run)) };
}

function quantile(sorted: number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  return low + (position - below) * ((sorted[below + 1] ?? low) - low);
}

export function makeReport(...items: Report["items"]): Report {
  return { format: 1, version: "0.1.0", items };
}
