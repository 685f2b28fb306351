// The marks of lines as decorations and gutters of the editor.

import { StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, WidgetType, type DecorationSet } from "@codemirror/view";
import type { DiagnosticView } from "../api/types";
import { blockEnd, type Format } from "./blocks";
import { linesOf } from "./languages";
import { made } from "./made";
import type { Note, Seen, SourceMarks } from "./marks";

export interface Shown {
  readonly marks: SourceMarks;
  /** The line that stands out, because something leads to it; 0 if none does. */
  readonly at: number;
}

export const NO_MARKS: SourceMarks = { lines: new Map(), problems: [], here: 0 };
export const setShown = StateEffect.define<Partial<Shown>>();

const shownField = StateField.define<Shown>({
  create: () => ({ marks: NO_MARKS, at: 0 }),
  update: (shown, { effects }) => effects.reduce((now, effect) => (effect.is(setShown) ? { ...now, ...effect.value } : now), shown),
});

export const shownOf = (state: EditorState): Shown => state.field(shownField);

class NoteWidget extends WidgetType {
  constructor(readonly notes: readonly Note[], readonly seen: Seen | null) {
    super();
  }

  override eq(other: NoteWidget): boolean {
    return JSON.stringify([this.notes, this.seen]) === JSON.stringify([other.notes, other.seen]);
  }

  toDOM(): HTMLElement {
    const around = document.createElement("span");
    if (this.seen) around.append(made("span", "sr", ` ${this.seen.about} `));
    for (const note of this.notes) around.append(made("span", `cm-note ${note.tone}`, note.text));
    return around;
  }

  /** A click on the words is one on their line. */
  override ignoreEvent(): boolean {
    return false;
  }
}

class SentenceWidget extends WidgetType {
  constructor(readonly note: Note) {
    super();
  }

  override eq(other: SentenceWidget): boolean {
    return this.note.text === other.note.text && this.note.tone === other.note.tone;
  }

  toDOM(): HTMLElement {
    const block = made("div", `cm-verdict ${this.note.tone}`);
    block.append(made("span", "cm-fit", this.note.text));
    return block;
  }
}

class FaultWidget extends WidgetType {
  constructor(readonly fault: DiagnosticView, readonly onCode: (code: string) => void) {
    super();
  }

  override eq(other: FaultWidget): boolean {
    return JSON.stringify(this.fault) === JSON.stringify(other.fault);
  }

  toDOM(): HTMLElement {
    const { code, severity, message, hint } = this.fault;
    const block = made("div", `cm-fault ${severity}`);
    const button = made("button", "", code) as HTMLButtonElement;
    button.type = "button";
    button.setAttribute("aria-label", `About ${code}`);
    button.addEventListener("click", () => this.onCode(code));
    const words = made("span", "cm-fit");
    words.append(button, ` ${severity === "warning" ? "warning: " : ""}${message}${hint ? `; ${hint}` : ""}`);
    block.append(words);
    return block;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Where a problem points at in the text of its line: columns count characters, strings their halves. */
export function faultRange(text: string, column: number): [number, number] | null {
  const from = [...text].slice(0, column - 1).join("").length;
  if (column < 1 || from >= text.length) return null;
  return [from, from + (/^[\w.]+/.exec(text.slice(from))?.[0].length ?? 1)];
}

function decorationsOf(state: EditorState, format: Format, onCode: (code: string) => void): DecorationSet {
  const { marks, at } = shownOf(state);
  const found: Range<Decoration>[] = [];
  const has = (line: number) => line >= 1 && line <= state.doc.lines;
  const classed = (line: number, name: string) => has(line) && found.push(Decoration.line({ class: name }).range(state.doc.line(line).from));
  if (has(marks.here)) {
    const end = blockEnd(linesOf(state), marks.here, format);
    for (let line = marks.here; line <= end; line += 1) classed(line, "here");
  }
  classed(at, "at");
  for (const fault of marks.problems) {
    if (!has(fault.line)) continue;
    const line = state.doc.line(fault.line);
    classed(fault.line, fault.severity === "error" ? "err" : "warn");
    const range = faultRange(line.text, fault.column);
    if (range) found.push(Decoration.mark({ class: `er ${fault.severity}` }).range(line.from + range[0], line.from + range[1]));
    found.push(Decoration.widget({ widget: new FaultWidget(fault, onCode), block: true, side: 2 }).range(line.to));
  }
  for (const [number, { notes, seen }] of marks.lines) {
    if (!has(number)) continue;
    const { to } = state.doc.line(number);
    const short = notes.filter((note) => !note.isSentence);
    if (short.length || seen) found.push(Decoration.widget({ widget: new NoteWidget(short, seen), side: 1 }).range(to));
    for (const note of notes) if (note.isSentence) found.push(Decoration.widget({ widget: new SentenceWidget(note), block: true, side: 1 }).range(to));
  }
  return Decoration.set(found, true);
}

class SeenMarker extends GutterMarker {
  constructor(readonly seen: Seen) {
    super();
  }

  override eq(other: SeenMarker): boolean {
    return this.seen.kind === other.seen.kind && this.seen.about === other.seen.about;
  }

  override toDOM(): Node {
    const isOk = this.seen.kind === "happened";
    const mark = made("span", isOk ? "ok" : "unk", isOk ? "✓" : "○");
    mark.title = this.seen.about;
    return mark;
  }
}

const SVG = "http://www.w3.org/2000/svg";

class FaultMarker extends GutterMarker {
  constructor(readonly isError: boolean, readonly text: string) {
    super();
  }

  override eq(other: FaultMarker): boolean {
    return this.isError === other.isError && this.text === other.text;
  }

  override toDOM(): Node {
    const around = made("span", "");
    around.title = this.text;
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", "0 0 16 16");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", this.isError ? "M8 1.2 15.4 14.4H.6Z" : "M8 2a6 6 0 1 0 .01 0M8 5v4M8 11v1");
    path.setAttribute("fill", this.isError ? "var(--no)" : "none");
    path.setAttribute("stroke", this.isError ? "var(--no)" : "var(--unk)");
    path.setAttribute("stroke-width", "1.5");
    picture.append(path);
    around.append(picture);
    return around;
  }
}

function faultMarker(state: EditorState, line: number): FaultMarker | null {
  const faults = shownOf(state).marks.problems.filter((one) => one.line === line);
  if (!faults.length) return null;
  return new FaultMarker(faults.some((one) => one.severity === "error"), faults.map((one) => `${one.code} ${one.message}`).join("\n"));
}

/** Marks at lines and beside them; a press on the code of a problem asks for its page. */
export function marked(format: Format, onCode: (code: string) => void): Extension {
  const decorations = StateField.define<DecorationSet>({
    create: (state) => decorationsOf(state, format, onCode),
    update: (now, transaction) => (transaction.docChanged || transaction.effects.some((one) => one.is(setShown)) ? decorationsOf(transaction.state, format, onCode) : now),
    provide: (field) => EditorView.decorations.from(field),
  });
  const hasChanged = { lineMarkerChange: ({ transactions }: { transactions: readonly { effects: readonly StateEffect<unknown>[] }[] }) => transactions.some(({ effects }) => effects.some((one) => one.is(setShown))) };
  const lineOf = (view: EditorView, from: number) => view.state.doc.lineAt(from).number;
  return [
    shownField,
    decorations,
    gutter({ class: "cm-faults", lineMarker: (view, { from }) => faultMarker(view.state, lineOf(view, from)), ...hasChanged }),
    gutter({
      class: "cm-marks",
      lineMarker: (view, { from }) => {
        const seen = shownOf(view.state).marks.lines.get(lineOf(view, from))?.seen;
        return seen ? new SeenMarker(seen) : null;
      },
      ...hasChanged,
    }),
  ];
}
