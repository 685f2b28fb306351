// Gzipped, as the server compresses it: what the first page loads is at most 250 KB, everything together at most 420 KB.
// The editor of the source view comes when a source is first shown.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";

const root = new URL("../../src/turnwise/server/static", import.meta.url).pathname;
const FIRST = 250;
const ALL = 420;
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+\.js)["']/g;

const sizeOf = (name) => gzipSync(readFileSync(join(root, name)), { level: 9 }).length;

/** The files that a page loads before it asks for more: those of its HTML, and what they import at once. */
function firstFiles() {
  const html = readFileSync(join(root, "index.html"), "utf8");
  const found = new Set(["index.html"]);
  const waiting = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css|svg))"/g)].map(([, name]) => name);
  while (waiting.length) {
    const name = waiting.pop();
    if (found.has(name)) continue;
    found.add(name);
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(root, name), "utf8");
    for (const [, other] of text.matchAll(STATIC_IMPORT)) waiting.push(relative(root, join(root, dirname(name), other)));
  }
  return [...found];
}

const kilobytes = (names) => Math.round(names.reduce((sum, name) => sum + sizeOf(name), 0) / 1000);
const files = firstFiles();
const first = kilobytes(files);
const all = kilobytes(readdirSync(root, { recursive: true }).filter((name) => /\.(js|css|html|svg)$/.test(name)));
console.log(`first page: ${first} KB gzipped in ${files.length} files, at most ${FIRST}; all: ${all} KB, at most ${ALL}`);
if (files.length < 3 || first > FIRST || all > ALL) process.exit(1);
