/** Finds the names of nodes, transitions, fields and rules in a sentence about a decision, to set them in monospace. */

import type { Decision } from "../../api/types";
import { conditionsOf, operandsOf } from "./tree";

export interface TextPart {
  text: string;
  isName: boolean;
}

/** Returns the names and rules that a decision knows. */
export function namesOf(decision: Decision): string[] {
  const found = new Set<string>([decision.node]);
  for (const candidate of decision.candidates ?? []) {
    found.add(candidate.id);
    if (candidate.target) found.add(candidate.target);
    for (const name of candidate.missing ?? []) found.add(name);
    for (const operand of operandsOf(candidate.verdict)) found.add(operand.name);
    for (const text of conditionsOf(candidate.verdict)) found.add(text);
    for (const name of Object.keys(candidate.code?.reads ?? {})) found.add(name);
    for (const need of (candidate.needs ?? []).flat()) {
      found.add(need.field);
      found.add(need.rule);
    }
  }
  return [...found].filter(Boolean);
}

/** Splits a sentence at the names in it. A name inside a longer word is no name. */
export function splitAtNames(sentence: string, names: readonly string[]): TextPart[] {
  if (!names.length) return [{ text: sentence, isName: false }];
  const longestFirst = [...names].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(`(?<![\\w.])(?:${longestFirst.join("|")})(?![\\w]|\\.\\w)`, "g");
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of sentence.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: sentence.slice(end, match.index), isName: false });
    parts.push({ text: match[0], isName: true });
    end = match.index + match[0].length;
  }
  if (end < sentence.length) parts.push({ text: sentence.slice(end), isName: false });
  return parts;
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
