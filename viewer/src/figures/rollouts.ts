// The rollouts of the elite that each map has in the chosen cell.
import type { Grid } from "../data/format";
import { at } from "../data/grid";
import type { Motion } from "../data/motion";
import type { Panel } from "../data/panels";
import type { Selection } from "./selection";

export interface ShownPanel<M, R> {
  panel: Panel;
  motion: M;
  empty: boolean; // there is no elite in the cell
  rollouts: R[] | undefined; // undefined where they are not known
}

export function shownRollouts<M extends Motion, R>(
  { panels, chosen }: Selection,
  kind: M["kind"],
  read: (motion: M, row: number, grid: Grid, cell: number) => R[] | undefined,
): ShownPanel<M, R>[] {
  return panels.flatMap((panel) => {
    const { motion } = panel.archive;
    if (motion?.kind !== kind) return [];
    const row = at(panel.rowAt, chosen);
    const known = motion as M;
    return [{ panel, motion: known, empty: row < 0, rollouts: row < 0 ? undefined : read(known, row, panel.grid, chosen) }];
  });
}
