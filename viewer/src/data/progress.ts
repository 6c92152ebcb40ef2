// The curves of progress.csv: every numeric column over the evaluations, and where phases begin.
import type { RunItem, StudyItem } from "./format";

export interface Curve {
  name: string;
  points: { evaluations: number; value: number }[];
}

export interface Progress {
  curves: Curve[];
  phases: { name: string; from: number }[];
}

export function progressOf(progress: RunItem["progress"]): Progress | null {
  if (!progress) return null;
  const time = progress.columns.indexOf("evaluations");
  if (time < 0) return null;
  const when = (row: (number | string | null)[]) => row[time];
  const curves = progress.columns.flatMap((name, column) => {
    if (column === time) return [];
    const points = progress.rows.flatMap((row) => {
      const evaluations = when(row);
      const value = row[column];
      return typeof evaluations === "number" && typeof value === "number" ? [{ evaluations, value }] : [];
    });
    return points.length > 0 ? [{ name, points }] : [];
  });
  const phase = progress.columns.indexOf("phase");
  const phases: Progress["phases"] = [];
  if (phase >= 0) {
    for (const row of progress.rows) {
      const name = row[phase];
      const from = when(row);
      if (typeof name === "string" && typeof from === "number" && phases[phases.length - 1]?.name !== name) {
        phases.push({ name, from });
      }
    }
  }
  return curves.length > 0 ? { curves, phases } : null;
}

// What every algorithm has; all other columns are told by those that learn something.
const commonColumns: readonly string[] = ["evaluations", "phase", "cells", "best_fitness"];

export interface LearningCurves {
  name: string; // of the column
  lines: { algorithm: number; label: string; points: Curve["points"] }[]; // algorithm: index into those of the study
}

// How the learners of a study did, in the run of each that its page holds.
export function learningCurves({ data, runs }: Pick<StudyItem, "data" | "runs">): LearningCurves[] {
  const curves = new Map<string, LearningCurves>();
  for (const [algorithm, { progress }] of runs.entries()) {
    for (const { name, points } of progressOf(progress)?.curves ?? []) {
      if (commonColumns.includes(name)) continue;
      const found = curves.get(name) ?? { name, lines: [] };
      found.lines.push({ algorithm, label: data.algorithms[algorithm]?.label ?? runs[algorithm]?.name ?? "", points });
      curves.set(name, found);
    }
  }
  return [...curves.values()];
}

// "best_fitness" as a person would write it.
export function columnLabel(name: string): string {
  const labels: Record<string, string> = {
    cells: "Cells filled (believed)",
    best_fitness: "Best fitness (believed)",
    greedy_return: "Return of greedy policy",
    kept_of_iso_line: "Kept of iso+line offspring",
    kept_of_gradient: "Kept of gradient offspring",
  };
  return labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}
