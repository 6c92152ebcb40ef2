// Puts the one script and the one style sheet of the build into the page, so that it is a single file. The browser runs
// that script, told by its hash, and no other: data that slipped into the page as markup would still be dead.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const placeholder = '<script type="application/json" id="aria-report">__ARIA_REPORT__</script>';

export function inlineEverything(): Plugin {
  return {
    name: "inline-everything",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build gave no index.html");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          const tag = new RegExp(`<script type="module"[^>]*src="[^"]*${name}"[^>]*></script>\\s*`);
          html = replaceOnce(html, tag, "");
          // at the end of the body: a page that is still loading shows its frame first
          const script = scriptText(file.code);
          html = replaceOnce(html, /<\/body>/, `<script type="module">${script}</script>\n  </body>`);
          html = replaceOnce(html, /__SCRIPTS__/, `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
        } else if (name.endsWith(".css")) {
          const tag = new RegExp(`<link rel="stylesheet"[^>]*href="[^"]*${name}"[^>]*>`);
          html = replaceOnce(html, tag, `<style>${String(file.source).trim()}</style>`);
        } else {
          continue;
        }
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
        delete bundle[name];
      }
      if (html.split("__ARIA_REPORT__").length !== 2 || !html.includes(placeholder)) {
        throw new Error("the page must hold its placeholder exactly once");
      }
      page.source = html;
      page.fileName = "report.html";
    },
  };
}

function replaceOnce(html: string, pattern: RegExp, text: string): string {
  if (!pattern.test(html)) throw new Error(`the page has no ${pattern.source}`);
  return html.replace(pattern, () => text);
}

function scriptText(code: string): string {
  const text = code.trim();
  if (/<\/script|<!--/i.test(text)) throw new Error("the script would end its own element");
  return text;
}
