// The source of a flow, line by line, with what is known about each line.

import type { Coverage, DiagnosticView, FlowPage } from "../api/types";
import { isPlace } from "../graph/kinds";
import { addressOf } from "../graph/level";
import { countsOf } from "../graph/show";

export type PartKind = "key" | "comment" | "plain" | "wrong";

/** A piece of a line that is drawn in one style. */
export interface Part {
  readonly text: string;
  readonly kind: PartKind;
}

export interface SourceLine {
  readonly number: number;
  readonly parts: readonly Part[];
  /** Whether stored conversations visited the node, or took the transition, that begins here. */
  readonly covered: boolean | null;
  /** What `covered` is about: `introduction, 12 conversations`. */
  readonly about: string;
  /** How many conversations wait in the node that begins here. */
  readonly waiting: number;
  readonly problems: readonly DiagnosticView[];
}

/** The lines of a document with coverage, waiting conversations and problems. */
export function sourceLines(page: FlowPage): SourceLine[] {
  if (page.source === null || page.source === undefined) return [];
  const marks = marksOf(page);
  return page.source.replace(/\n$/, "").split("\n").map((text, place) => {
    const number = place + 1;
    const problems = page.diagnostics.filter((one) => one.line === number && isHere(page, one));
    return { number, parts: partsOf(text, problems), problems, ...(marks.get(number) ?? NO_MARK) };
  });
}

/** Whether a problem is in the document of the flow, and not in one that it imports. */
export function isHere(page: FlowPage, problem: DiagnosticView): boolean {
  return !problem.file || problem.file === page.flow.file;
}

interface Mark {
  covered: boolean | null;
  about: string;
  waiting: number;
}

const NO_MARK: Mark = { covered: null, about: "", waiting: 0 };

function marksOf(page: FlowPage): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const coverage: Coverage | null = page.coverage?.conversations ? page.coverage : null;
  for (const node of page.graph.nodes) {
    if (!isPlace(node) || !node.line) continue;
    const name = addressOf(node);
    const visited = coverage?.nodes[name] ?? 0;
    const about = visited ? `${name} visited by ${visited}` : `${name} never visited`;
    marks.set(node.line, { covered: coverage ? visited > 0 : null, about, waiting: page.parked[name] ?? 0 });
  }
  for (const edge of page.graph.edges) {
    if (!edge.line || !edge.transition || !coverage || marks.has(edge.line)) continue;
    const { taken, judged } = countsOf(edge, coverage);
    const about = taken ? `${edge.transition} taken ${taken} of ${judged} times` : `${edge.transition} never taken`;
    marks.set(edge.line, { covered: taken > 0, about, waiting: 0 });
  }
  return marks;
}

/** Split a line into keys, comments and the words that a problem points at. */
export function partsOf(text: string, problems: readonly Pick<DiagnosticView, "column">[]): Part[] {
  const plain = highlighted(text);
  return problems.reduce<Part[]>((parts, problem) => withProblem(parts, problem.column), plain);
}

function highlighted(text: string): Part[] {
  if (/^\s*#/.test(text)) return [{ text, kind: "comment" }];
  const key = /^(\s*(?:- )*\{?)([\w-]+|[\w-]+(?: [\w-]+)+(?=: [[{])|"[^"]*"|'[^']*')(:)(?=\s|$)/.exec(text);
  const start = key ? key[0].length : 0;
  const comment = /\s#.*$/.exec(text.slice(start));
  const isComment = comment && (text.slice(start, start + comment.index).match(/["']/g)?.length ?? 0) % 2 === 0;
  const end = isComment ? start + comment.index : text.length;
  const parts: Part[] = key ? [{ text: key[1]!, kind: "plain" }, { text: key[2]!, kind: "key" }, { text: key[3]!, kind: "plain" }] : [];
  parts.push({ text: text.slice(start, end), kind: "plain" }, { text: text.slice(end), kind: "comment" });
  return parts.filter((part) => part.text);
}

function withProblem(parts: readonly Part[], column: number): Part[] {
  let at = 0;
  return parts.flatMap((part) => {
    const from = column - 1 - at;
    at += part.text.length;
    if (column < 1 || from < 0 || from >= part.text.length) return [part];
    const length = /^[\w.]+/.exec(part.text.slice(from))?.[0].length ?? 1;
    return [
      { text: part.text.slice(0, from), kind: part.kind },
      { text: part.text.slice(from, from + length), kind: "wrong" as const },
      { text: part.text.slice(from + length), kind: part.kind },
    ].filter((one) => one.text);
  });
}
