/**
 * Finds the line on which a Python guard returned, where what was recorded leaves only one.
 *
 * The journal has the returned value and the values that were read, in order. A `return` is ruled out if it gives
 * another constant, if it reads a value that was not read, if a condition above it reads one, or if a value was read
 * that only later lines name.
 */

export interface SourceLine {
  number: number;
  /** The line without its comment. */
  text: string;
}

const ATTRIBUTE = /(?<![\w.])([A-Za-z_]\w*)\.([A-Za-z_]\w*)/g;
/** A condition that reads a value first, whatever else it contains. */
const CONDITION = /^\s*if\s+(?:not\s+)?([A-Za-z_]\w*\.[A-Za-z_]\w*)(?![\w.(])/;
const HAS_LOOP = /(?<![\w.])(for|while|lambda|yield|async|await)\b/;

/** Returns the number of the line that returned `value`, or 0 where several lines can have done it. */
export function returnedLine(lines: readonly SourceLine[], reads: readonly string[], value: unknown): number {
  const returns = lines.filter((line) => /^\s*return\b/.test(line.text));
  if (returns.length === 1) return returns[0]?.number ?? 0;
  const byValue = returns.filter((line) => canReturn(line.text, value));
  if (byValue.length === 1) return byValue[0]?.number ?? 0;
  if (!canFollowReads(lines)) return 0;
  const byReads = byValue.filter((line) => isReached(line, lines, reads));
  return byReads.length === 1 ? (byReads[0]?.number ?? 0) : 0;
}

/** Returns false only where a line returns a constant that is another value. */
export function canReturn(line: string, value: unknown): boolean {
  const text = line.trim().replace(/^return\b\s*/, "");
  if (text === "" || text === "None") return value === null || value === undefined;
  if (text === "True" || text === "False") return value === (text === "True");
  const quoted = /^(["'])([^"'\\]*)\1$/.exec(text);
  return quoted ? value === quoted[2] : true;
}

/** Returns whether every read has its name on the line that reads it: no loops, and no record handed to a function. */
function canFollowReads(lines: readonly SourceLine[]): boolean {
  const [head, ...body] = lines;
  const parameters = [...(head?.text.match(/\(([^)]*)\)/)?.[1] ?? "").matchAll(/([A-Za-z_]\w*)\s*(?:[:,=]|$)/g)].map((found) => found[1] ?? "");
  if (!head?.text.trim().startsWith("def ") || body.some((line) => HAS_LOOP.test(line.text) || /^\s*def\b/.test(line.text))) return false;
  return parameters.every((name) => !body.some((line) => new RegExp(`(?<![\\w."'])${name}(?![\\w.])`).test(line.text)));
}

function isReached(line: SourceLine, lines: readonly SourceLine[], reads: readonly string[]): boolean {
  const own = namesIn(line.text);
  if (own.length > 0 && !own.some((name) => reads.includes(name))) return false;
  const top = indentOf(lines[1]?.text ?? "");
  const passed = lines.filter((one) => one.number < line.number && indentOf(one.text) <= top).map((one) => CONDITION.exec(one.text)?.[1]);
  if (passed.some((name) => name !== undefined && !reads.includes(name))) return false;
  return reads.every((name) => {
    const first = lines.find((one) => namesIn(one.text).includes(name));
    return first === undefined || first.number <= line.number;
  });
}

const indentOf = (text: string): number => text.search(/\S|$/);

const namesIn = (text: string): string[] => [...text.matchAll(ATTRIBUTE)].map((found) => `${found[1]}.${found[2]}`);
