// A figure as one SVG file that stands alone: its pictures where they are on the screen, its headings as text, every
// style that the page gave written into it.
import { svg } from "./dom";

const inherited = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "font-family", "font-size", "font-weight", "font-style", "font-variant", "text-anchor",
  "shape-rendering", "paint-order", "visibility"]; // prettier-ignore
const own = [["opacity", "1"], ["display", "inline"], ["dominant-baseline", "auto"]] as const; // prettier-ignore

// Elements of class "svg-text" are drawn as text.
export function standaloneSvg(body: HTMLElement, title: string): string {
  const frame = body.getBoundingClientRect();
  const edge = 16;
  const width = Math.ceil(frame.width) + 2 * edge;
  const height = Math.ceil(frame.height) + 2 * edge;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` });
  root.append(svg("title", {}, title));
  root.append(svg("rect", { width, height, fill: pageColour() }));
  for (const picture of body.querySelectorAll("svg")) {
    if (picture.parentElement?.closest("svg") ?? picture.closest(".no-svg")) continue;
    const box = picture.getBoundingClientRect();
    if (box.width === 0) continue;
    const copy = withStyles(picture);
    copy.setAttribute("x", String(box.left - frame.left + edge));
    copy.setAttribute("y", String(box.top - frame.top + edge));
    copy.setAttribute("width", String(box.width));
    copy.setAttribute("height", String(box.height));
    root.append(copy);
  }
  for (const element of body.querySelectorAll<HTMLElement>(".svg-text")) {
    for (const line of linesOf(element)) {
      const style = getComputedStyle(element);
      root.append(
        svg("text", {
          x: (line.left - frame.left + edge).toFixed(1),
          y: (line.bottom - frame.top + edge).toFixed(1),
          dy: "-0.35em",
          fill: style.color,
          "font-family": style.fontFamily,
          "font-size": style.fontSize,
          "font-weight": style.fontWeight,
        }, line.text), // prettier-ignore
      );
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

function pageColour(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--page").trim() || "white";
}

function withStyles(picture: SVGSVGElement): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const originals = [picture, ...picture.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  const styles = new Map(originals.map((element) => [element as Element, getComputedStyle(element)]));
  originals.forEach((original, i) => {
    const twin = copies[i];
    const style = styles.get(original);
    if (!twin || !style) return;
    const above = i === 0 ? undefined : styles.get(original.parentElement ?? picture);
    for (const property of inherited) {
      const value = style.getPropertyValue(property);
      if (value !== above?.getPropertyValue(property)) twin.setAttribute(property, value);
      else twin.removeAttribute(property);
    }
    for (const [property, initial] of own) {
      const value = style.getPropertyValue(property);
      if (value !== initial && !(property === "display" && i === 0)) twin.setAttribute(property, value);
    }
    twin.removeAttribute("class");
    twin.removeAttribute("style");
    twin.removeAttribute("tabindex");
  });
  copy.querySelectorAll("style").forEach((element) => {
    element.remove();
  });
  return copy;
}

// The lines into which the browser broke an element's text.
function linesOf(element: HTMLElement): { text: string; left: number; bottom: number }[] {
  const lines: { text: string; left: number; bottom: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of (node.textContent ?? "").matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      const last = lines[lines.length - 1];
      if (last && Math.abs(last.bottom - box.bottom) < 2) last.text += ` ${word[0]}`;
      else if (box.width > 0) lines.push({ text: word[0], left: box.left, bottom: box.bottom });
    }
  }
  return lines;
}
