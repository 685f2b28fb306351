// A small lint: modules under 300 lines (but for tables), no HTML set from strings, no inline handlers, no address outside.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = new URL("../src", import.meta.url).pathname;
const faults = [];
for (const name of readdirSync(root, { recursive: true })) {
  if (!/\.(tsx?|css)$/.test(name)) continue;
  const text = readFileSync(join(root, name), "utf8");
  const lines = text.split("\n");
  if (/\.tsx?$/.test(name) && !/schema\.ts$|^i18n\/de\.ts$/.test(name)) {
    if (lines.length > 301) faults.push(`${name}: ${lines.length} lines, at most 300`);
    if (/dangerouslySetInnerHTML|\.innerHTML\s*=|\beval\(|new Function\(/.test(text)) faults.push(`${name}: HTML or code from a string`);
    if (/:\s*any\b|\bas any\b|@ts-ignore|@ts-expect-error/.test(text)) faults.push(`${name}: any, or an error that is ignored`);
    if (/console\.(log|debug)\(/.test(text)) faults.push(`${name}: console output`);
  }
  if (name.endsWith(".css") && /@import|url\(\s*["']?(https?:)?\/\//.test(text)) faults.push(`${name}: a resource from outside`);
}
if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
