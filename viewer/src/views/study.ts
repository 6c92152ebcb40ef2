// The page of a study.
import type { StudyData, StudyItem } from "../data/format";
import { believedPanel, correctedPanel, type Panel } from "../data/panels";
import { openRun, type OpenRun } from "../data/run";
import { boxesFigure } from "../figures/boxes";
import { budgetFigure } from "../figures/budget";
import { cloudsFigure } from "../figures/clouds";
import { learningFigure } from "../figures/learning";
import { mapsFigure } from "../figures/maps";
import { motionFigure } from "../figures/motion";
import { profileFigure } from "../figures/profile";
import { Selection } from "../figures/selection";
import { significanceTable } from "../figures/significance";
import { studyTables } from "../figures/study-table";
import { radioChoice } from "../ui/choice";
import { h } from "../ui/dom";
import { facts, header } from "./header";

export function studyView(study: StudyItem): HTMLElement {
  const { name, data, runs } = study;
  return h(
    "article",
    { class: "view" },
    header(
      "Study",
      name,
      facts([
        ["task", data.task],
        ["preset", data.preset],
        ["seed", data.seed],
        ["algorithms", data.sweep?.curves.length ?? data.algorithms.length],
        ["replications", data.replications],
        ["re-evaluations", data.reevaluations],
      ]),
    ),
    h("p", { class: "lead" }, leadOf(data)),
    budgetFigure(data)?.element ?? null,
    studyTables(data),
    profiles(data),
    boxesFigure(data)?.element ?? null,
    significanceTable(data),
    learningFigure(study)?.element ?? null,
    ...medianMaps(data, runs.map(openRun)),
  );
}

function leadOf(data: StudyData): string {
  const key = "corrected.p_score";
  const ranked = data.algorithms
    .flatMap(({ label, summary }) => (summary[key] ? [{ label, median: summary[key].median }] : []))
    .sort((a, b) => b.median - a.median);
  const best = ranked[0];
  const last = ranked[ranked.length - 1];
  const compared = `${data.algorithms.map(({ label }) => label).join(", ")}, compared on what their archives really hold.`;
  if (!best || !last || ranked.length < 2) return compared;
  return (
    `${compared} By P-Score, the expected number of elites that stay where they are filed, ${best.label} comes first ` +
    `(median ${best.median.toFixed(1)}) and ${last.label} last (${last.median.toFixed(1)}).`
  );
}

function profiles(data: StudyData): HTMLElement | null {
  const series = data.algorithms.flatMap(({ label, profile }) =>
    profile.median.length > 0 ? [{ label, thresholds: data.thresholds, share: profile.median, band: profile }] : [],
  );
  if (series.length === 0) return null;
  return profileFigure(
    series,
    "The share of all cells that really hold an elite of at least the fitness on the horizontal axis: median over the " +
      "replications, with the band between the quartiles. Higher is better; the left end is the coverage.",
  ).element;
}

type State = Panel["state"];

// Each algorithm's run of median QD-Score; the reader chooses which side of it to see.
function medianMaps(data: StudyData, runs: readonly OpenRun[]): HTMLElement[] {
  const panelsOf = (state: State) =>
    runs.flatMap(({ item, archives, layout }, i) => {
      const archive = archives.find(({ role }) => role === "result");
      const make = state === "believed" ? believedPanel : correctedPanel;
      const panel = archive ? make(archive, item.grid, layout, data.algorithms[i]?.label ?? item.name) : null;
      return panel ? [panel] : [];
    });
  const sides = [
    { value: "corrected" as const, label: "As they really are", panels: panelsOf("corrected") },
    { value: "believed" as const, label: "As believed", panels: panelsOf("believed") },
  ].filter(({ panels }) => panels.length > 0);
  const first = sides[0];
  const grid = runs[0]?.item.grid;
  if (!first || !grid) return [];
  const names = runs[0]?.item.measure_names ?? [];
  const selection = new Selection(first.panels);
  const choice = radioChoice("Archives", sides, first.value, (state) => {
    selection.show(sides.find(({ value }) => value === state)?.panels ?? first.panels);
  });
  const motion = motionFigure(grid, names, selection);
  return [
    mapsFigure({
      title: "The median replication of each algorithm",
      explanation:
        "The archive of the replication with the median QD-Score, as re-evaluation finds it or as the algorithm believes " +
        "it to be. One colour scale for all. Point at a cell for its figures; click it to see its evaluations below.",
      controls: sides.length > 1 ? [choice] : [],
      names,
      selection,
    }).element,
    cloudsFigure(grid, names, selection).element,
    ...(motion ? [motion.element] : []),
  ];
}
