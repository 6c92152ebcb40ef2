// What must hold of every page, whoever made it: it shows the numbers that it carries. Each check asks the page once and
// compares here, since a question to the browser costs more than an answer.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Report, RunItem, StudyItem } from "../../src/data/format";
import { columnLabel, learningCurves } from "../../src/data/progress";
import { expectedMaps, expectedMotion, sampleCount, shows, type ExpectedCell, type ExpectedMap } from "./expected";
import { centreOf, pointAtCells, readClouds, readMotions, readStudy, savedFigures } from "./reading";

export function reportIn(path: string): Report {
  const json = /<script type="application\/json" id="aria-report">([\s\S]*?)<\/script>/.exec(readFileSync(path, "utf8"))?.[1];
  return JSON.parse(json ?? "") as Report;
}

export async function checkItem(page: Page, item: Report["items"][number]): Promise<void> {
  expect(await page.locator(".problem").count(), `${item.name}: no problem`).toBe(0);
  expect(await page.locator("h2").textContent()).toBe(item.name);
  if (item.kind === "study") await checkStudy(page, item);
  else await checkRun(page, item);
  await checkSvgFiles(page);
}

async function checkRun(page: Page, item: RunItem): Promise<void> {
  await checkMaps(page, item, expectedMaps(item));
  const shown = await page.locator("table.scores tbody tr").first().locator("td.number").allTextContents().catch(() => []);
  const expected = item.archives.flatMap(({ scores }) => [scores.illusory?.cells ?? null, scores.corrected?.cells ?? null]);
  expected.forEach((value, i) => {
    expect(shows(shown[i], value, 5), `cells in the table: ${shown[i] ?? ""} for ${value ?? "none"}`).toBe(true);
  });
}

async function checkStudy(page: Page, { data, runs }: StudyItem): Promise<void> {
  const shown = await readStudy(page);
  for (const { label, summary } of data.algorithms) {
    for (const { key } of data.metrics) {
      const quartiles = summary[key];
      if (!quartiles) continue;
      const value = quartiles.median * (key.endsWith("coverage") || key === "coverage_gain" ? 100 : 1);
      const text = shown[`${label} ${key}`];
      expect(shows(text, value, 4), `${label} ${key}: ${text ?? "nothing"} for ${value}`).toBe(true);
    }
  }
  const significant = data.tests.filter(({ p_holm }) => p_holm < 0.05).length;
  expect(await page.locator("td.significant").count()).toBe(significant);
  await checkLearning(page, { data, runs });
  const first = runs[0];
  if (!first) return;
  const maps = runs.flatMap((run, i) =>
    expectedMaps({ ...run, archives: run.archives.filter(({ role }) => role === "result") }, data.algorithms[i]?.label),
  );
  await checkMaps(
    page,
    first,
    maps.filter(({ state }) => state === "corrected"),
  );
}

// A panel for each figure that a learner tells of, with a line (or, for a single point, a dot) for each of them.
async function checkLearning(page: Page, study: Pick<StudyItem, "data" | "runs">): Promise<void> {
  const plots = page.locator("figure", { has: page.locator("h3", { hasText: "Learning curves" }) }).locator(".panel svg");
  const shown = await plots.evaluateAll((elements) =>
    elements.map((plot) => ({
      label: plot.getAttribute("aria-label")?.split(" over ")[0],
      marks: plot.querySelectorAll('[aria-label="line"] path, [aria-label="dot"] circle').length,
    })),
  );
  const single = ({ points }: { points: object[] }) => points.length === 1;
  expect(shown).toEqual(
    learningCurves(study).map(({ name, lines }) => ({
      label: columnLabel(name),
      marks: lines.length + lines.filter(single).length, // a line of one point is there, and not seen
    })),
  );
}

async function checkMaps(page: Page, item: RunItem, maps: ExpectedMap[]): Promise<void> {
  expect(await page.locator(".map").count()).toBe(maps.length);
  if (maps.length === 0) return;
  const titles = await page.locator(".panel:has(.map) .panel-title").allTextContents();
  for (const [i, map] of maps.entries()) {
    expect(titles[i]).toContain(map.title);
    expect(titles[i]).toContain(`${map.cells.size} cell`);
    // some forty cells, spread over the map
    const filled = [...map.cells.keys()];
    const chosen = filled.filter((_, k) => k % Math.ceil(filled.length / 40) === 0);
    const shown = await pointAtCells(page, i, chosen.map((cell) => centreOf(item, cell))); // prettier-ignore
    chosen.forEach((cell, k) => {
      checkCell(map, cell, map.cells.get(cell), shown[k] ?? {});
    });
  }
  await checkClouds(page, item, maps);
}

function checkCell(map: ExpectedMap, cell: number, expected: ExpectedCell | undefined, shown: Record<string, string>): void {
  const about = `${map.title}, ${map.state}, cell ${cell}: ${JSON.stringify(shown)}`;
  if (!expected) throw new Error(about);
  if (map.state === "believed") expect(shows(shown["fitness, believed"], expected.believedFitness), about).toBe(true);
  if (expected.realCell === null) return;
  expect(shows(shown["fitness, real"], expected.fitness), about).toBe(true);
  expect(shows(shown["descriptor spread"], expected.spread), about).toBe(true);
  if (expected.probability !== null) expect(shows(shown["stays in this cell"], expected.probability, 3), about).toBe(true);
  if (map.state === "believed") expect(shown["lands in"] === "this cell", about).toBe(expected.realCell === cell);
}

// Chooses a cell and counts the dots of its clouds, one cloud per map.
async function checkClouds(page: Page, item: RunItem, maps: ExpectedMap[]): Promise<void> {
  const filled = [...(maps[0]?.cells.keys() ?? [])];
  const cell = filled[Math.floor(filled.length / 3)];
  if (cell === undefined) return;
  const clouds = await readClouds(page, centreOf(item, cell));
  expect(clouds).toHaveLength(maps.length);
  const planes = Math.ceil(item.grid.cells.length / 2);
  maps.forEach((map, i) => {
    const cloud = clouds[i];
    const expected = sampleCount(map, cell);
    expect(cloud?.dots, `dots of ${map.title}, ${map.state}, cell ${cell}`).toBe(planes * expected);
    if (expected > 0) expect(cloud?.words).toContain(`· ${(cloud?.inside ?? 0) / planes} of ${expected} inside`);
  });
  await checkMotions(page, item, maps, cell);
}

// One picture per map of an archive that moves, of the cell that was chosen.
async function checkMotions(page: Page, item: RunItem, maps: ExpectedMap[], cell: number): Promise<void> {
  const moving = maps.filter(({ archive }) => archive.motion);
  const shown = await readMotions(page);
  expect(shown).toHaveLength(moving.length);
  moving.forEach((map, i) => {
    const about = `motion of ${map.title}, ${map.state}, cell ${cell}: ${JSON.stringify(shown[i])}`;
    const expected = expectedMotion(map, cell, item.grid);
    const { rollouts = 0, inside = 0 } = expected ?? {};
    const paths = map.archive.motion?.kind === "path";
    expect(shown[i]?.tracks, about).toBe(paths ? rollouts : 0);
    expect(shown[i]?.ends, about).toBe(paths ? rollouts : 0);
    expect(shown[i]?.inside, about).toBe(paths ? inside : 0);
    expect(shown[i]?.words, about).toContain(
      expected ? `· ${inside} of ${rollouts} ${paths ? "end inside" : "inside"}` : map.row.has(cell) ? "not recorded" : "no elite in this cell",
    );
    const shares = expected?.shares ?? [];
    expect(shown[i]?.shares, about).toHaveLength(shares.length);
    shares.forEach((share, k) => {
      expect(shows(shown[i]?.shares[k], 100 * share, 2), about).toBe(true);
    });
  });
}

// Every figure can be saved, and stands alone.
async function checkSvgFiles(page: Page): Promise<void> {
  const figures = await page.locator("figure").count();
  const files = await savedFigures(page);
  expect(files).toHaveLength(figures);
  for (const { name, text, error, shapes } of files) {
    expect(name).toMatch(/^[a-z0-9-]+\.svg$/);
    expect(text.startsWith("<?xml")).toBe(true);
    for (const foreign of ["var(", "class=", "currentColor", "NaN", "undefined"]) {
      expect(text.includes(foreign), `${foreign} in ${name}`).toBe(false);
    }
    expect(error, name).toBeNull();
    expect(shapes, name).toBeGreaterThan(3);
  }
}
