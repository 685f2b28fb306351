// The editor of one document at a time, in a shadow root. Loaded when a source is first shown.

import { codeFolding, foldGutter, foldKeymap, foldedRanges, unfoldEffect } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, Text, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import type { SourceFile } from "../api/types";
import { marked, setShown } from "./decorations";
import { findPanel } from "./find";
import { editable, undone, type EditPort } from "./editable";
import { languageOf } from "./languages";
import type { SourceMarks } from "./marks";
import { theme } from "./theme";
import { t } from "../i18n/t";

/** What the editor tells of what the reader does. Lines count from 1. */
export interface Listeners {
  /** The reader chose a line, by a click or with Enter. */
  onLine: (line: number) => void;
  onCode: (code: string) => void;
  /** Where the name under the cursor is declared is wanted. */
  onName: (name: string) => void;
  /** The reader goes along a way: from a node to its first transition, from a transition to where it leads. */
  onAlong: (line: number) => void;
  /** What is known about a line, as an element; `null` if nothing is. */
  about: (line: number) => HTMLElement | null;
}

/** An editor that shows documents. */
export interface Editor {
  /** Show a document; one that is shown already keeps its place. It is edited where there is a port, else read only. */
  open: (file: SourceFile, port: EditPort | null) => void;
  mark: (marks: SourceMarks) => void;
  /** Bring a line to the middle, and mark it. */
  show: (line: number, hasFocus: boolean) => void;
  /** Mark a line where it is. */
  point: (line: number) => void;
  find: () => void;
  undo: () => void;
  destroy: () => void;
}

const nameAt = (state: EditorState, at: number): string => {
  const line = state.doc.lineAt(at);
  const before = /[\w./]*$/.exec(line.text.slice(0, at - line.from))?.[0] ?? "";
  return before + (/^[\w./]*/.exec(line.text.slice(at - line.from))?.[0] ?? "");
};

/** What only a reader has: a cursor that changes nothing, lines that mark their step, cards about them. */
function readOnly(file: SourceFile, listeners: Listeners, choose: (view: EditorView, line: number) => void): Extension {
  const lineAt = (view: EditorView) => view.state.doc.lineAt(view.state.selection.main.head).number;
  return [
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ "aria-label": t("Text of {name}", { name: file.name }), "aria-readonly": "true", tabindex: "0", inputmode: "none", spellcheck: "false" }),
    hoverTooltip((view, at) => {
      const line = view.state.doc.lineAt(at);
      const element = listeners.about(line.number);
      return element && { pos: line.from, above: false, create: () => ({ dom: element }) };
    }, { hoverTime: 500 }),
    keymap.of([
      { key: "Enter", run: (view) => (choose(view, lineAt(view)), true) },
      { key: "Alt-ArrowDown", run: (view) => (listeners.onAlong(lineAt(view)), true) },
    ]),
  ];
}

function extensions(file: SourceFile, listeners: Listeners, port: EditPort | null): Extension {
  const lineAt = (view: EditorView, at: number) => view.state.doc.lineAt(at).number;
  const choose = (view: EditorView, line: number) => {
    view.dispatch({ effects: setShown.of({ at: line }) });
    listeners.onLine(line);
  };
  return [
    port ? editable(file, port) : readOnly(file, listeners, choose),
    lineNumbers(),
    marked(file.format, listeners.onCode),
    foldGutter(),
    codeFolding(),
    languageOf(file.format),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    search({ createPanel: findPanel, top: true }),
    EditorView.domEventHandlers({
      click: (event, view) => {
        if (!view.state.selection.main.empty || (event.target as Element).closest?.("button, .cm-panels")) return;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null) return;
        if (event.ctrlKey || event.metaKey) listeners.onName(nameAt(view.state, at));
        else if (!port) choose(view, lineAt(view, at));
      },
    }),
    keymap.of([
      { key: "F12", run: (view) => (listeners.onName(nameAt(view.state, view.state.selection.main.head)), true) },
      ...foldKeymap,
      ...searchKeymap,
    ]),
    theme,
  ];
}

const linesIn = (text: string): string[] => text.split(/\r\n?|\n/);

/** Only what differs between two texts, so that folds and the place of the reader stay. */
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < before.length - from && end < after.length - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** Make an editor in an element. */
export function createEditor(host: HTMLElement, listeners: Listeners): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const around = document.createElement("div");
  around.style.height = "100%";
  around.style.containerType = "inline-size"; // what stands below a line is as wide as what is seen
  root.replaceChildren(around);
  // the arrows move the cursor of the editor, and not the position of the conversation
  around.addEventListener("keydown", (event) => /^(?:Arrow|Home$|End$)/.test(event.key) && event.stopPropagation());
  const view = new EditorView({ root, parent: around });
  let shown: { file: SourceFile; port: EditPort | null } | null = null;
  const isAsStored = () => shown !== null && view.state.doc.eq(Text.of(linesIn(shown.port?.stored ?? shown.file.text)));
  const lineOf = (line: number) => view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  return {
    open: (file, port) => {
      const isSame = shown?.file.file === file.file && shown.file.format === file.format && shown.port === port;
      const text = linesIn(port?.text ?? file.text).join("\n");
      if (!isSame) {
        const head = shown?.file.file === file.file ? Math.min(view.state.selection.main.head, text.length) : 0;
        view.setState(EditorState.create({ doc: text, selection: { anchor: head }, extensions: extensions(file, listeners, port) }));
      } else if (view.state.doc.toString() !== text) view.dispatch({ changes: difference(view.state.doc.toString(), text) });
      shown = { file, port };
    },
    mark: (marks) => isAsStored() && view.dispatch({ effects: setShown.of({ marks }) }),
    show: (line, hasFocus) => {
      const { from, to } = lineOf(line);
      const folds: ReturnType<typeof unfoldEffect.of>[] = [];
      foldedRanges(view.state).between(from, to, (begin, end) => void (begin < from && folds.push(unfoldEffect.of({ from: begin, to: end }))));
      view.dispatch({ effects: [...folds, setShown.of({ at: line }), EditorView.scrollIntoView(from, { y: "center" })], selection: EditorSelection.cursor(from) });
      if (hasFocus) view.focus();
    },
    point: (line) => view.dispatch({ effects: setShown.of({ at: line }) }),
    find: () => void (openSearchPanel(view), view.dom.querySelector<HTMLElement>("[main-field]")?.focus()),
    undo: () => (undone(view), view.focus()),
    destroy: () => view.destroy(),
  };
}
