// The page of a study.
import type { StudyData, StudyItem } from "../data/format";
import { tellingCell, believedPanel, correctedPanel, type Panel } from "../data/panels";
import { openRun, type OpenRun } from "../data/run";
import { boxesFigure } from "../figures/boxes";
import { cloudsFigure } from "../figures/clouds";
import { mapsFigure } from "../figures/maps";
import { profileFigure } from "../figures/profile";
import { Selection } from "../figures/selection";
import { significanceTable } from "../figures/significance";
import { studyTables } from "../figures/study-table";
import { radioChoice } from "../ui/choice";
import { h } from "../ui/dom";
import { facts, header } from "./header";

export function studyView({ name, data, runs }: StudyItem): HTMLElement {
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
        ["algorithms", data.algorithms.length],
        ["replications", data.replications],
        ["re-evaluations", data.reevaluations],
      ]),
    ),
    h("p", { class: "lead" }, leadOf(data)),
    studyTables(data),
    profiles(data),
    boxesFigure(data)?.element ?? null,
    significanceTable(data),
    medianMaps(data, runs.map(openRun)),
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
function medianMaps(data: StudyData, runs: readonly OpenRun[]): HTMLElement | null {
  const panelsOf = (state: State) =>
    runs.flatMap(({ item, archives, layout }, i) => {
      const archive = archives.find(({ role }) => role === "result");
      const algorithm = data.algorithms[i];
      const title = algorithm?.label ?? item.name;
      const make = state === "believed" ? believedPanel : correctedPanel;
      const panel = archive ? make(archive, item.grid, layout, title) : null;
      return panel ? [panel] : [];
    });
  const sides: Record<State, Panel[]> = { corrected: panelsOf("corrected"), believed: panelsOf("believed") };
  const states = (["corrected", "believed"] as const).filter((state) => sides[state].length > 0);
  const first = states[0];
  const names = runs[0]?.item.measure_names ?? [];
  if (!first) return null;
  const place = h("div", {});
  const show = (state: State) => {
    const panels = sides[state];
    const selection = new Selection(tellingCell(sides.believed.length > 0 ? sides.believed : panels));
    place.replaceChildren(
      mapsFigure({
        title: "The median replication of each algorithm",
        explanation:
          "The archive of the replication with the median QD-Score, " +
          (state === "believed" ? "as the algorithm believes it to be. " : "as re-evaluation finds it. ") +
          "One colour scale for all. Point at a cell for its figures; click it to see its evaluations below.",
        panels,
        names,
        selection,
      }).element,
      cloudsFigure(panels, names, selection).element,
    );
  };
  show(first);
  const labels: Record<State, string> = { corrected: "as they really are", believed: "as believed" };
  const choice = radioChoice(
    "Show the archives",
    states.map((value) => ({ value, label: labels[value] })),
    first,
    show,
  );
  return h("section", { class: "median-maps" }, h("h3", {}, "Maps"), states.length > 1 ? choice : null, place);
}
