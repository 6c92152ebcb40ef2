// Names, notes and settings come from anybody's files: the page shows them as text, whatever they are.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report, RunItem } from "../../src/data/format";
import { makeReport, makeRun, makeStudy } from "../support/synthetic";
import { Visitor } from "./browser";

let visitor: Visitor;
beforeAll(async () => {
  visitor = await Visitor.start();
});
afterAll(async () => {
  await visitor.stop();
});

const act = "window.harmed=1";
const tricks: Record<string, string> = {
  "a script": `<script>${act}</script>`,
  "the end of the data": `</script><script>${act}</script>`,
  "the start of a comment": `<!--<script>${act}//`,
  "an image that fails": `<img src=x onerror="${act}">`,
  "a drawing that loads": `<svg onload='${act}'></svg>`,
  "an address that acts": `javascript:${act}`,
  "double quotes": `" onmouseover="${act}" x="`,
  "single quotes": `' onfocus='${act}' autofocus='`,
  "a template": `\${${act}}{{${act}}}`,
  "control characters": `a\u0000b\u2028c\u202ed`,
};

// In every text that a file may bring along.
function laced(trick: string): Report {
  const run = makeRun({ cells: [6, 6], name: trick });
  const hostile: RunItem = {
    ...run,
    task: trick,
    algorithm: trick,
    settings: [{ name: trick, value: trick }],
    measure_names: [trick, trick],
    archives: run.archives.map((archive) => ({ ...archive, label: trick })),
  };
  const study = makeStudy();
  return makeReport(hostile, { ...study, name: trick });
}

describe("a page does nothing of what a text says:", () => {
  for (const [name, trick] of Object.entries(tricks)) {
    it(name, async () => {
      const { page, complaints } = await visitor.open(visitor.write(laced(trick), name.replaceAll(" ", "-")));
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.message());
        void dialog.dismiss();
      });
      await page.waitForFunction(() => document.querySelectorAll("h2").length > 0);
      // as it stands, letter by letter; browsers draw a zero as something else
      const heading = await page.locator("h2").first().textContent();
      expect(heading?.replaceAll("\ufffd", "\u0000")).toContain(trick);
      for (const place of (await page.locator("h2, th, td, nav a").all()).slice(0, 6)) await place.hover({ force: true, trial: true });
      await page.locator("nav a").nth(1).click();
      await page.waitForTimeout(50);
      expect(await page.evaluate(() => (window as unknown as { harmed?: number }).harmed)).toBeUndefined();
      const addresses = await page.locator("[href], [src]").evaluateAll((all) => all.map((e) => e.getAttribute("href") ?? e.getAttribute("src")));
      for (const address of addresses) expect(address).toMatch(/^(#|data:|blob:)/);
      expect(await page.locator("[onerror], [onload], [onmouseover], [onfocus]").count()).toBe(0);
      expect(asked).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    });
  }
});

describe("a script that got into the page all the same", () => {
  it("is not run", async () => {
    const whole = readFileSync(visitor.write(makeReport(makeRun({ cells: [4] })), "whole"), "utf8");
    const harmed = whole.replace("</body>", `<script>${act}</script><img src="data:," onerror="${act}"></body>`);
    const { page, complaints } = await visitor.open(visitor.writeText(harmed, "harmed"));
    await page.locator("h2").first().waitFor();
    expect(await page.evaluate(() => (window as unknown as { harmed?: number }).harmed)).toBeUndefined();
    expect(complaints.join()).toContain("Content Security Policy");
    await page.close();
  });
});
