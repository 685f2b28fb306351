// What an author has beside a reader: keys, undo, completion, and the checker while typing.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, undo } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { CompletionView, EditedProblem, HoverView, SourceFile, TextPosition } from "../api/types";
import { setShown } from "./decorations";
import { editedFaults, offsetOf, positionOf, type Fault } from "./faults";
import { made } from "./made";
import { t } from "../i18n/t";

/** What the editor asks, and what it reports. A question that fails has no answer: typing goes on. */
export interface EditPort {
  /** The text of the document as it is stored. */
  readonly stored: string;
  /** The text as the author has it now, before anything is drawn with it. */
  readonly text: string;
  onText: (text: string) => void;
  onSave: () => void;
  onFaults: (faults: readonly Fault[]) => void;
  /** The author pressed Escape: the next Tab leaves the editor. */
  onLeave: () => void;
  check: (text: string) => Promise<readonly EditedProblem[]>;
  complete: (text: string, at: TextPosition) => Promise<CompletionView>;
  hover: (text: string, at: TextPosition) => Promise<HoverView>;
}

/** So long after the last change the text is checked. */
const CHECK_MS = 300;
const TYPES: Record<CompletionView["offers"][number]["kind"], string> = { key: "property", name: "variable", field: "variable", value: "enum", function: "function", word: "keyword" };
const TRIGGER = /[.@>:"{ -]$/;

export const undone = (view: EditorView): boolean => undo(view);

/** Checks the text whenever it has rested, and shows what was found if it is still the same. */
function checking(port: EditPort): Extension {
  return ViewPlugin.define((view) => {
    let timer = 0;
    let isGone = false;
    const run = async () => {
      const doc = view.state.doc;
      const problems = await port.check(doc.toString()).catch(() => null);
      if (isGone || !problems || view.state.doc !== doc) return;
      const faults = editedFaults(doc, problems);
      view.dispatch({ effects: setShown.of({ faults }) });
      port.onFaults(faults);
    };
    const soon = (ms: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void run(), ms);
    };
    soon(0);
    return {
      update: ({ docChanged }: ViewUpdate) => docChanged && soon(CHECK_MS),
      destroy: () => {
        isGone = true;
        clearTimeout(timer);
      },
    };
  });
}

async function completions(context: CompletionContext, port: EditPort): Promise<CompletionResult | null> {
  const { doc } = context.state;
  const line = doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (!context.explicit && !/\w$/.test(before) && !TRIGGER.test(before)) return null;
  const found = await port.complete(doc.toString(), positionOf(doc, context.pos)).catch(() => null);
  if (context.aborted || !found?.offers.length) return null;
  const options = found.offers.map(({ label, kind, detail }, place): Completion => ({ label, type: TYPES[kind], detail: detail.length > 60 ? `${detail.slice(0, 60)}…` : detail, boost: -place / 10 }));
  return { from: offsetOf(doc, found.range.start), to: context.pos, options, ...(found.is_incomplete ? {} : { validFor: /^[\w-]*$/ }) };
}

function card({ title, lines, counts }: HoverView): HTMLElement {
  const about = made("div", "cm-about");
  if (title) about.append(made("b", "", title));
  for (const line of [...lines, ...counts]) about.append(made("p", "", line));
  return about;
}

const hovering = (port: EditPort): Extension =>
  hoverTooltip(async (view, at) => {
    const { doc } = view.state;
    const found = await port.hover(doc.toString(), positionOf(doc, at)).catch(() => null);
    if (!found || view.state.doc !== doc || !(found.title || found.counts.length)) return null;
    const pos = offsetOf(doc, found.range.start);
    return { pos, end: offsetOf(doc, found.range.end), above: true, create: () => ({ dom: card(found) }) };
  }, { hoverTime: 500, hideOnChange: true });

/** Escape gives the Tab key back to the page, until the editor is entered again. */
const leaving = (port: EditPort): Extension => [
  keymap.of([{ key: "Escape", run: (view) => (view.setTabFocusMode(true), port.onLeave(), true) }]),
  EditorView.domEventHandlers({ focus: (_, view) => void view.setTabFocusMode(false) }),
];

/** An editable document. */
export function editable(file: SourceFile, port: EditPort): Extension {
  return [
    EditorView.contentAttributes.of({ "aria-label": t("Text of {name}", { name: file.name }), spellcheck: "false", autocapitalize: "off" }),
    EditorView.updateListener.of((update) => update.docChanged && port.onText(update.state.doc.toString())),
    history(),
    closeBrackets(),
    indentUnit.of("  "),
    autocompletion({ override: [(context) => completions(context, port)], icons: false, activateOnTypingDelay: 150, maxRenderedOptions: 12 }),
    checking(port),
    hovering(port),
    keymap.of([{ key: "Mod-s", preventDefault: true, run: () => (port.onSave(), true) }, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap]),
    leaving(port),
    keymap.of([...defaultKeymap.filter(({ key }) => key !== "Escape"), indentWithTab]),
  ];
}
