// The browser of the tests: Debian's Chromium, driven by Playwright, opening pages from disk.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import type { Report } from "../../src/data/format";
import { pageOf } from "../support/page";

export interface Look {
  width?: number;
  colorScheme?: "light" | "dark";
}

export interface Opened {
  page: Page;
  complaints: string[]; // errors on the console, exceptions, requests to anywhere but the page itself
}

export class Visitor {
  private constructor(
    private readonly browser: Browser,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Visitor> {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    return new Visitor(browser, mkdtempSync(join(tmpdir(), "aria-report-")));
  }

  // The path of a page with this report.
  write(report: Report, name = "report"): string {
    return this.writeText(pageOf(report), name);
  }

  writeText(html: string, name = "report"): string {
    const path = join(this.folder, `${name}.html`);
    writeFileSync(path, html);
    return path;
  }

  async open(path: string, { width = 1280, colorScheme = "light" }: Look = {}): Promise<Opened> {
    const page = await this.browser.newPage({ viewport: { width, height: 900 }, colorScheme, acceptDownloads: true });
    const complaints: string[] = [];
    const address = pathToFileURL(path).href;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (url.split("#")[0] !== address && !/^(data|blob):/.test(url)) complaints.push(`request: ${url}`);
    });
    await page.goto(address);
    return { page, complaints };
  }

  async stop(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true });
  }
}
