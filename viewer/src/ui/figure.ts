// The frame of every figure: a title, a sentence that explains it, the drawing, its data as a table, and files of both.
import { h, uniqueId } from "./dom";
import { download, fileName } from "./download";
import { standaloneSvg } from "./save-svg";
import { tableElement, toCsv, type Table } from "./table";

export interface FigureParts {
  title: string;
  explanation: string;
  controls?: Node[];
  draw: (width: number) => Node; // called again when the width changes
  table: () => Table; // called when it is asked for
}

export interface Figure {
  element: HTMLElement;
  redraw: () => void;
}

export function figure(parts: FigureParts): Figure {
  const heading = uniqueId("figure");
  const body = h("div", { class: "figure-body" });
  const save = h("button", { type: "button", class: "save-svg" }, "Save as SVG");
  save.addEventListener("click", () => {
    download(fileName(parts.title, "svg"), "image/svg+xml", standaloneSvg(body, parts.title));
  });
  const data = dataTable(parts);
  const element = h(
    "figure",
    { "aria-labelledby": heading },
    h("h3", { id: heading }, parts.title),
    h("p", { class: "explanation" }, parts.explanation),
    parts.controls ? h("div", { class: "controls" }, ...parts.controls) : null,
    body,
    h("div", { class: "actions" }, data.element, save),
  );

  let width = 0;
  const redraw = () => {
    if (width === 0) return;
    body.replaceChildren(parts.draw(width));
    data.refresh();
  };
  new ResizeObserver((entries) => {
    const now = Math.floor(entries[0]?.contentRect.width ?? 0);
    if (now === width || now === 0) return;
    width = now;
    redraw();
  }).observe(body);
  return { element, redraw };
}

// Built when it is opened: some have thousands of rows.
function dataTable(parts: FigureParts): { element: HTMLElement; refresh: () => void } {
  const place = h("div", { class: "data" });
  const element = h("details", {}, h("summary", {}, "Data as a table"), place);
  const csv = h("button", { type: "button", class: "save-csv" }, "Save as CSV");
  csv.addEventListener("click", () => {
    download(fileName(parts.title, "csv"), "text/csv", toCsv(parts.table()));
  });
  const refresh = () => {
    place.replaceChildren();
    if (element.open) place.append(tableElement(parts.table()), csv);
  };
  element.addEventListener("toggle", refresh);
  return { element, refresh };
}
