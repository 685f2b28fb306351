/** Flattens the tree of a guard into the rows of a table. */

import type { Leaf, Operand } from "../../api/types";
import type { Verdict, VerdictKind } from "../types";
import { t } from "../../i18n/t";

export interface GuardRow {
  key: string;
  depth: number;
  kind: "group" | "leaf" | "operand";
  text: string;
  /** The branch of an `if` that it stands in: `then`, `else`; empty elsewhere. */
  branch: string;
  verdict: VerdictKind;
  operand: Operand | null;
  error: string;
}

const GROUPS: Record<string, string> = { all: t("all of"), any: t("any of"), not: t("not"), if: t("if") };
const BRANCHES = ["", t("then"), t("else")];

/** Returns a row per group, condition and further operand; the first operand stands in the row of its condition. */
export function guardRows(verdict: Verdict): GuardRow[] {
  return rowsOf(verdict, 0, "0", "");
}

/** A guard with more levels is shown by what decided it first. */
const MOST_LEVELS = 2;

/** Returns the conditions that decided a guard of many levels, as one list; nothing for a guard of few. */
export function decisiveRows(verdict: Verdict): GuardRow[] {
  if (guardRows(verdict).every(({ depth, kind }) => kind === "operand" || depth < MOST_LEVELS)) return [];
  return decisive(verdict).flatMap((part, at) => rowsOf(part, 0, `decisive ${at}`, ""));
}

/** Returns the parts without which a guard could have come out in another way. */
function decisive(verdict: Verdict): Verdict[] {
  if (!("parts" in verdict) || negated(verdict)) return [verdict];
  const own = verdict.parts.filter((part) => part.verdict === verdict.verdict);
  const isOwn = (verdict.op === "all" && verdict.verdict !== "held") || (verdict.op === "any" && verdict.verdict !== "not_held");
  return (isOwn && own.length ? own : verdict.parts).flatMap(decisive);
}

/** Returns the condition that a `not` turns round; nothing for another verdict. */
function negated(verdict: Verdict): Leaf | null {
  const [part] = "parts" in verdict && verdict.op === "not" ? verdict.parts : [];
  return part && !("parts" in part) ? part : null;
}

function rowsOf(verdict: Verdict, depth: number, key: string, branch: string): GuardRow[] {
  const inner = negated(verdict);
  if (inner) return rowsOf({ ...inner, text: `!(${inner.text})`, verdict: verdict.verdict }, depth, key, branch);
  if ("parts" in verdict) {
    const text = GROUPS[verdict.op] ?? verdict.op;
    const group: GuardRow = { key, depth, kind: "group", text, branch, verdict: verdict.verdict, operand: null, error: "" };
    const isBranch = verdict.op === "if";
    const parts = verdict.parts.flatMap((part, at) =>
      rowsOf(part, depth + 1, `${key}.${at}`, isBranch ? (BRANCHES[at] ?? "") : ""),
    );
    return [group, ...parts];
  }
  const [first, ...others] = verdict.operands ?? [];
  const leaf: GuardRow = {
    key,
    depth,
    kind: "leaf",
    text: verdict.text,
    branch,
    verdict: verdict.verdict,
    operand: first ?? null,
    error: verdict.error ?? "",
  };
  const more = others.map(
    (operand, at): GuardRow => ({
      key: `${key}/${at}`,
      depth,
      kind: "operand",
      text: operand.name,
      branch: "",
      verdict: verdict.verdict,
      operand,
      error: "",
    }),
  );
  return [leaf, ...more];
}

/** Returns every value that a guard read, each once. */
export function operandsOf(verdict: Verdict | null | undefined): Operand[] {
  const found = new Map<string, Operand>();
  const walk = (part: Verdict): void => {
    if ("parts" in part) part.parts.forEach(walk);
    else (part.operands ?? []).forEach((operand) => found.set(operand.name, operand));
  };
  if (verdict) walk(verdict);
  return [...found.values()];
}

/** Returns the text of every condition of a guard. */
export function conditionsOf(verdict: Verdict | null | undefined): string[] {
  if (!verdict) return [];
  return "parts" in verdict ? verdict.parts.flatMap(conditionsOf) : [verdict.text];
}
