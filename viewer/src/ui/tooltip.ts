// The one tooltip of the page: figures of what the pointer or the keyboard is at.
import { h } from "./dom";

let box: HTMLElement | null = null;

export function showTooltip(content: Node, x: number, y: number): void {
  if (!box) {
    box = h("div", { class: "tooltip", role: "tooltip" });
    document.body.append(box);
  }
  box.replaceChildren(content);
  box.hidden = false;
  // beside the pointer, and inside the window
  const { width, height } = box.getBoundingClientRect();
  const space = 14;
  const room = document.documentElement.clientWidth;
  const left = x + space + width > room ? Math.max(4, x - space - width) : x + space;
  const top = y + space + height > window.innerHeight ? Math.max(4, y - space - height) : y + space;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

export function hideTooltip(): void {
  if (box) box.hidden = true;
}
