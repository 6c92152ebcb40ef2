import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeReport, makeRun } from "../support/synthetic";
import { pageOf, template } from "../support/page";

const html = readFileSync(template, "utf8");

describe("the template", () => {
  it("holds its placeholder exactly once, alone in its element", () => {
    expect(html.split("__ARIA_REPORT__")).toHaveLength(2);
    expect(html.split('<script type="application/json" id="aria-report">__ARIA_REPORT__</script>')).toHaveLength(2);
  });

  it("is one small file that names no other", () => {
    expect(html.length).toBeLessThan(600_000);
    expect(html).not.toMatch(/<(script|img|iframe)[^>]*\ssrc=|<link[^>]*href="(?!data:)|@import|url\(["']?https?:/);
  });

  it("lets the browser run its own script and no other", () => {
    const script = /<script type="module">([^]*?)<\/script>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html)?.[1];
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}';`);
    expect(policy).toContain("base-uri 'none'; form-action 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
  });

  it("stays whole around any data", () => {
    const nasty = { ...makeRun({ cells: [2] }), name: "</script><!-- $& $1 \u2028" };
    const page = pageOf(makeReport(nasty));
    expect(page.split("</script>")).toHaveLength(html.split("</script>").length);
  });
});
