// Reads what is on the screen.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import type { RunItem } from "../../src/data/format";
import { makeLayout } from "../../src/data/grid";

export interface Place {
  x: number; // shares of the map's width and height
  y: number;
}

export function centreOf(item: RunItem, cell: number): Place {
  const layout = makeLayout(item.grid);
  return {
    x: ((layout.left[layout.column[cell] ?? -1] ?? Number.NaN) + 0.5) / layout.width,
    y: 1 - ((layout.bottom[layout.row[cell] ?? -1] ?? Number.NaN) + 0.5) / layout.height,
  };
}

// With the real mouse.
export async function hover(page: Page, surface: Locator, item: RunItem, cell: number): Promise<void> {
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.locator("g.cells").boundingBox();
  if (!box) throw new Error("the map is not on the screen");
  const { x, y } = centreOf(item, cell);
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
}

// What the tooltip says at each place of a map.
export function pointAtCells(page: Page, map: number, places: Place[]): Promise<Record<string, string>[]> {
  return page.evaluate(
    ([index, points]) => {
      const surface = document.querySelectorAll<HTMLElement>(".map")[index];
      const box = surface?.querySelector("g.cells")?.getBoundingClientRect();
      if (!surface || !box) return [];
      return points.map(({ x, y }) => {
        const where = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
        surface.dispatchEvent(new PointerEvent("pointermove", where));
        const rows = [...document.querySelectorAll(".tooltip dl > div")];
        return Object.fromEntries(rows.map((row) => [row.children[0]?.textContent ?? "", row.children[1]?.textContent ?? ""]));
      });
    },
    [map, places] as const,
  );
}

// Chooses the cell at a place of the first map and reads its clouds.
export function readClouds(page: Page, { x, y }: Place): Promise<{ dots: number; inside: number; words: string }[]> {
  return page.evaluate(
    ([px, py]) => {
      const surface = document.querySelector(".map");
      const box = surface?.querySelector("g.cells")?.getBoundingClientRect();
      if (!surface || !box) return [];
      const where = { clientX: box.left + px * box.width, clientY: box.top + py * box.height };
      surface.dispatchEvent(new MouseEvent("click", where));
      return [...document.querySelectorAll(".cloud")].map((cloud) => ({
        dots: cloud.querySelectorAll('g[aria-label="dot"] circle').length,
        inside: cloud.querySelectorAll('g[aria-label="dot"] g[fill="var(--stay)"] circle').length,
        words: cloud.querySelector(".panel-title span")?.textContent ?? "",
      }));
    },
    [x, y] as const,
  );
}

// What the page shows of how the chosen cell's solutions move.
export function readMotions(page: Page): Promise<{ words: string; tracks: number; ends: number; inside: number; shares: string[] }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".motion")].map((panel) => ({
      words: panel.querySelector(".panel-title span")?.textContent ?? "",
      tracks: panel.querySelectorAll(".track path").length,
      ends: panel.querySelectorAll(".end-inside circle, .end-outside circle, .broken-off path").length,
      inside: panel.querySelectorAll(".end-inside circle").length,
      shares: [...panel.querySelectorAll(".share text")].map((text) => text.textContent),
    })),
  );
}

// The medians of a study's tables, by "label metric".
export function readStudy(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>("td[data-metric]")].map((cell) => [
        `${cell.closest("tr")?.querySelector("th")?.textContent ?? ""} ${cell.dataset.metric ?? ""}`,
        cell.querySelector("span")?.textContent ?? "",
      ]),
    ),
  );
}

export interface SavedFigure {
  name: string;
  text: string;
  error: string | null; // of the parser
  shapes: number;
}

// Presses every "Save as SVG"; the files are caught before they reach the disk.
export function savedFigures(page: Page): Promise<SavedFigure[]> {
  return page.evaluate(async () => {
    const blobs: Blob[] = [];
    const names: string[] = [];
    const createObjectURL = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      blobs.push(blob);
      return "data:,";
    };
    const catchName = (event: Event) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      names.push(event.target.download);
      event.preventDefault();
    };
    document.addEventListener("click", catchName, true);
    document.querySelectorAll<HTMLElement>("button.save-svg").forEach((button) => {
      button.click();
    });
    document.removeEventListener("click", catchName, true);
    URL.createObjectURL = createObjectURL;
    const texts = await Promise.all(blobs.map((blob) => blob.text()));
    return texts.map((text, i) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const error = parsed.querySelector("parsererror")?.textContent ?? null;
      return { name: names[i] ?? "", text, error, shapes: parsed.querySelectorAll("path, rect, circle, line, text").length };
    });
  });
}

// The file that a button gives.
export async function saved(page: Page, button: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFileSync(await file.path(), "utf8");
}

export async function definitions(element: Locator): Promise<Record<string, string>> {
  const labels = await element.locator("dt").allTextContents();
  const values = await element.locator("dd").allTextContents();
  return Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ""]));
}

export async function openTable(figure: Locator): Promise<Locator> {
  const details = figure.locator(".actions details");
  await details.locator("summary").click();
  const table = details.locator("table");
  await table.waitFor();
  return table;
}

export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
