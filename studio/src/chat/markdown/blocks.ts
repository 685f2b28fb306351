import { parseInline, type Inline } from "./inline";

/** A block of Markdown. HTML is text. */
export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "heading"; level: number; children: Inline[] }
  | { type: "code"; language: string; text: string }
  | { type: "quote"; children: Block[] }
  | { type: "list"; isOrdered: boolean; start: number; items: Block[][] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:\s+|$)/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const DEPTH = 8;

/** Parse Markdown into blocks: the part of CommonMark that models write, and tables. */
export function parseBlocks(text: string, depth = 0): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (!line.trim()) {
      at += 1;
      continue;
    }
    const [block, next] = blockAt(lines, at, depth);
    blocks.push(block);
    at = Math.max(next, at + 1);
  }
  return blocks;
}

function blockAt(lines: string[], at: number, depth: number): [Block, number] {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line);
  if (fence) return code(lines, at, fence[1] ?? "```", fence[2] ?? "");
  const heading = HEADING.exec(line);
  if (heading) return [{ type: "heading", level: heading[1]?.length ?? 1, children: parseInline(heading[2] ?? "") }, at + 1];
  if (RULE.test(line)) return [{ type: "rule" }, at + 1];
  if (depth < DEPTH && QUOTE.test(line)) return quote(lines, at, depth);
  if (depth < DEPTH && ITEM.test(line)) return list(lines, at, depth);
  if (line.includes("|") && TABLE_LINE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-") && (lines[at + 1] ?? "").includes("|")) return table(lines, at);
  return paragraph(lines, at);
}

function code(lines: string[], at: number, fence: string, language: string): [Block, number] {
  const body: string[] = [];
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (line.trim().startsWith(fence) && !line.trim().replaceAll(fence[0] ?? "`", "")) break;
    body.push(line);
  }
  return [{ type: "code", language, text: body.join("\n") }, next + 1];
}

function quote(lines: string[], at: number, depth: number): [Block, number] {
  const body: string[] = [];
  let next = at;
  for (; next < lines.length && (lines[next] ?? "").trim(); next += 1) body.push((lines[next] ?? "").replace(QUOTE, ""));
  return [{ type: "quote", children: parseBlocks(body.join("\n"), depth + 1) }, next];
}

function list(lines: string[], at: number, depth: number): [Block, number] {
  const first = ITEM.exec(lines[at] ?? "");
  const isOrdered = /\d/.test(first?.[2] ?? "");
  const items: string[][] = [];
  const margin = first?.[1]?.length ?? 0;
  let indent = 0;
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const item = ITEM.exec(line);
    const isNested = item !== null && items.length > 0 && (item[1]?.length ?? 0) >= 2 && (item[1]?.length ?? 0) > margin + 1;
    if (item && !isNested && /\d/.test(item[2] ?? "") === isOrdered && !RULE.test(line)) {
      indent = item[0].length;
      items.push([line.slice(indent)]);
    } else if (!line.trim()) {
      const after = lines[next + 1] ?? "";
      if (!after.trim() || !(/^ {2,}/.test(after) || ITEM.test(after))) break;
      items.at(-1)?.push("");
    } else if (/^ {2,}/.test(line)) {
      items.at(-1)?.push(line.slice(Math.min(indent, line.search(/\S/))));
    } else if (isLazy(line) && (lines[next - 1] ?? "").trim() && !isClosingQuestion(lines, next)) {
      items.at(-1)?.push(line);
    } else break;
  }
  return [{ type: "list", isOrdered, start: isOrdered ? parseInt(first?.[2] ?? "1", 10) : 1, items: items.map((item) => parseBlocks(item.join("\n"), depth + 1)) }, next];
}

/** The question that ends a text stands by itself, also right behind a list: it is about all of it. */
const isClosingQuestion = (lines: string[], at: number): boolean => (lines[at] ?? "").trim().endsWith("?") && lines.slice(at + 1).every((line) => !line.trim());

const isLazy = (line: string) => !FENCE.test(line) && !HEADING.test(line) && !RULE.test(line) && !QUOTE.test(line) && !ITEM.test(line);

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")));

function table(lines: string[], at: number): [Block, number] {
  const head = cells(lines[at] ?? "");
  const rows: Inline[][][] = [];
  let next = at + 2;
  for (; next < lines.length && (lines[next] ?? "").includes("|"); next += 1) {
    const row = cells(lines[next] ?? "");
    rows.push(head.map((_, index) => row[index] ?? []));
  }
  return [{ type: "table", head, rows }, next];
}

function paragraph(lines: string[], at: number): [Block, number] {
  let next = at + 1;
  while (next < lines.length && (lines[next] ?? "").trim() && isLazy(lines[next] ?? "")) next += 1;
  const text = lines
    .slice(at, next)
    .map((line) => line.trim())
    .join("\n");
  return [{ type: "paragraph", children: parseInline(text) }, next];
}
