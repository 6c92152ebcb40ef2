// How the solution of the chosen cell moves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { makeReport, makeRobot, makeRun } from "../support/synthetic";
import { Visitor } from "./browser";
import { definitions, hover, openTable } from "./reading";

const items = {
  arm: makeRun({ cells: [16, 16] }),
  ant: makeRobot("path", { failing: 2 }),
  walker: makeRobot("gait"),
  tripod: makeRobot("gait", { cells: [5, 5, 5] }),
};
const { ant, walker } = items;
let visitor: Visitor;
beforeAll(async () => {
  visitor = await Visitor.start();
});
afterAll(async () => {
  await visitor.stop();
});

async function visit(name: keyof typeof items, visitPage: (page: Page) => Promise<void>): Promise<void> {
  const { page, complaints } = await visitor.open(visitor.write(makeReport(items[name]), name));
  await page.locator(name === "arm" ? ".cloud svg" : ".motion").first().waitFor();
  await visitPage(page);
  expect(complaints).toEqual([]);
  await page.close();
}

describe("how a solution moves", () => {
  const choose = async (page: Page, item: typeof ant, cell: number) => {
    await hover(page, page.locator(".map").first(), item, cell);
    await page.mouse.down();
    await page.mouse.up();
  };
  // that the first map has an elite of which does not fail
  const cell = 8 * 16 + 3;

  it("is not shown of what does not move", async () => {
    await visit("arm", async (page) => {
      expect(await page.locator(".motion").count()).toBe(0);
      expect(await page.locator("h3", { hasText: "moves" }).count()).toBe(0);
    });
  });

  it("is drawn on the ground, a metre as long in both directions, the cell where it is", async () => {
    await visit("ant", async (page) => {
      await choose(page, ant, cell);
      expect(await page.locator(".moving-cell").textContent()).toBe("Chosen: cell 8, 3 (x 0 to 1.88, y −9.38 to −7.5)");
      const panel = page.locator(".motion").first();
      expect(await panel.locator(".track path").count()).toBe(4);
      expect(await panel.locator(".start path").count()).toBe(4);
      const { across, along, box, inside } = await panel.evaluate((element) => {
        const number = (node: Element, name: string) => Number(node.getAttribute(name));
        const pixels = (axis: "x" | "y") => {
          const label = element.querySelectorAll(`g[aria-label="${axis}-axis tick label"] text`);
          return [...label].map((text) => {
            const [, x, y] = /translate\(([^,]*),([^)]*)\)/.exec(text.getAttribute("transform") ?? "") ?? [];
            return { value: Number(text.textContent.replace("−", "-")), at: Number(axis === "x" ? x : y) };
          });
        };
        const slope = (ticks: { value: number; at: number }[]) => {
          const [a, b] = [ticks[0], ticks[ticks.length - 1]];
          const scale = a && b ? (b.at - a.at) / (b.value - a.value) : Number.NaN;
          return { scale, zero: a ? a.at - a.value * scale : Number.NaN };
        };
        const rect = element.querySelector(".cell rect");
        if (!rect) throw new Error("no cell");
        const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => number(rect, name));
        const ends = [...element.querySelectorAll(".end-inside circle")].map((end) => [number(end, "cx"), number(end, "cy")]);
        return { across: slope(pixels("x")), along: slope(pixels("y")), box: { x, y, width, height }, inside: ends };
      });
      expect(across.scale).toBeGreaterThan(5);
      expect(along.scale).toBeCloseTo(-across.scale, 1);
      // 0 to 1.875 m, -9.375 to -7.5 m
      expect(box.width).toBeCloseTo(1.875 * across.scale, 0);
      expect(box.height).toBeCloseTo(1.875 * across.scale, 0);
      expect(Math.abs((box.x ?? 0) - across.zero)).toBeLessThan(1.5);
      expect(Math.abs((box.y ?? 0) - (along.zero + 7.5 * across.scale))).toBeLessThan(1.5);
      for (const [x = 0, y = 0] of inside) {
        expect(x).toBeGreaterThan((box.x ?? 0) - 1);
        expect(x).toBeLessThan((box.x ?? 0) + (box.width ?? 0) + 1);
        expect(y).toBeGreaterThan((box.y ?? 0) - 1);
        expect(y).toBeLessThan((box.y ?? 0) + (box.height ?? 0) + 1);
      }
      expect(await panel.locator("svg").textContent()).toContain("x, m");
      expect(await panel.locator("svg").textContent()).toContain("y, m");
    });
  });

  it("says where a rollout breaks off, and where a cell is empty", async () => {
    await visit("ant", async (page) => {
      await choose(page, ant, 0);
      expect(await page.locator(".motion .panel-title span").first().textContent()).toBe("as believed · no elite in this cell");
      expect(await page.locator(".motion").first().locator(".track path").count()).toBe(0);
      // the first two solutions fail every time; they are those of the first cells that are filled
      const first = Buffer.from(ant.archives[0]?.believed?.cell ?? "", "base64").readInt32LE(0);
      await choose(page, ant, first);
      const panel = page.locator(".motion").first();
      expect(await panel.locator(".broken-off path").count()).toBe(4);
      expect((await definitions(panel))["rollouts that break off"]).toBe("4");
      await page.locator(".swatch", { hasText: "breaks off" }).waitFor();
    });
  });

  it("has a row per foot, with its name beside it", async () => {
    await visit("tripod", async (page) => {
      const panel = page.locator(".motion").first();
      expect(await panel.locator(".episode rect").count()).toBe(12);
      expect(await panel.locator(".share text").count()).toBe(12);
      for (const name of ["foot 1", "foot 2", "foot 3"]) {
        expect(await panel.locator("svg text", { hasText: name }).count()).toBe(4);
        expect((await definitions(panel))[`${name} (mean)`]).toMatch(/ % · cell /);
      }
      // within the picture, all of them
      const beyond = await panel.locator("svg").evaluate((picture) => {
        const { left } = picture.getBoundingClientRect();
        return [...picture.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().left < left).length;
      });
      expect(beyond).toBe(0);
    });
  });

  it("is a bar per touch of each foot, with the share of time beside it", async () => {
    await visit("walker", async (page) => {
      await choose(page, walker, cell);
      const figure = page.locator("figure:has(.motion)");
      const panel = figure.locator(".motion").first();
      expect(await panel.locator(".episode rect").count()).toBe(8);
      expect(await panel.locator(".end line").count()).toBe(4);
      const shares = await panel.locator(".share text").allTextContents();
      expect(shares).toHaveLength(8);
      for (const share of shares) expect(share).toMatch(/^\d+(\.\d)? %$/);
      const bars = await figure.locator(".touch-inside rect, .touch-outside rect").count();
      const rows = (await openTable(figure)).locator("tbody tr");
      expect(await rows.count()).toBe(bars);
      expect(await rows.first().textContent()).toMatch(/^MAP-Elites archive, as believed1(right|left)/);
    });
  });

  it("follows the cell that the keyboard chooses, and is told in words", async () => {
    await visit("walker", async (page) => {
      await page.locator(".map").first().focus();
      const before = await page.locator(".moving-cell").textContent();
      await page.keyboard.press("ArrowLeft");
      expect(await page.locator(".moving-cell").textContent()).toBe(before);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator(".moving-cell").textContent()).not.toBe(before);
      const label = await page.locator(".motion svg").first().getAttribute("aria-label");
      expect(label).toMatch(/^MAP-Elites archive, as believed: \d of 4 inside; right \(mean\) [\d.]+ %/);
      expect(await page.locator(".motion svg").first().getAttribute("role")).toBe("img");
    });
  });
});
