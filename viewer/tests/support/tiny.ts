// An archive of three solutions on a grid of 2 x 2 cells, small enough to check by hand: solution 0 was believed in cell 0
// and is really in 1, solution 1 stays in cell 1 and is the best there, solution 2 fails every time.
import type { ArchiveData } from "../../src/data/format";
import { packF32, packI32, packU16 } from "./pack";
import { unitGrid } from "./synthetic";

export const tinyGrid = unitGrid(2, 2);

export function tinyArchive(): ArchiveData {
  const missing = Number.NaN;
  const q = (value: number) => Math.round(value * 65534);
  return {
    role: "result",
    label: "tiny",
    size: 3,
    believed: {
      cell: packI32([0, 1, 3]),
      fitness: packF32([-0.5, -0.25, 0]),
      measures: packF32([0.25, 0.375, 0.25, 0.75, 0.75, 0.75]),
    },
    real: {
      cell: packI32([1, 1, -1]),
      fitness: packF32([-1, -0.75, missing]),
      fitness_std: packF32([0.125, 0.125, missing]),
      measures: packF32([0.25, 0.625, 0.25, 0.875, missing, missing]),
      spread: packF32([0.0625, 0.03125, missing]),
      probability: packF32([0.5, 0.75, 0]),
      probability_lower: packF32([0.25, 0.625, 0]),
      probability_upper: packF32([0.75, 0.875, 0.25]),
      kept: packI32([1]),
      evaluations: 64,
      samples: {
        count: 4,
        lower: [0, 0],
        upper: [1, 1],
        values: packU16([
          ...[q(0.25), q(0.75), 65535, 65535, q(0.25), q(0.25), 65535, 65535],
          ...[q(0.25), q(0.75), q(0.25), q(0.75), q(0.25), q(0.75), q(0.25), q(0.25)],
          ...new Array<number>(8).fill(65535),
        ]),
      },
    },
    scores: { illusory: null, corrected: null },
    profile: null,
    motion: null,
  };
}
