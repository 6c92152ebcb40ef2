// Curves of a budget sweep: what each algorithm reaches over what it spends.
import type { StudyData } from "./format";

export type Cost = "evaluations" | "seconds";

export const sweptMetrics = [
  { key: "corrected.qd_score", published: "qd_score", label: "QD-Score" },
  { key: "corrected.p_score", published: "p_score", label: "P-Score" },
  { key: "corrected.coverage", published: null, label: "Coverage" },
] as const;

export type SweptMetric = (typeof sweptMetrics)[number];

export interface BudgetPoint {
  share: number;
  cost: number;
  median: number;
  lower: number;
  upper: number;
}

export interface BudgetCurve {
  name: string;
  label: string;
  points: BudgetPoint[]; // cheapest first
  published: { cost: number; value: number } | null;
}

// A logarithmic axis has no place for what costs nothing.
export function budgetCurves(data: StudyData, metric: SweptMetric, cost: Cost): BudgetCurve[] {
  return (data.sweep?.curves ?? []).map(({ name, label, points }) => ({
    name,
    label,
    points: points
      .flatMap(({ algorithm, share }) => {
        const summary = data.algorithms[algorithm]?.summary;
        const value = summary?.[metric.key];
        const spent = summary?.[cost]?.median;
        return value && spent !== undefined && spent > 0 ? [{ share, cost: spent, ...value }] : [];
      })
      .sort((a, b) => a.cost - b.cost),
    published: publishedPoint(data, name, metric, cost),
  }));
}

function publishedPoint(data: StudyData, name: string, metric: SweptMetric, cost: Cost): BudgetCurve["published"] {
  const published = data.sweep?.published.find((row) => row.name === name);
  const spent = published?.[cost];
  if (!published || !spent || !metric.published) return null;
  return { cost: spent, value: published[metric.published] };
}
