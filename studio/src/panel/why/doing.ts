import type { DecisionView, TurnTrace } from "../../api/types";

/** What says no more than that nothing is open. */
const AT_REST = ["", "works", "waits_for_message"];

/**
 * What a conversation does at the end of a turn, in the server's words. Empty where it only waits, or where the last
 * decision says more: a move, an error, a reply that blocked it.
 */
export function doingWords({ state, decisions, activity }: TurnTrace, view: DecisionView | null): string {
  if (AT_REST.includes(activity.kind)) return "";
  if (!view) return activity.text;
  const isLast = decisions.at(-1)?.decision.seq === view.decision.seq;
  return isLast && state.node === view.decision.node && view.seam.outcome === "stayed" && !view.decision.taken ? activity.text : "";
}
