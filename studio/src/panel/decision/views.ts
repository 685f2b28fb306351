import type { DecisionView, TurnTrace } from "../../api/types";

/** Returns the decisions of a turn that had candidates; the others judged nothing. */
export const judgedViews = (trace: TurnTrace): DecisionView[] => trace.decisions.filter((view) => (view.decision.candidates ?? []).length > 0);

/** Returns the decision at a position in the journal, else the last one of the turn that had candidates. */
export function viewAt(trace: TurnTrace, seq: number | null): DecisionView | null {
  return trace.decisions.find((view) => view.decision.seq === seq) ?? judgedViews(trace).at(-1) ?? null;
}
