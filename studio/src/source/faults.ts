// Problems as the editor shows them: at characters of its text, so that they move with what is typed.

import type { ChangeDesc, Text } from "@codemirror/state";
import type { DiagnosticView, EditedProblem, TextPosition } from "../api/types";

/** An edit that repairs a problem. */
export interface FaultRepair {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Fault {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  /** What is underlined; nothing where both are the same. */
  readonly from: number;
  readonly to: number;
  readonly repairs: readonly FaultRepair[];
}

/** The character at a place of a text, which counts lines from 0. */
export function offsetOf(doc: Text, { line, character }: TextPosition): number {
  if (line >= doc.lines) return doc.length;
  const { from, length } = doc.line(line + 1);
  return from + Math.min(character, length);
}

/** Where a character stands. */
export function positionOf(doc: Text, at: number): TextPosition {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

/** Where a problem points at in the text of its line: columns count characters, strings their halves. */
export function faultRange(text: string, column: number): [number, number] | null {
  const from = [...text].slice(0, column - 1).join("").length;
  if (column < 1 || from >= text.length) return null;
  return [from, from + (/^[\w.]+/.exec(text.slice(from))?.[0].length ?? 1)];
}

/** The problems of a document that is stored, as far as its text has their lines. */
export function storedFaults(doc: Text, problems: readonly DiagnosticView[]): Fault[] {
  return problems.flatMap((one) => {
    if (one.line < 1 || one.line > doc.lines) return [];
    const line = doc.line(one.line);
    const [from, to] = faultRange(line.text, one.column) ?? [0, 0];
    return [{ ...one, from: line.from + from, to: line.from + to, repairs: [] }];
  });
}

/** The problems of a text that is edited. One that goes over several lines is underlined in its first. */
export function editedFaults(doc: Text, problems: readonly EditedProblem[]): Fault[] {
  return problems.map(({ range, repairs, ...one }) => {
    const from = offsetOf(doc, range.start);
    return {
      ...one,
      from,
      to: Math.max(from, Math.min(offsetOf(doc, range.end), doc.lineAt(from).to)),
      repairs: repairs.map(({ title, text, range: at }) => ({ title, insert: text, from: offsetOf(doc, at.start), to: offsetOf(doc, at.end) })),
    };
  });
}

/** The problems after a change of the text. A repair whose place was changed is dropped: it may no longer fit. */
export function movedFaults(faults: readonly Fault[], changes: ChangeDesc): Fault[] {
  const to = (at: number) => changes.mapPos(at);
  return faults.map((one) => ({
    ...one,
    from: to(one.from),
    to: Math.max(to(one.from), changes.mapPos(one.to, -1)),
    repairs: one.repairs.filter((repair) => !changes.touchesRange(repair.from, repair.to)).map((repair) => ({ ...repair, from: to(repair.from), to: to(repair.to) })),
  }));
}
