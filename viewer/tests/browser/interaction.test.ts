// What a reader does with a page.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { makeReport, makeRobot, makeRun, makeStudy } from "../support/synthetic";
import { tinyArchive } from "../support/tiny";
import { Visitor, type Look } from "./browser";
import { definitions, hover, openTable, overflow, saved } from "./reading";

const run = makeRun();
const ant = makeRobot("path", { failing: 2 });
const walker = makeRobot("gait");
const tiny = { ...makeRun({ cells: [2, 2] }), archives: [tinyArchive()] };
let visitor: Visitor;
let paths: Record<"run" | "tiny" | "study" | "ant" | "walker", string>;
beforeAll(async () => {
  visitor = await Visitor.start();
  paths = {
    run: visitor.write(makeReport(run), "run"),
    tiny: visitor.write(makeReport(tiny), "tiny"),
    study: visitor.write(makeReport(makeStudy()), "study"),
    ant: visitor.write(makeReport(ant), "ant"),
    walker: visitor.write(makeReport(walker), "walker"),
  };
});
afterAll(async () => {
  await visitor.stop();
});

async function visit(name: keyof typeof paths, look: Look, visitPage: (page: Page) => Promise<void>): Promise<void> {
  const { page, complaints } = await visitor.open(paths[name], look);
  await page.locator(".map svg").first().waitFor();
  await visitPage(page);
  expect(complaints).toEqual([]);
  await page.close();
}

describe("pointing at a cell", () => {
  it("shows its figures, and hides them when the pointer leaves", async () => {
    await visit("tiny", {}, async (page) => {
      await hover(page, page.locator(".map").first(), tiny, 0);
      const shown = await definitions(page.locator(".tooltip"));
      expect(shown).toEqual({
        "fitness, believed": "−0.5",
        "fitness, real": "−1 ± 0.13",
        "stays in this cell": "0.25 (1 of 4)",
        "descriptor spread": "0.0625",
        "believed at": "(0.25, 0.375)",
        "really at (mean)": "(0.25, 0.625)",
        "lands in": "cell 0, 1",
      });
      expect(await page.locator(".tooltip p").textContent()).toBe("cell 0, 0: x 0 to 0.5, y 0 to 0.5");
      // the same cell is outlined on every map
      expect(await page.locator("g.hovered").count()).toBe(2);
      await page.mouse.move(2, 2);
      await page.locator(".tooltip").waitFor({ state: "hidden" });
      expect(await page.locator("g.hovered").count()).toBe(0);
    });
  });

  it("colours it by its value: equal values alike, empty cells apart", async () => {
    await visit("tiny", {}, async (page) => {
      const cells = page.locator(".map").first().locator("g.cells");
      // three elites with different believed fitness, one empty cell
      expect(await cells.locator("path[fill^='rgb'], path[fill^='#']").count()).toBe(3);
      expect(await cells.locator("path.empty").getAttribute("d")).toMatch(/^M[^M]*$/);
      expect(await cells.locator("path.unknown").getAttribute("d")).toBe("");
      await page.getByLabel("Descriptor spread").check();
      // the elite that failed has no spread
      await expect.poll(() => cells.locator("path.unknown").getAttribute("d")).toMatch(/^M[^M]*$/);
      await page.locator(".swatch", { hasText: "not known" }).waitFor();
    });
  });
});

describe("the arrows to where elites really land", () => {
  it("are cut off at the border of the map", async () => {
    await visit("run", {}, async (page) => {
      const plot = page.locator("figure", { hasText: "Where the elites really land" }).locator(".panel svg").first();
      const { frame, ends, uncut, reachingOut } = await plot.evaluate((picture) => {
        const groups = [...picture.querySelectorAll('g[aria-label="arrow"]')];
        const paths = groups.map((group) => group.closest("[clip-path]")?.getAttribute("clip-path") ?? "");
        const clip = picture.querySelector(`${/#[\w-]+/.exec(paths[0] ?? "")?.[0] ?? "none"} rect`);
        const box = ["x", "y", "width", "height"].map((name) => Number(clip?.getAttribute(name)));
        const [x = 0, y = 0, width = 0, height = 0] = box;
        const boxes = [...picture.querySelectorAll<SVGPathElement>('g[aria-label="arrow"] path')].map((path) => path.getBBox());
        const out = boxes.filter((b) => b.x < x || b.y < y || b.x + b.width > x + width || b.y + b.height > y + height);
        const size = [Number(picture.getAttribute("width")), Number(picture.getAttribute("height"))];
        return { frame: box, ends: size, uncut: paths.filter((path) => path === "").length, reachingOut: out.length };
      });
      expect(reachingOut).toBeGreaterThan(0);
      expect(uncut).toBe(0);
      expect(frame).toEqual([44, 22, (ends[0] ?? 0) - 44 - 8, (ends[1] ?? 0) - 22 - 34]);
    });
  });
});

describe("choosing a cell", () => {
  it("draws the cloud of its evaluations, by pointer", async () => {
    await visit("tiny", {}, async (page) => {
      await hover(page, page.locator(".map").first(), tiny, 1);
      await page.mouse.down();
      await page.mouse.up();
      expect(await page.locator(".chosen-cell").textContent()).toBe("Chosen: cell 0, 1 (x 0 to 0.5, y 0.5 to 1)");
      const words = page.locator(".cloud .panel-title span");
      expect(await words.allTextContents()).toEqual(["as believed · 3 of 4 inside", "as it really is · 3 of 4 inside"]);
      const rows = await (await openTable(page.locator("figure:has(.cloud)"))).locator("tbody tr").allTextContents();
      expect(rows).toHaveLength(8);
      // stored in sixteen bits
      expect(rows[3]).toBe("tiny, as believed0.2500080.250008no");
    });
  });

  it("works by keyboard: arrows move, Enter chooses, Escape leaves", async () => {
    await visit("tiny", {}, async (page) => {
      const map = page.locator(".map").first();
      await page.locator("input[type=radio]").first().focus();
      await page.keyboard.press("Tab");
      expect(await map.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.locator(".tooltip", { hasText: "cell 0, 0" }).waitFor();
      await page.keyboard.press("ArrowRight");
      await page.locator(".tooltip", { hasText: "cell 1, 0" }).waitFor();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp"); // stays at the border
      await page.locator(".tooltip", { hasText: "cell 1, 1" }).waitFor();
      await page.keyboard.press("Enter");
      expect(await page.locator(".chosen-cell").textContent()).toContain("cell 1, 1");
      await page.keyboard.press("Escape");
      await page.locator(".tooltip").waitFor({ state: "hidden" });
    });
  });

  it("works on an empty cell too", async () => {
    await visit("tiny", {}, async (page) => {
      await hover(page, page.locator(".map").first(), tiny, 2);
      expect(await page.locator(".tooltip").textContent()).toContain("no elite here");
      await page.mouse.down();
      await page.mouse.up();
      expect(await page.locator(".cloud .panel-title").first().textContent()).toContain("no elite in this cell");
    });
  });

  it("is quick on the published grid", async () => {
    await visit("run", {}, async (page) => {
      const map = page.locator(".map").first();
      await hover(page, map, run, 500);
      const milliseconds = await page.evaluate(() => {
        const [first] = document.querySelectorAll<HTMLInputElement>("input[type=radio][value=probability]");
        const start = performance.now();
        first?.click();
        return performance.now() - start;
      });
      expect(milliseconds).toBeLessThan(1000);
    });
  });
});

describe("files", () => {
  it("the SVG of the maps has every map, its title and its own background", async () => {
    await visit("run", {}, async (page) => {
      const text = await saved(page, page.locator("figure:has(.map) .save-svg"));
      expect(text).toContain('fill="#ffffff"');
      expect(text.match(/ARIA's archive/g)?.length).toBeGreaterThanOrEqual(2);
      expect(text.match(/<svg/g)?.length).toBeGreaterThanOrEqual(1 + 4 + 1);
      expect(text).toContain("as believed");
    });
  });

  it("the CSV of a figure has all its rows", async () => {
    await visit("tiny", {}, async (page) => {
      await openTable(page.locator("figure:has(.map)"));
      const csv = await saved(page, page.locator("figure:has(.map) .save-csv"));
      expect(csv.split("\n")).toEqual([
        "map,cell,x,y,fitness,probability,95 % from,to,spread",
        '"tiny, as believed",0,0.25,0.25,-0.5,0.25,,,0.0625',
        '"tiny, as believed",1,0.25,0.75,-0.25,0.75,0.625,0.875,0.03125',
        '"tiny, as believed",3,0.75,0.75,0,0,,,',
        '"tiny, as it really is",1,0.25,0.75,-0.75,0.75,0.625,0.875,0.03125',
        "",
      ]);
    });
  });
});

describe("a study", () => {
  it("changes its maps between what is real and what was believed", async () => {
    await visit("study", {}, async (page) => {
      expect(await page.locator(".map[data-state=corrected]").count()).toBe(7);
      await page.getByLabel("As believed").check();
      await expect.poll(() => page.locator(".map[data-state=believed]").count()).toBe(7);
    });
  });

  it("draws every metric, also one that is the same in all runs", async () => {
    await visit("study", {}, async (page) => {
      const drawings = await page.evaluate(() => {
        const select = document.querySelector("select");
        const body = select?.closest("figure")?.querySelector(".figure-body");
        return [...(select?.options ?? [])].map(({ value }) => {
          if (select) select.value = value;
          select?.dispatchEvent(new Event("change"));
          return body?.innerHTML ?? "";
        });
      });
      expect(drawings).toHaveLength(makeStudy().data.metrics.length);
      expect(new Set(drawings).size).toBe(drawings.length);
      for (const drawing of drawings) expect(drawing).not.toMatch(/NaN|undefined|Infinity/);
    });
  });

  it("draws a dot per replication of the metric that is chosen", async () => {
    await visit("study", {}, async (page) => {
      const figure = page.locator("figure:has(select)");
      await figure.locator("svg circle").first().waitFor();
      expect(await figure.locator("svg g[aria-label=dot] circle").count()).toBe(70);
      await page.locator("select").selectOption("coverage_gain");
      // only two of the algorithms have one
      await expect.poll(() => figure.locator("svg g[aria-label=dot] circle").count()).toBe(20);
    });
  });
});

describe("a page suits its reader:", () => {
  for (const width of [360, 390, 768, 1280]) {
    it(`nothing hangs over the edge at ${width} pixels`, async () => {
      for (const name of ["run", "study", "ant", "walker"] as const) {
        await visit(name, { width }, async (page) => {
          expect(await overflow(page)).toBe(0);
        });
      }
    });
  }

  it("dark where the reader prefers it, light otherwise, and always light on paper", async () => {
    const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await visit("run", { colorScheme: "light" }, async (page) => {
      expect(await background(page)).toBe("rgb(255, 255, 255)");
    });
    await visit("run", { colorScheme: "dark" }, async (page) => {
      expect(await background(page)).toBe("rgb(20, 23, 28)");
      expect(await saved(page, page.locator(".save-svg").first())).toContain('fill="#14171c"');
      await page.emulateMedia({ media: "print" });
      expect(await background(page)).toBe("rgb(255, 255, 255)");
    });
  });

  it("figures and tables have names and headers", async () => {
    for (const name of ["run", "study", "ant", "walker"] as const) {
      await visit(name, {}, async (page) => {
        for (const figure of await page.locator("figure").all()) {
          const id = await figure.getAttribute("aria-labelledby");
          expect((await page.locator(`#${id ?? "none"}`).textContent())?.length).toBeGreaterThan(3);
        }
        const unnamed = await page.locator(".figure-body svg:not([aria-label]):not([aria-hidden])").count();
        expect(unnamed).toBe(0);
        const headless = await page.evaluate(
          () => [...document.querySelectorAll("table")].filter((table) => !table.querySelector("thead th[scope]")).length,
        );
        expect(headless).toBe(0);
      });
    }
  });
});
