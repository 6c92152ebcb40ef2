// The data of a report page, as the program writes it:
//   <script type="application/json" id="aria-report">…</script>      ("<" escaped as \u003c)
// Numbers that are not finite are null in JSON and NaN in packed arrays. n solutions, m measures (the descriptor).

// Base64 of a little-endian array of the type named.
export type PackedF32 = string;
export type PackedI32 = string;
export type PackedU16 = string;
// Base64 of bytes, eight values of 0 or 1 in each: the first one is the lowest bit.
export type PackedBits = string;

export interface Report {
  format: 1;
  version: string; // of the program
  items: (RunItem | StudyItem)[]; // in the order given on the command line
}

// Cells are numbered in C order: the last dimension is the fastest.
export interface Grid {
  cells: number[];
  lower: number[];
  upper: number[];
}

// As in summary.json.
export interface Scores {
  cells: number;
  coverage: number;
  qd_score: number;
  max_fitness: number | null;
  p_score?: number;
  p_score_margin?: number;
  v_score?: number;
}

export interface ArchiveData {
  role: "initial" | "result"; // what an ARIA run started from, or what the run ended with (also a lone archive)
  label: string; // e.g. "MAP-Elites archive", "ARIA's archive"
  size: number; // n
  believed: BelievedData | null; // null where the archive came without
  real: RealData | null; // null where it was not re-evaluated
  scores: { illusory: Scores | null; corrected: Scores | null };
  profile: { thresholds: number[]; share: number[] } | null; // of the corrected archive
  motion: MotionData | null; // null where nothing moves
}

// What the algorithm believes.
export interface BelievedData {
  cell: PackedI32;
  fitness: PackedF32;
  measures: PackedF32; // (n x m)
}

// What re-evaluation found: one row per solution, in the same order.
export interface RealData {
  cell: PackedI32; // of the mean descriptor; -1: every evaluation failed
  fitness: PackedF32; // mean
  fitness_std: PackedF32;
  measures: PackedF32; // (n x m) mean descriptor
  spread: PackedF32; // square root of the trace of the descriptor covariance
  probability: PackedF32; // of landing in `cell`
  probability_lower: PackedF32; // 95 % confidence interval
  probability_upper: PackedF32;
  kept: PackedI32; // rows that stay in the corrected archive: the best of each cell
  evaluations: number; // M per solution
  samples: SamplesData | null;
}

// A few of the M descriptors of each solution: value = lower + q / 65534 * (upper - lower); q = 65535: failed.
export interface SamplesData {
  count: number; // K per solution
  lower: number[];
  upper: number[];
  values: PackedU16; // (n x K x m)
}

// How some of the solutions move: R rollouts of each of s solutions.
export interface MotionData {
  kind: "path" | "gait";
  rows: PackedI32; // (s) of the archive
  rollouts: number; // R
  steps: PackedI32; // (s x R) length of each episode
  step_seconds: number;
  longest: number; // steps that an episode may have
  path: PathData | null; // of kind "path"
  feet: string[]; // of kind "gait": their names, one for each measure, which is the share of time it is on the ground
  touches: PackedBits | null; // of kind "gait": (s x R x feet x longest) whether a foot is on the ground
}

// The way of the torso over the ground, in metres, P places evenly spread over the episode: the first at its start, the
// last at its end. Packed as samples are; 65535: there is no such place.
export interface PathData {
  points: number; // P
  lower: number[];
  upper: number[];
  values: PackedU16; // (s x R x P x 2)
}

export interface RunItem {
  kind: "run" | "archive";
  name: string; // as given on the command line
  task: string | null;
  algorithm: string | null;
  seed: number | null;
  settings: { name: string; value: string }[];
  grid: Grid;
  measure_names: string[]; // e.g. ["x", "y"]
  fitness_range: [number, number];
  evaluations: number | null;
  seconds: number | null;
  archives: ArchiveData[]; // initial first (if any), then result
  progress: { columns: string[]; rows: (number | string | null)[][] } | null; // progress.csv
}

export interface Quartiles {
  median: number;
  lower: number;
  upper: number;
}

export interface StudyAlgorithm {
  name: string; // "aria-me"
  label: string; // "ARIA-ME"
  runs: StudyRun[];
  summary: Record<string, Quartiles>; // by metric
  published: { qd_score: number; v_score: number; p_score: number } | null;
  profile: { median: number[]; lower: number[]; upper: number[] }; // over `thresholds`
  median_run: number; // index into runs: the run of median QD-Score (lower one of two)
}

export interface StudyRun {
  seed: number;
  folder: string;
  evaluations: number;
  seconds: number;
  metrics: Record<string, number | null>;
}

// study.json, as it is.
export interface StudyData {
  format: 1;
  task: string;
  preset: string;
  seed: number;
  replications: number;
  reevaluations: number;
  // keys such as "corrected.qd_score", "illusory.coverage", "fixed.corrected.v_score", "coverage_gain", "seconds"
  metrics: { key: string; label: string; higher_is_better: boolean }[];
  algorithms: StudyAlgorithm[];
  ranges: { fitness: [number, number]; negative_variance: [number, number] };
  fixed_ranges: { fitness: [number, number]; negative_variance: [number, number] };
  thresholds: number[];
  tests: StudyTest[];
  sweep?: BudgetSweep; // of a study at several budgets: its algorithms are one at several budgets each
}

export interface BudgetSweep {
  curves: { name: string; label: string; points: { algorithm: number; share: number }[] }[]; // indices into algorithms
  published: { name: string; evaluations: number; seconds: number | null; qd_score: number; p_score: number }[];
}

export interface StudyTest {
  metric: string;
  a: string; // names of algorithms
  b: string;
  statistic: number;
  p: number;
  p_holm: number;
  method: "exact" | "normal";
}

export interface StudyItem {
  kind: "study";
  name: string;
  data: StudyData;
  runs: RunItem[]; // the median replication of each algorithm, in the order of data.algorithms; samples may be null
}
