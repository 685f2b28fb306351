// Two conversations turn by turn: what stands beside what, and where they part.

import type { Answer, Fact } from "../api/types";
import type { Turn } from "../chat/turns";

/** A row: a turn of each, where there is one. */
export interface Pair {
  readonly row: number;
  readonly one: Turn | null;
  readonly other: Turn | null;
}

/** The turns of two conversations side by side, by their numbers; from the turns in which they part on, those stand in one row. */
export function pairsOf(one: readonly Turn[], other: readonly Turn[], parting: Pick<Parting, "turn" | "otherTurn"> | null = null): Pair[] {
  const meet = parting ? Math.max(parting.turn, parting.otherTurn) : 0;
  const rowsOf = (turns: readonly Turn[], from: number) => new Map(turns.map((turn) => [turn.number + (parting && turn.number >= from ? meet - from : 0), turn]));
  const [left, right] = [rowsOf(one, parting?.turn ?? 0), rowsOf(other, parting?.otherTurn ?? 0)];
  const rows = [...new Set([...left.keys(), ...right.keys()])].sort((a, b) => a - b);
  return rows.map((row) => ({ row, one: left.get(row) ?? null, other: right.get(row) ?? null }));
}

/** Where two conversations part: the turns, what each did, and the value that alone explains it. */
export interface Parting {
  readonly turn: number;
  readonly otherTurn: number;
  readonly did: string;
  readonly didOther: string;
  readonly field: string;
  readonly values: readonly [string, string];
  /** The first of these values as it is stored. */
  readonly stored: unknown;
  /** What this value would have changed, in the server's words; empty where it does not explain it alone. */
  readonly decides: string;
}

const isField = (fact: Fact): boolean => fact.kind === "values_differ";

/** What a comparison says about the first difference; `null` where both went the same way. */
export function partingOf(answer: Answer | null, one: string): Parting | null {
  const facts = answer?.facts ?? [];
  const first = facts.find((fact) => fact.kind === "ways_part");
  if (!first?.values) return null;
  const { values } = first;
  const isTurned = values["one"] !== one;
  const pick = (name: string, isOther: boolean): unknown => values[isOther !== isTurned ? (name === "did" ? "did_other" : "other_turn") : name];
  const decisive = facts.find((fact) => isField(fact) && fact.values?.["is_decisive"]) ?? facts.find(isField);
  const shown = (decisive?.values?.["shown"] ?? ["", ""]) as [string, string];
  const stored = (decisive?.values?.["stored"] ?? []) as unknown[];
  const isOne = decisive?.values?.["one"] === one;
  const [turn, otherTurn] = [Number(pick("turn", false)), Number(pick("turn", true))];
  return {
    turn: turn || otherTurn, // a side that made no further move has no turn of its own: it stands beside the other one
    otherTurn: otherTurn || turn,
    did: String(pick("did", false)),
    didOther: String(pick("did", true)),
    field: String(decisive?.values?.["field"] ?? ""),
    values: isOne ? shown : [shown[1], shown[0]],
    stored: stored[isOne ? 0 : 1],
    decides: decisive?.values?.["is_decisive"] ? String(decisive.values["decides"] ?? "") : "",
  };
}
