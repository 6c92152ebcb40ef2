// Hands text to the reader as a file.
import { h } from "./dom";

export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // not at once: the browser may still be reading it
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}

export function fileName(title: string, ending: string): string {
  const stem = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${stem || "figure"}.${ending}`;
}
