import { activityText } from "../../i18n/texts";
import type { DecisionView, TurnTrace } from "../../api/types";

/**
 * What a conversation does at the end of a turn, in the server's words. Empty where nothing is open, or where the last
 * decision says more: a move, an error, a reply that blocked it.
 */
export function doingWords({ state, decisions, activity }: TurnTrace, view: DecisionView | null): string {
  if (!activity) return "";
  const words = activityText(activity);
  if (!view) return words;
  const isLast = decisions.at(-1)?.decision.seq === view.decision.seq;
  return isLast && state.node === view.decision.node && view.seam.outcome === "stayed" && !view.decision.taken ? words : "";
}

/** Whether the rules have to do with what a form waits for: the nearest one lacks the answer to the open question. */
export function waitsForRules({ state }: TurnTrace, { decision, nearest }: DecisionView): boolean {
  if (!state.form) return true;
  const { asked } = state.form;
  const rule = decision.candidates?.find((one) => one.id === nearest);
  return [...(rule?.missing ?? []), ...(rule?.needs ?? []).flat().map((need) => need.field)].includes(asked);
}
