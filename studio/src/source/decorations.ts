// The marks of lines as decorations and gutters of the editor.

import { StateEffect, StateField, type EditorState, type Extension, type Range, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, WidgetType, type DecorationSet } from "@codemirror/view";
import { blockEnd, type Format } from "./blocks";
import { movedFaults, storedFaults, type Fault, type FaultRepair } from "./faults";
import { linesOf } from "./languages";
import { made } from "./made";
import type { Note, Seen, SourceMarks } from "./marks";
import { t } from "../i18n/t";

export interface Shown {
  readonly marks: SourceMarks;
  /** The line that stands out, because something leads to it; 0 if none does. */
  readonly at: number;
  /** What was found in the text while it is edited; `null` where the problems of the stored document hold. */
  readonly faults: readonly Fault[] | null;
}

export const NO_MARKS: SourceMarks = { lines: new Map(), problems: [], here: 0 };
export const setShown = StateEffect.define<Partial<Shown>>();

/** Marks stay at their lines when the text changes around them. */
function movedMarks(marks: SourceMarks, { startState, state, changes }: Transaction): SourceMarks {
  const moved = (line: number) => (line >= 1 && line <= startState.doc.lines ? state.doc.lineAt(changes.mapPos(startState.doc.line(line).from, 1)).number : 0);
  return { ...marks, lines: new Map([...marks.lines].map(([line, mark]) => [moved(line), mark])), here: moved(marks.here) };
}

const shownField = StateField.define<Shown>({
  create: () => ({ marks: NO_MARKS, at: 0, faults: null }),
  update: (shown, transaction) => {
    const moved = transaction.docChanged ? { marks: movedMarks(shown.marks, transaction), at: 0, faults: shown.faults && movedFaults(shown.faults, transaction.changes) } : shown;
    return transaction.effects.reduce((now, effect) => (effect.is(setShown) ? { ...now, ...effect.value } : now), moved);
  },
});

export const shownOf = (state: EditorState): Shown => state.field(shownField);

/** The problems that are shown, at the characters of the text. */
export function faultsOf(state: EditorState): readonly Fault[] {
  const { faults, marks } = shownOf(state);
  return faults ?? storedFaults(state.doc, marks.problems);
}

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
  constructor(readonly fault: Fault, readonly onCode: (code: string) => void) {
    super();
  }

  override eq(other: FaultWidget): boolean {
    return JSON.stringify(this.fault) === JSON.stringify(other.fault);
  }

  toDOM(view: EditorView): HTMLElement {
    const { code, severity, message, hint, repairs } = this.fault;
    const block = made("div", `cm-fault ${severity}`);
    const button = made("button", "", code) as HTMLButtonElement;
    button.type = "button";
    button.setAttribute("aria-label", t("About {code}", { code }));
    button.addEventListener("click", () => this.onCode(code));
    const words = made("span", "cm-fit");
    words.append(button, ` ${severity === "warning" ? "warning: " : ""}${message}${hint ? `; ${hint}` : ""}`);
    for (const repair of repairs) words.append(" ", repairButton(view, repair));
    block.append(words);
    return block;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The repair of a problem as a button; the text has the keyboard again after it. */
function repairButton(view: EditorView, repair: FaultRepair): HTMLElement {
  const button = made("button", "repair", repair.title) as HTMLButtonElement;
  button.type = "button";
  button.addEventListener("click", () => {
    const { from, to, insert } = repair;
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.repair" });
    view.focus();
  });
  return button;
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
  for (const fault of faultsOf(state)) {
    const line = state.doc.lineAt(fault.from);
    classed(line.number, fault.severity === "error" ? "err" : "warn");
    if (fault.to > fault.from) found.push(Decoration.mark({ class: `er ${fault.severity}` }).range(fault.from, fault.to));
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
  const faults = faultsOf(state).filter((one) => state.doc.lineAt(one.from).number === line);
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
