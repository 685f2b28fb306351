import { defineConfig } from "vite";

/** The widget is one classic script without imports, so that a page needs a single tag. It is built after the page. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/turnwise/server/static",
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: "src/widget/main.ts", formats: ["iife"], name: "turnwiseWidget", fileName: () => "widget.js" },
  },
});
