// What stands beside the lines of a document: problems, what conversations did, how the open one stands.

import { t, tn } from "../i18n/t";
import type { Coverage, DiagnosticView, FlowPage } from "../api/types";
import { addressOf } from "../graph/level";
import { countsOf } from "../graph/show";
import type { PlacedPart } from "./places";

export type Tone = "ok" | "no" | "unk" | "soft" | "muted";

/** Whether stored conversations visited a node or took a transition, and what that is about. */
export interface Seen {
  readonly kind: "happened" | "never";
  readonly about: string;
}

/** A few words behind a line. */
export interface Note {
  readonly text: string;
  readonly tone: Tone;
  /** A whole sentence, which stands below its line so that it covers nothing of it. */
  readonly isSentence?: boolean;
}

export interface LineMark {
  readonly seen: Seen | null;
  readonly notes: readonly Note[];
}

/** The marks of one document by line, its problems, and the line in whose block the conversation is. */
export interface SourceMarks {
  readonly lines: ReadonlyMap<number, LineMark>;
  readonly problems: readonly DiagnosticView[];
  readonly here: number;
}

const EMPTY: LineMark = { seen: null, notes: [] };

/** Add to the mark of a line. */
function put(marks: Map<number, LineMark>, line: number, change: (mark: LineMark) => LineMark): void {
  marks.set(line, change(marks.get(line) ?? EMPTY));
}

/** How often a node or transition happened in the stored conversations, in words. `null` where none is stored. */
export function seenOf(part: PlacedPart, coverage: Coverage | null | undefined): Seen | null {
  if (!coverage?.conversations) return null;
  if (part.node) {
    const name = addressOf(part.node);
    const visits = coverage.nodes[name] ?? 0;
    return visits ? { kind: "happened", about: t("{name} visited by {visits}", { name, visits }) } : { kind: "never", about: t("{name} never visited", { name }) };
  }
  const { judged, taken } = countsOf(part.edge!, coverage);
  const name = part.edge!.transition;
  if (taken) return { kind: "happened", about: t("{name} taken {taken} of {judged} times", { name, taken, judged }) };
  return { kind: "never", about: judged ? tn(judged, "{name} judged 1 time, never taken", "{name} judged {n} times, never taken", { name }) : t("{name} never judged", { name }) };
}

/** The problems in a document. One without a file is in the document of the flow. */
export function problemsOf(page: FlowPage, file: string): DiagnosticView[] {
  return page.diagnostics.filter((one) => (one.file || page.flow.file) === file);
}

/** The marks of a document on the page of its flow: coverage, waiting conversations, problems. */
export function flowMarks(page: FlowPage, parts: readonly PlacedPart[], file: string): SourceMarks {
  const lines = new Map<number, LineMark>();
  for (const part of parts) {
    if (part.file !== file) continue;
    const seen = seenOf(part, page.coverage);
    put(lines, part.line, (mark) => ({ ...mark, seen: better(mark.seen, seen) }));
    const waiting = part.node ? (page.parked[addressOf(part.node)] ?? 0) : 0;
    if (waiting) put(lines, part.line, (mark) => ({ ...mark, notes: [...mark.notes, { text: t("{waiting} here", { waiting }), tone: "ok" }] }));
  }
  return { lines, problems: problemsOf(page, file), here: 0 };
}

/** Of two parts in one line, what happened counts. */
function better(one: Seen | null, other: Seen | null): Seen | null {
  if (!one || !other) return one ?? other;
  if (one.kind !== other.kind) return one.kind === "happened" ? one : other;
  return { kind: one.kind, about: `${one.about}, ${other.about}` };
}

/** The marks with words behind some lines, and with the block in which the conversation is. */
export function withNotes(marks: SourceMarks, notes: readonly { readonly line: number; readonly note: Note }[], here: number): SourceMarks {
  const lines = new Map([...marks.lines].map(([line, mark]) => [line, { ...mark, notes: [] as Note[] }] as [number, LineMark]));
  for (const { line, note } of notes) put(lines, line, (mark) => ({ ...mark, notes: [...mark.notes, note] }));
  return { ...marks, lines, here };
}
