// The whole page is at most 250 KB gzipped, as the server compresses it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const root = new URL("../../src/turnwise/server/static", import.meta.url).pathname;
let total = 0;
for (const name of readdirSync(root, { recursive: true })) {
  if (/\.(js|css|html|svg)$/.test(name)) total += gzipSync(readFileSync(join(root, name)), { level: 9 }).length;
}
const kilobytes = Math.round(total / 1000);
console.log(`page: ${kilobytes} KB gzipped, at most 250`);
if (kilobytes > 250) process.exit(1);
