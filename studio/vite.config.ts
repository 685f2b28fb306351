import { readdirSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const checks = new URL("../docs/checks/", import.meta.url);

/** The pages about checks, so that the flow page can show what a code means without any other site. */
function checkPages(): Plugin {
  return {
    name: "check-pages",
    generateBundle() {
      for (const name of readdirSync(checks).filter((one) => /^TW\d+\.md$/.test(one))) {
        this.emitFile({ type: "asset", fileName: `checks/${name}`, source: readFileSync(new URL(name, checks)) });
      }
    },
    configureServer(dev) {
      dev.middlewares.use("/checks", (request, response, next) => {
        const name = /^\/(TW\d+\.md)$/.exec(request.url ?? "")?.[1];
        if (!name) return next();
        response.setHeader("Content-Type", "text/markdown; charset=utf-8");
        response.end(readFileSync(new URL(name, checks)));
      });
    },
  };
}

const server = process.env["TURNWISE_SERVER"] ?? "http://127.0.0.1:8765";

export default defineConfig({
  base: "./",
  plugins: [react(), checkPages()],
  build: {
    outDir: "../src/turnwise/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
  },
  worker: { format: "es", rolldownOptions: { output: { minify: true, comments: false } } },
  server: {
    proxy: { "/api": { target: server, changeOrigin: true } },
  },
  test: {
    environment: "jsdom",
    reporters: "dot",
    silent: "passed-only",
    unstubGlobals: true,
    // Most of the work is a process with a page for each file. Only components share a state of the page.
    projects: [
      { extends: true, test: { name: "functions", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "components", include: ["src/**/*.test.tsx"] } },
    ],
  },
});
