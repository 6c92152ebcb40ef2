// The report that the page carries.
import type { Report } from "./format";
import { DataError } from "./packed";

export function readReport(text: string): Report {
  if (text.trim().startsWith("__")) {
    throw new DataError("this is the empty template: `aria report` fills it with the figures of a run or a study");
  }
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch (error) {
    throw new DataError(`the data of this page must be JSON (${error instanceof Error ? error.message : "?"})`);
  }
  if (!isObject(report)) throw new DataError("the data of this page must be a JSON object");
  if (report.format !== 1) throw new DataError(`format must be 1, got ${JSON.stringify(report.format)}`);
  const items = report.items;
  if (!Array.isArray(items) || items.length === 0) throw new DataError("items must be a list that is not empty");
  items.forEach((item: unknown, i) => {
    const kind = isObject(item) ? item.kind : undefined;
    if (kind !== "run" && kind !== "archive" && kind !== "study") {
      throw new DataError(`items[${i}].kind must be run, archive or study, got ${JSON.stringify(kind)}`);
    }
  });
  return report as unknown as Report; // the program and this page are built from the same format
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
