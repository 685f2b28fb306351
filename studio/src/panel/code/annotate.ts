/** Places what a Python guard read, returned and raised beside the lines of its source. */

import { t } from "../../i18n/t";
import type { GuardCode } from "../../api/types";
import { isMissing, literalText, valueText } from "../format";
import { returnedLine } from "./returned";
import { tokenizePython, type Token } from "./tokenize";

export interface Hint {
  kind: "value" | "missing" | "returned";
  text: string;
}

export interface CodeLine {
  number: number;
  tokens: Token[];
  hints: Hint[];
  kind: "" | "returned" | "raised";
  error: string;
}

export interface AnnotatedCode {
  lines: CodeLine[];
  /** Values that no line of the source names, such as those read through another variable. */
  unplaced: Hint[];
  /** The returned value, where the line that returned it is not known. */
  returned: Hint | null;
  /** The exception, where its line is not part of the source. */
  error: string;
}

export function annotateCode(code: GuardCode): AnnotatedCode {
  const first = code.line || 1;
  const lines = tokenizePython(code.source).map((tokens, at): CodeLine => ({ number: first + at, tokens, hints: [], kind: "", error: "" }));
  const unplaced: Hint[] = [];
  for (const [name, value] of Object.entries(code.reads ?? {})) {
    const hint = readHint(name, value);
    const line = lines.find((one, at) => (at > 0 || lines.length === 1) && namesRead(codeOf(one), name));
    (line ? line.hints : unplaced).push(hint);
  }
  const error = code.error ?? "";
  if ((code.call ?? "called") !== "called") return { lines, unplaced, returned: null, error };
  if (error) return { lines, unplaced, returned: null, error: placeError(lines, code, error) };
  const returned: Hint = { kind: "returned", text: t("returned {returned}", { returned: literalText(code.returned) }) };
  const texts = lines.map((line) => ({ number: line.number, text: codeOf(line) }));
  const number = returnedLine(texts, Object.keys(code.reads ?? {}), code.returned);
  const line = lines.find((one) => one.number === number);
  if (!line) return { lines, unplaced, returned, error: "" };
  line.kind = "returned";
  line.hints.push(returned);
  return { lines, unplaced, returned: null, error: "" };
}

/** Returns `user.age = 39`, or `user.gender is missing`. */
export function readHint(name: string, value: unknown): Hint {
  return isMissing(value)
    ? { kind: "missing", text: t("{name} is not known", { name }) }
    : { kind: "value", text: `${name} = ${typeof value === "boolean" ? String(value) : valueText(value)}` };
}

const codeOf = (line: CodeLine): string =>
  line.tokens
    .filter((token) => token.kind !== "comment")
    .map((token) => token.text)
    .join("");

/** Returns whether a line names a value that was read; quotes and a `within:` argument may be written otherwise. */
function namesRead(line: string, name: string): boolean {
  const wanted = plainQuotes(name).replace(/, within: /, ", within=");
  const text = plainQuotes(line);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + wanted.length])) return true;
  }
  return false;
}

const plainQuotes = (text: string): string => text.replaceAll("'", '"');
const isWordPart = (char: string | undefined): boolean => char !== undefined && /[\w]/.test(char);

/** Marks the line that raised, and returns the error if that line is elsewhere. */
function placeError(lines: CodeLine[], code: GuardCode, error: string): string {
  const [file, number] = splitPlace(code.at ?? "");
  const isHere = !file || !code.file || sameFile(file, code.file);
  const line = isHere ? lines.find((one) => one.number === number) : undefined;
  if (!line) return code.at ? `${error} (${code.at})` : error;
  line.kind = "raised";
  line.error = error;
  return "";
}

const sameFile = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

function splitPlace(place: string): [string, number] {
  const found = /^(.*):(\d+)$/.exec(place);
  return found ? [found[1] ?? "", Number(found[2])] : ["", 0];
}
