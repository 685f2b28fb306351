// The languages of flows for the editor: tokens, folding, and the letters of a name.

import { foldService, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { json } from "@codemirror/legacy-modes/mode/javascript";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import type { EditorState, Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { blockEnd, type Format } from "./blocks";
import { dygram } from "./dygram";

const TOKENS = { definition: tags.definition(tags.name), annotation: tags.annotation };
const PARSERS = { dygram: { ...dygram, tokenTable: TOKENS }, yaml, json };

/** Weight and grey, and no colours: these are for what was decided. */
const STYLE = HighlightStyle.define([
  { tag: [tags.keyword, tags.annotation], fontWeight: "700" },
  { tag: [tags.propertyName, tags.atom, tags.definition(tags.name), tags.definition(tags.propertyName), tags.typeName], fontWeight: "600" },
  { tag: [tags.string, tags.number], color: "var(--ink-2)" },
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
]);

let lastDoc: { doc: unknown; lines: string[] } | null = null;

/** The lines of a document, split once for each. */
export function linesOf(state: EditorState): string[] {
  if (lastDoc?.doc !== state.doc) lastDoc = { doc: state.doc, lines: state.doc.toString().split("\n") };
  return lastDoc.lines;
}

function foldRange(state: EditorState, from: number, format: Format): { from: number; to: number } | null {
  const line = state.doc.lineAt(from);
  const end = blockEnd(linesOf(state), line.number, format);
  if (end <= line.number) return null;
  const last = state.doc.line(end);
  const closing = format === "yaml" ? -1 : last.text.search(/\S/);
  const to = closing >= 0 && "}])".includes(last.text[closing]!) ? last.from + closing : last.to;
  return to > line.to ? { from: line.to, to } : null;
}

/** What the editor knows about a document of a format. */
export function languageOf(format: Format): Extension {
  return [
    StreamLanguage.define(PARSERS[format] as never),
    syntaxHighlighting(STYLE),
    foldService.of((state, from) => foldRange(state, from, format)),
  ];
}
