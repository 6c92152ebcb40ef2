// Pages as the program writes them: the committed template with data in the place of its placeholder.
import { readFileSync } from "node:fs";
import type { Report } from "../../src/data/format";

export const template = new URL("../../dist/report.html", import.meta.url);

export function pageOf(report: Report): string {
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  return readFileSync(template, "utf8").replace("__ARIA_REPORT__", () => json);
}
