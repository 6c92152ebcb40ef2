// Where each solution that was believed to be somewhere really lands.
import { rowOf, type Archive } from "./archive";
import { at } from "./grid";

export interface Landing {
  row: number;
  cell: number; // believed
  realCell: number;
  from: Float32Array; // believed descriptor
  to: Float32Array; // mean descriptor
  stays: boolean;
}

export interface Landings {
  arrows: Landing[];
  stay: number;
  leave: number;
  failed: number; // every evaluation failed: there is nowhere to draw an arrow to
}

export function landingsOf(archive: Archive): Landings | null {
  const { believed, real, dimensions: m } = archive;
  if (!believed || !real) return null;
  const arrows: Landing[] = [];
  let failed = 0;
  believed.cell.forEach((cell, row) => {
    const realCell = at(real.cell, row);
    if (realCell < 0) ++failed;
    else if (cell >= 0) {
      const from = rowOf(believed.measures, row, m);
      const to = rowOf(real.measures, row, m);
      arrows.push({ row, cell, realCell, from, to, stays: cell === realCell });
    }
  });
  const stay = arrows.filter((arrow) => arrow.stays).length;
  return { arrows, stay, leave: arrows.length - stay, failed };
}
