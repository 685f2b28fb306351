import type { DecisionView, FlowPage } from "../api/types";

/** A guard that a reader may replace. */
export interface Rule {
  id: string;
  guard: string;
  target: string;
  isCode: boolean;
}

/** Returns the guards of the candidates of a decision, in the order of judging. */
export function rulesOf(view: DecisionView | null, flow: FlowPage | null): Rule[] {
  const guards = new Map(transitionsOf(flow).map((transition) => [transition.id, transition.guard]));
  return (view?.decision.candidates ?? [])
    .filter((candidate) => !candidate.is_mirror)
    .map((candidate) => ({ id: candidate.id, guard: guards.get(candidate.id) ?? "", target: candidate.target ?? "", isCode: Boolean(candidate.code) }));
}

function transitionsOf(flow: FlowPage | null): { id: string; guard: string }[] {
  return (flow?.nodes ?? []).flatMap((node) => {
    const transitions = node["transitions"];
    return Array.isArray(transitions) ? (transitions as { id?: unknown; guard?: unknown }[]).map(({ id, guard }) => ({ id: String(id ?? ""), guard: String(guard ?? "") })) : [];
  });
}

/** Returns only the guards that differ from those of the flow. */
export function changedRules(rules: Record<string, string>, known: readonly Rule[]): Record<string, string> {
  const guards = new Map(known.map((rule) => [rule.id, rule.guard]));
  return Object.fromEntries(Object.entries(rules).filter(([id, text]) => text.trim() !== (guards.get(id) ?? "").trim() && text.trim() !== ""));
}

/** Returns the lines of a guard with a line of carets below the place of a problem. */
export function pointAt(text: string, line: number, column: number): string {
  const lines = text.split("\n");
  const at = Math.min(Math.max(1, line), lines.length);
  const caret = `${" ".repeat(Math.max(0, column - 1))}^`;
  return [...lines.slice(0, at), caret, ...lines.slice(at)].join("\n");
}
