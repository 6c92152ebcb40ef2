// The curves of progress.csv: every numeric column over the evaluations, and where phases begin.
import type { RunItem } from "./format";

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

// "best_fitness" as a person would write it.
export function columnLabel(name: string): string {
  const labels: Record<string, string> = { cells: "Cells filled (believed)", best_fitness: "Best fitness (believed)" };
  return labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}
