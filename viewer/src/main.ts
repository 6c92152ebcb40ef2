// The report page: reads the data that the program put into it and shows one item at a time.
import type { Report } from "./data/format";
import { DataError } from "./data/packed";
import { readReport } from "./data/report";
import "./styles/page.css";
import "./styles/figures.css";
import "./styles/tables.css";
import "./styles/print.css";
import { h } from "./ui/dom";
import { hideTooltip } from "./ui/tooltip";
import { runView } from "./views/run";
import { studyView } from "./views/study";

type Item = Report["items"][number];

function viewOf(item: Item): HTMLElement {
  try {
    return item.kind === "study" ? studyView(item) : runView(item);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return problem(`The data of ${item.name} is damaged: ${error.message}.`);
  }
}

function problem(words: string): HTMLElement {
  return h("p", { class: "problem", role: "alert" }, words);
}

function start(page: HTMLElement, text: string): void {
  let report: Report;
  try {
    report = readReport(text);
  } catch (error) {
    page.append(h("h1", {}, "ARIA report"), problem(error instanceof Error ? error.message : String(error)));
    return;
  }
  const { items } = report;
  const main = h("main", {});
  const navigation = items.length > 1 ? h("nav", { "aria-label": "Parts of this report" }) : null;
  const links = items.map((item, i) => h("a", { href: `#${i + 1}` }, item.name));
  navigation?.append(...links);

  const views: HTMLElement[] = []; // made when first shown
  let shown = -1;
  const show = () => {
    const asked = Number(location.hash.slice(1)) - 1;
    const i = Number.isInteger(asked) && asked >= 0 && asked < items.length ? asked : 0;
    const item = items[i];
    if (i === shown || !item) return;
    shown = i;
    hideTooltip();
    main.replaceChildren((views[i] ??= viewOf(item)));
    links.forEach((link, k) => {
      if (k === i) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    document.title = `${item.name} – ARIA report`;
  };
  window.addEventListener("hashchange", show);
  page.append(
    h("div", { class: "masthead" }, h("h1", {}, "ARIA report"), navigation),
    main,
    h("footer", {}, `Written by aria ${report.version}. This page is complete in itself: it loads nothing.`),
  );
  show();
}

const page = document.getElementById("page");
const data = document.getElementById("aria-report");
if (page && data) start(page, data.textContent);
