import { defineConfig } from "vitest/config";
import { inlineEverything } from "./inline-plugin";

export default defineConfig({
  plugins: [inlineEverything()],
  build: {
    target: "es2021",
    assetsInlineLimit: Infinity,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
  },
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/unit/*.test.ts"] } },
      {
        extends: true,
        test: { name: "browser", include: ["tests/browser/*.test.ts"], testTimeout: 30_000, hookTimeout: 30_000 },
      },
    ],
  },
});
