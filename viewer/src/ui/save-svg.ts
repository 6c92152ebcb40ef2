// A figure as one SVG file that stands alone: its pictures where they are on the screen, its headings as text, every
// style that the page gave written into it.
import { svg } from "./dom";

const inherited = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "font-family", "font-size", "font-weight", "font-style", "font-variant", "text-anchor",
  "shape-rendering", "paint-order", "visibility"]; // prettier-ignore
const own = [["opacity", "1"], ["display", "inline"], ["dominant-baseline", "auto"]] as const; // prettier-ignore

const edge = 16; // pixels around the figure

// Elements of class "svg-text" are drawn as text; what is neither a picture nor such a text is left out.
export function standaloneSvg(body: HTMLElement, title: string): string {
  const frame = body.getBoundingClientRect();
  const drawn: { element: SVGElement; box: Box }[] = [];
  for (const picture of body.querySelectorAll("svg")) {
    const { left, top, right, bottom } = picture.getBoundingClientRect();
    if (picture.parentElement?.closest("svg") || right === left) continue;
    const box = { x: left - frame.left + edge, y: top - frame.top + edge, width: right - left, height: bottom - top };
    drawn.push({ element: placed(withStyles(picture), box), box });
  }
  for (const element of body.querySelectorAll<HTMLElement>(".svg-text")) {
    const style = getComputedStyle(element);
    for (const { text, left, top, right, bottom } of linesOf(element)) {
      const box = { x: left - frame.left + edge, y: top - frame.top + edge, width: right - left, height: bottom - top };
      drawn.push({ element: textLine(text, box, style), box });
    }
  }
  const width = Math.ceil(Math.max(0, ...drawn.map(({ box }) => box.x + box.width)) + edge);
  const height = Math.ceil(Math.max(0, ...drawn.map(({ box }) => box.y + box.height)) + edge);
  const root = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
    svg("title", {}, title),
    svg("rect", { width, height, fill: pageColour() }),
    ...drawn.map(({ element }) => element),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function placed(picture: SVGSVGElement, box: Box): SVGSVGElement {
  for (const [name, value] of Object.entries(box)) picture.setAttribute(name, String(value));
  picture.setAttribute("overflow", "visible"); // labels may reach over the border
  return picture;
}

function textLine(text: string, { x, y, height }: Box, style: CSSStyleDeclaration): SVGTextElement {
  const attributes = {
    x: x.toFixed(1),
    y: (y + 0.77 * height).toFixed(1), // the baseline, for common fonts
    fill: style.color,
    "font-family": style.fontFamily,
    "font-size": style.fontSize,
    "font-weight": style.fontWeight,
  };
  return svg("text", attributes, text);
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

interface Line {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// The lines into which the browser broke an element's text.
function linesOf(element: HTMLElement): Line[] {
  const lines: Line[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of (node.textContent ?? "").matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      const last = lines[lines.length - 1];
      if (box.width === 0) continue;
      if (last && Math.abs(last.bottom - box.bottom) < 2) {
        last.text += ` ${word[0]}`;
        last.right = box.right;
      } else {
        lines.push({ text: word[0], left: box.left, top: box.top, right: box.right, bottom: box.bottom });
      }
    }
  }
  return lines;
}
