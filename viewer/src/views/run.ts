// The page of a run or of a lone archive.
import type { Archive } from "../data/archive";
import type { RunItem } from "../data/format";
import { cellCount } from "../data/grid";
import { landingsOf } from "../data/landing";
import { formatSeconds, quantity } from "../data/numbers";
import type { Panel } from "../data/panels";
import { openRun } from "../data/run";
import { arrowsFigure } from "../figures/arrows";
import { cloudsFigure } from "../figures/clouds";
import { mapsFigure } from "../figures/maps";
import { motionFigure } from "../figures/motion";
import { profileFigure } from "../figures/profile";
import { progressFigure } from "../figures/progress";
import { Selection } from "../figures/selection";
import { settingsTable } from "../figures/settings-table";
import { summaryTable } from "../figures/summary-table";
import { h } from "../ui/dom";
import { facts, header } from "./header";

export function runView(item: RunItem): HTMLElement {
  const { archives, panels, layout } = openRun(item);
  const names = item.measure_names;
  const selection = new Selection(panels);
  const content: (Node | null)[] = [
    header(item.kind === "run" ? "Run" : "Archive", item.name, factsOf(item)),
    h("ul", { class: "lead" }, ...storyOf(archives, panels, cellCount(item.grid)).map((words) => h("li", {}, ...words))),
  ];
  if (panels.length > 0) {
    content.push(
      mapsFigure({
        title: "What was believed, and what is real",
        explanation: mapsExplanation(item, archives.some(({ motion }) => motion)),
        names,
        selection,
      }).element,
      cloudsFigure(item.grid, names, selection).element,
      motionFigure(item.grid, names, selection)?.element ?? null,
    );
  }
  content.push(
    arrowsFigure(archives, item.grid, layout, names)?.element ?? null,
    archives.length > 0 ? summaryTable(archives, item.fitness_range) : null,
    profiles(archives),
    progressFigure(item)?.element ?? null,
    settingsTable(item),
  );
  return h("article", { class: "view" }, ...content);
}

function factsOf(item: RunItem): [string, string][] {
  return facts([
    ["task", item.task],
    ["algorithm", item.algorithm],
    ["seed", item.seed],
    ["grid", `${item.grid.cells.join(" × ")} cells`],
    ["evaluations", item.evaluations],
    ["time", item.seconds === null ? null : formatSeconds(item.seconds)],
  ]);
}

function mapsExplanation(item: RunItem, moves: boolean): string {
  const where =
    item.grid.cells.length === 1
      ? "Each map is the descriptor as a strip of cells."
      : item.grid.cells.length === 2
        ? "Each map is the descriptor space, one small square per cell."
        : `Each map is the descriptor space: ${item.measure_names.slice(0, 2).join(" and ")} choose the block, ` +
          `${item.measure_names.slice(2).join(", ")} the cell inside it.`;
  return (
    `${where} As believed: every elite in the cell where the algorithm put it, after few evaluations. As it really is: every elite ` +
    "evaluated again many times and moved to the cell of its mean, the best of each cell kept. Point at a cell for its " +
    `figures; click it (or press Enter) to see its evaluations${moves ? " and how its solution moves" : ""} below.`
  );
}

// The findings in a sentence per archive.
function storyOf(archives: readonly Archive[], panels: readonly Panel[], cells: number): Node[][] {
  return archives.map((archive) => {
    const filled = (state: Panel["state"]) =>
      panels.find((panel) => panel.archive === archive && panel.state === state)?.filled ?? null;
    return [h("strong", {}, archive.label), document.createTextNode(storyWords(archive, filled("believed"), filled("corrected"), cells))];
  });
}

function storyWords(archive: Archive, believed: number | null, corrected: number | null, cells: number): string {
  const all = quantity(cells, "cell");
  if (archive.size === 0) return ": no solutions.";
  if (believed === null && corrected === null) return `: ${quantity(archive.size, "solution")}, without figures.`;
  if (corrected === null) return `: believed to fill ${believed ?? 0} of ${all}; not evaluated again.`;
  if (believed === null) return `: really fills ${corrected} of ${all}.`;
  const leave = landingsOf(archive)?.leave ?? 0;
  const leaving = leave > 0 ? `; ${quantity(leave, "elite")} of ${archive.size} leave the cell they were filed under` : "";
  return `: believed to fill ${believed} of ${all}, really fills ${corrected}${leaving}.`;
}

function profiles(archives: readonly Archive[]): HTMLElement | null {
  const series = archives.flatMap(({ label, profile }) =>
    profile && profile.thresholds.length > 0 ? [{ label, ...profile, band: null }] : [],
  );
  if (series.length === 0) return null;
  const explanation =
    "The share of all cells that really hold an elite of at least the fitness on the horizontal axis. Higher is better; " +
    "the left end is the coverage.";
  return profileFigure(series, explanation).element;
}
