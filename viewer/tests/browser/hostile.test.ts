// Names, notes and settings come from anybody's files: the page shows them as text, whatever they are.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunItem } from "../../src/data/format";
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
const tricks = {
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
function laced(trick: string): RunItem {
  const run = makeRun({ cells: [3, 3], samples: 0, aria: false, name: trick });
  return {
    ...run,
    task: trick,
    algorithm: trick,
    settings: [{ name: trick, value: trick }],
    measure_names: [trick, trick],
    archives: run.archives.map((archive) => ({ ...archive, label: trick })),
  };
}

describe("a page", () => {
  it("does nothing of what a text says", async () => {
    const all = Object.values(tricks);
    const report = makeReport(...all.map(laced), { ...makeStudy(), name: all[1] ?? "" });
    const { page, complaints } = await visitor.open(visitor.write(report, "hostile"));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    for (const [i, item] of report.items.entries()) {
      await page.locator("nav a").nth(i).click();
      // as it stands, letter by letter
      await expect.poll(() => page.locator("h2").first().textContent()).toContain(item.name);
      // again where the page still grew under the pointer
      const hover = () => page.locator("td").first().hover({ force: true, timeout: 1000 });
      await expect.poll(() => hover().then(() => "there", String), { timeout: 10_000 }).toBe("there");
    }
    expect(await page.evaluate(() => (window as unknown as { harmed?: number }).harmed)).toBeUndefined();
    const addresses = await page
      .locator("[href], [src]")
      .evaluateAll((found) => found.map((element) => element.getAttribute("href") ?? element.getAttribute("src")));
    for (const address of addresses) expect(address).toMatch(/^(#|data:|blob:)/);
    expect(await page.locator("[onerror], [onload], [onmouseover], [onfocus]").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
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
