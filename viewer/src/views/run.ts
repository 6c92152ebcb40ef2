// The page of a run or of a lone archive.
import type { Archive } from "../data/archive";
import type { RunItem } from "../data/format";
import { cellCount } from "../data/grid";
import { landingsOf } from "../data/landing";
import { formatNumber, formatSeconds } from "../data/numbers";
import { tellingCell, type Panel } from "../data/panels";
import { openRun } from "../data/run";
import { arrowsFigure } from "../figures/arrows";
import { cloudsFigure } from "../figures/clouds";
import { mapsFigure } from "../figures/maps";
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
  const selection = new Selection(tellingCell(panels));
  const content: (Node | null)[] = [
    header(item.kind === "run" ? "Run" : "Archive", item.name, factsOf(item)),
    h("p", { class: "lead" }, ...storyOf(archives, panels, cellCount(item.grid))),
  ];
  if (panels.length > 0) {
    content.push(
      mapsFigure({
        title: "What was believed, and what is real",
        explanation: mapsExplanation(item),
        panels,
        names,
        selection,
      }).element,
      cloudsFigure(panels, names, selection).element,
    );
  }
  content.push(
    arrowsFigure(archives, item.grid, layout, names)?.element ?? null,
    archives.length > 0 ? summaryTable(archives) : null,
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

function mapsExplanation(item: RunItem): string {
  const where =
    item.grid.cells.length === 1
      ? "Each map is the descriptor as a strip of cells."
      : item.grid.cells.length === 2
        ? "Each map is the descriptor space, one small square per cell."
        : `Each map is the descriptor space: ${item.measure_names.slice(0, 2).join(" and ")} choose the block, ` +
          `${item.measure_names.slice(2).join(", ")} the cell inside it.`;
  return (
    `${where} As believed: every elite in the cell where one lucky evaluation put it. As it really is: every elite ` +
    "evaluated again many times and moved to the cell of its mean, the best of each cell kept. Point at a cell for its " +
    "figures; click it (or press Enter) to see its evaluations below."
  );
}

// The findings in a sentence or two.
function storyOf(archives: readonly Archive[], panels: readonly Panel[], cells: number): string[] {
  if (archives.every(({ size }) => size === 0)) return ["There are no solutions in it yet."];
  const sentences = archives.map((archive) => {
    const believed = panels.find((panel) => panel.archive === archive && panel.state === "believed");
    const corrected = panels.find((panel) => panel.archive === archive && panel.state === "corrected");
    const name = archive.label;
    if (believed && corrected) {
      const landings = landingsOf(archive);
      const left = landings && landings.leave > 0 ? ` ${formatNumber(landings.leave)} of its elites leave the cell they were filed under.` : "";
      return (
        `${name} claims ${formatNumber(believed.filled)} of ${formatNumber(cells)} cells; evaluated again, it really ` +
        `fills ${formatNumber(corrected.filled)}.${left} `
      );
    }
    if (corrected) return `${name} really fills ${formatNumber(corrected.filled)} of ${formatNumber(cells)} cells. `;
    if (believed) return `${name} claims ${formatNumber(believed.filled)} of ${formatNumber(cells)} cells; it was not evaluated again. `;
    return `${name} holds ${formatNumber(archive.size)} solutions without figures. `;
  });
  return sentences;
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
