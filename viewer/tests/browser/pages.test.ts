// Whole pages: each opens from disk, complains of nothing, and shows what it carries. ARIA_PAGES (paths, separated by
// colons) names pages of the real program to check the same way.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report, RunItem } from "../../src/data/format";
import { makeReport, makeRobot, makeRun, makeStudy, withLearners } from "../support/synthetic";
import { tinyArchive } from "../support/tiny";
import { Visitor } from "./browser";
import { checkItem, reportIn } from "./checks";
import { overflow } from "./reading";

let visitor: Visitor;
beforeAll(async () => {
  visitor = await Visitor.start();
});
afterAll(async () => {
  await visitor.stop();
});

async function checkPage(path: string): Promise<void> {
  const report = reportIn(path);
  const { page, complaints } = await visitor.open(path);
  for (const [i, item] of report.items.entries()) {
    if (i > 0) await page.locator("nav a").nth(i).click();
    await page.locator("h2", { hasText: item.name }).waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll(".figure-body")].every((body) => body.childElementCount > 0));
    await checkItem(page, item);
  }
  expect(await page.locator("nav").count()).toBe(report.items.length > 1 ? 1 : 0);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
}

function bare(change: Partial<RunItem["archives"][number]>): RunItem {
  const run = makeRun({ cells: [8, 8], aria: false });
  return { ...run, progress: null, settings: [], archives: run.archives.map((archive) => ({ ...archive, ...change })) };
}

// Only the first archive moves, and only some solutions of it.
function partly(run: RunItem, solutions: number): RunItem {
  return {
    ...run,
    archives: run.archives.map(({ motion, ...archive }, i) => {
      if (i > 0 || !motion) return { ...archive, motion: null };
      const { path, feet, touches, rollouts, longest } = motion;
      const first = (text: string, bytes: number) => Buffer.from(text, "base64").subarray(0, bytes).toString("base64");
      const episodes = solutions * rollouts;
      return {
        ...archive,
        motion: {
          ...motion,
          rows: first(motion.rows, 4 * solutions),
          steps: first(motion.steps, 4 * episodes),
          path: path && { ...path, values: first(path.values, 4 * episodes * path.points) },
          touches: touches && first(touches, (feet.length * episodes * longest) / 8),
        },
      };
    }),
  };
}

const noScores = { illusory: null, corrected: null };
const empty = {
  size: 0,
  believed: { cell: "", fitness: "", measures: "" },
  real: null,
  scores: { illusory: { cells: 0, coverage: 0, qd_score: 0, max_fitness: null }, corrected: null },
  profile: null,
};

const pages: Record<string, () => Report> = {
  "an ARIA run": () => makeReport(makeRun({ failing: 3 })),
  "a run of another algorithm": () => makeReport(makeRun({ aria: false })),
  "several items": () => makeReport(makeRun({ cells: [8, 8], name: "runs/a" }), makeStudy(), makeRun({ cells: [9], name: "runs/b" })),
  "a study with learners": () => makeReport(withLearners(makeStudy(), [2, 5])),
  "a strip": () => makeReport(makeRun({ cells: [40] })),
  "three dimensions": () => makeReport(makeRun({ cells: [6, 6, 6] })),
  "four dimensions": () => makeReport(makeRun({ cells: [5, 5, 4, 4] })),
  "five dimensions": () => makeReport(makeRun({ cells: [3, 3, 3, 3, 3] })),
  "no re-evaluations": () => makeReport(bare({ real: null, profile: null, scores: noScores })),
  "no beliefs": () => makeReport({ ...bare({ believed: null }), kind: "archive", task: null, algorithm: null, seed: null, evaluations: null, seconds: null }),
  "no samples": () => makeReport(makeRun({ cells: [8, 8], samples: 0 })),
  "neither beliefs nor re-evaluations": () => makeReport(bare({ believed: null, real: null, profile: null, scores: noScores })),
  "an empty archive": () => makeReport(bare(empty)),
  "no archives": () => makeReport({ ...bare({}), archives: [] }),
  "an ant that sometimes fails": () => makeReport(makeRobot("path", { failing: 3 })),
  "an ant of another algorithm": () => makeReport(makeRobot("path", { cells: [9, 7], aria: false })),
  "a walker": () => makeReport(makeRobot("gait")),
  "a robot of one foot": () => makeReport(makeRobot("gait", { cells: [20] })),
  "a robot of three feet": () => makeReport(makeRobot("gait", { cells: [5, 5, 5] })),
  "robots whose motion was recorded in part": () => makeReport(partly(makeRobot("path"), 40), partly(makeRobot("gait"), 3)),
  "a tiny archive with failures": () => makeReport({ ...makeRun({ cells: [2, 2] }), archives: [tinyArchive()] }),
}; // prettier-ignore

describe("a page opens from disk and shows what it carries:", () => {
  for (const [name, report] of Object.entries(pages)) {
    it(name, async () => {
      await checkPage(visitor.write(report(), name.replaceAll(" ", "-")));
    });
  }
});

const given = (process.env.ARIA_PAGES ?? "").split(":").filter((path) => path !== "");
describe.skipIf(given.length === 0)("a page of the program shows what it carries:", () => {
  for (const path of given) {
    it(path, async () => {
      await checkPage(path);
    }, 120_000);
  }
});

describe("a page without sense says so:", () => {
  it("the empty template", async () => {
    const { page, complaints } = await visitor.open(new URL("../../dist/report.html", import.meta.url).pathname);
    await page.locator(".problem", { hasText: "empty template" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("a damaged array is named, and the rest of the page is shown", async () => {
    const report = makeReport(bare({ size: 3 }), makeRun({ cells: [4] }));
    const { page, complaints } = await visitor.open(visitor.write(report, "damaged"));
    await page.locator(".problem", { hasText: "archives[0].believed.cell must hold 3 numbers" }).waitFor();
    await page.locator("nav a").nth(1).click();
    await page.locator(".map").first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
