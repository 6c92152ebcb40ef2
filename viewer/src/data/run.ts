// A run or an archive of the report, unpacked: its archives and the panels that its maps show.
import { openArchive, type Archive } from "./archive";
import type { RunItem } from "./format";
import { checkGrid, makeLayout, type Layout } from "./grid";
import { believedPanel, correctedPanel, type Panel } from "./panels";
import { DataError } from "./packed";

export interface OpenRun {
  item: RunItem;
  layout: Layout;
  archives: Archive[];
  panels: Panel[]; // believed and corrected of each archive, in order
}

export function openRun(item: RunItem): OpenRun {
  checkGrid(item.grid, "grid");
  if (item.measure_names.length !== item.grid.cells.length) {
    throw new DataError(`measure_names must have ${item.grid.cells.length} names, got ${item.measure_names.length}`);
  }
  const layout = makeLayout(item.grid);
  const archives = item.archives.map((data, i) => openArchive(data, item.grid, `archives[${i}]`));
  const panels = archives.flatMap((archive) => [
    believedPanel(archive, item.grid, layout),
    correctedPanel(archive, item.grid, layout),
  ]);
  return { item, layout, archives, panels: panels.filter((panel) => panel !== null) };
}
