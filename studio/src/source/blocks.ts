// Where a block of a document ends: a node with its keys, a transition, a list.

import type { SourceFile } from "../api/types";

export type Format = SourceFile["format"];

const indentOf = (text: string): number => /^\s*/.exec(text)![0].length;

/** The last line of what begins in a line; both count from 1. It is the line itself where nothing is inside. */
export function blockEnd(lines: readonly string[], line: number, format: Format): number {
  return format === "yaml" ? indentedEnd(lines, line) : bracedEnd(lines, line, format === "dygram");
}

/** YAML: what is indented more, without blank lines and comments at its end. */
function indentedEnd(lines: readonly string[], line: number): number {
  const first = lines[line - 1] ?? "";
  if (!first.trim() || first.trim().startsWith("#")) return line;
  const indent = indentOf(first);
  const isKey = /:\s*(?:[|>][-+\d]*)?\s*(?:#.*)?$/.test(first);
  let end = line;
  for (let at = line; at < lines.length; at += 1) {
    const text = lines[at]!;
    if (!text.trim()) continue;
    const own = indentOf(text);
    // the items of a list may stand as far to the left as the key of the list
    if (own < indent || (own === indent && !(isKey && /^\s*-(\s|$)/.test(text) && !/^\s*-/.test(first)))) break;
    if (!text.trim().startsWith("#")) end = at + 1;
  }
  return end;
}

/** The characters of a document that are no text and no comment, from a line on; `\n` ends each line. */
function* marksFrom(lines: readonly string[], line: number, hasComments: boolean): Generator<string> {
  let quote = "";
  let isComment = false;
  for (let at = line - 1; at < lines.length; at += 1) {
    const text = lines[at]!;
    for (let place = 0; place < text.length; place += 1) {
      const mark = text[place]!;
      if (isComment) {
        if (text.startsWith("*/", place)) {
          isComment = false;
          place += 1;
        }
      } else if (quote) {
        if (mark === "\\") place += 1;
        else if (mark === quote) quote = "";
      } else if (hasComments && text.startsWith("//", place)) break;
      else if (hasComments && text.startsWith("/*", place)) {
        isComment = true;
        place += 1;
      } else if (mark === '"' || (hasComments && mark === "'")) quote = mark;
      else yield mark;
    }
    yield "\n";
  }
}

/** Braces: up to the one that closes the first, or to the mark that ends a statement before. */
function bracedEnd(lines: readonly string[], line: number, isDygram: boolean): number {
  let depth = 0;
  let now = line;
  let hasText = false;
  for (const mark of marksFrom(lines, line, isDygram)) {
    if (mark === "\n") {
      if (!hasText) return line; // a line of blanks and comments
      now += 1;
    } else if (mark.trim()) {
      hasText = true;
      if ("{[(".includes(mark)) depth += 1;
      else if ("}])".includes(mark)) {
        depth -= 1;
        if (depth < 0) return Math.max(line, now - 1);
        if (depth === 0 && mark === "}") return now;
      } else if (depth === 0 && mark === (isDygram ? ";" : ",")) return now;
    }
    if (now > lines.length) break;
  }
  return isDygram || depth > 0 ? line : Math.min(now, lines.length);
}
