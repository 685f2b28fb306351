import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env["TURNWISE_SERVER"] ?? "http://127.0.0.1:8765";

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../src/turnwise/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": { target: server, changeOrigin: true } },
  },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"] },
});
