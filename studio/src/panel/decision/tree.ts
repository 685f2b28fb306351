/** Flattens the tree of a guard into the rows of a table. */

import type { Operand } from "../../api/types";
import type { Verdict, VerdictKind } from "../types";
import { t } from "../../i18n/t";

export interface GuardRow {
  key: string;
  depth: number;
  kind: "group" | "leaf" | "operand";
  text: string;
  verdict: VerdictKind;
  operand: Operand | null;
  error: string;
}

const GROUPS: Record<string, string> = { all: t("all of"), any: t("any of"), not: t("not"), if: t("if") };
const BRANCHES = ["", "then", "else"];

/** Returns a row per group, condition and further operand; the first operand stands in the row of its condition. */
export function guardRows(verdict: Verdict): GuardRow[] {
  return rowsOf(verdict, 0, "0", "");
}

function rowsOf(verdict: Verdict, depth: number, key: string, prefix: string): GuardRow[] {
  const head = prefix ? `${prefix} ` : "";
  if ("parts" in verdict) {
    const text = head + (GROUPS[verdict.op] ?? verdict.op);
    const group: GuardRow = { key, depth, kind: "group", text, verdict: verdict.verdict, operand: null, error: "" };
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
    text: head + verdict.text,
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
