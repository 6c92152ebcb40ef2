// What is to say of one cell of a map, in words and numbers.
import { rowOf } from "./archive";
import { at, cellBounds, coordinates } from "./grid";
import type { Grid } from "./format";
import { formatNumber, formatPoint } from "./numbers";
import { chanceOfStaying, type Panel } from "./panels";

export interface CellFigure {
  label: string;
  value: string;
}

export function cellName(grid: Grid, cell: number): string {
  return `cell ${coordinates(grid, cell).join(", ")}`;
}

export function cellRanges(grid: Grid, cell: number, names: readonly string[]): string {
  return cellBounds(grid, cell)
    .map(({ lower, upper }, k) => `${names[k] ?? ""} ${formatNumber(lower, 3)} to ${formatNumber(upper, 3)}`)
    .join(", ");
}

export function cellFigures(panel: Panel, cell: number): CellFigure[] {
  const row = at(panel.rowAt, cell);
  if (row < 0) return [{ label: "empty", value: "no elite here" }];
  return panel.state === "believed" ? believedFigures(panel, cell, row) : correctedFigures(panel, cell, row);
}

function believedFigures(panel: Panel, cell: number, row: number): CellFigure[] {
  const { believed, dimensions: m } = panel.archive;
  if (!believed) return [];
  return [
    { label: "fitness, believed", value: formatNumber(believed.fitness[row]) },
    ...realFigures(panel, cell, row),
    { label: "believed at", value: formatPoint(rowOf(believed.measures, row, m)) },
    ...landing(panel, cell, row),
  ];
}

function correctedFigures(panel: Panel, cell: number, row: number): CellFigure[] {
  const { believed } = panel.archive;
  const before = believed?.cell[row];
  return [
    ...realFigures(panel, cell, row),
    ...landing(panel, cell, row).slice(0, 1),
    ...(before === undefined || before < 0
      ? []
      : [{ label: "was believed in", value: before === cell ? "this cell" : cellName(panel.grid, before) }]),
  ];
}

function realFigures(panel: Panel, cell: number, row: number): CellFigure[] {
  const real = panel.archive.real;
  if (!real) return [{ label: "re-evaluated", value: "no" }];
  if (at(real.cell, row) < 0) return [{ label: "re-evaluated", value: "failed every time" }];
  const chance = chanceOfStaying(panel, cell);
  const how = Number.isFinite(chance.lower)
    ? ` (${formatNumber(chance.lower, 3)}–${formatNumber(chance.upper, 3)})`
    : chance.evaluations > 0
      ? ` (${Math.round(chance.probability * chance.evaluations)} of ${chance.evaluations})`
      : "";
  return [
    { label: "fitness, real", value: `${formatNumber(real.fitness[row])} ± ${formatNumber(real.fitnessStd[row], 2)}` },
    { label: "stays in this cell", value: formatNumber(chance.probability, 3) + how },
    { label: "descriptor spread", value: formatNumber(real.spread[row]) },
  ];
}

function landing(panel: Panel, cell: number, row: number): CellFigure[] {
  const { real, dimensions: m } = panel.archive;
  if (!real || at(real.cell, row) < 0) return [];
  const there = at(real.cell, row);
  return [
    { label: "really at (mean)", value: formatPoint(rowOf(real.measures, row, m)) },
    { label: "lands in", value: there === cell ? "this cell" : cellName(panel.grid, there) },
  ];
}
