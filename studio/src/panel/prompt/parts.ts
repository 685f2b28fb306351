/** Groups the parts of a prompt, and compares them with those of the prompt before. */

import type { PromptPart } from "../../api/types";
import { diffLines, type DiffLine } from "./diff";

export interface PartDiff {
  part: PromptPart["part"];
  lines: DiffLine[];
  /** True where the lines are the messages of the transcript. */
  messages: boolean;
}

type Kind = PromptPart["part"];

/** Returns each kind of part once, in order. Without a prompt to compare with, all lines are the same. */
export function comparePrompts(now: readonly PromptPart[], before: readonly PromptPart[] | null | undefined): PartDiff[] {
  const nowByKind = byKind(now);
  const beforeByKind = byKind(before ?? now);
  const kinds = [...new Set<Kind>([...nowByKind.keys(), ...beforeByKind.keys()])];
  return kinds.map((part) => ({
    part,
    lines: diffLines(beforeByKind.get(part) ?? [], nowByKind.get(part) ?? []),
    messages: part === "transcript",
  }));
}

/** Returns the lines of each kind of part; a message of the transcript counts as one line. */
function byKind(parts: readonly PromptPart[]): Map<Kind, string[]> {
  const found = new Map<Kind, string[]>();
  for (const part of parts) {
    const lines = part.part === "transcript" ? [part.role ? `${part.role}: ${part.text}` : part.text] : part.text.split("\n");
    found.set(part.part, [...(found.get(part.part) ?? []), ...lines]);
  }
  return found;
}
