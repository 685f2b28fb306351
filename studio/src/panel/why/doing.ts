import type { DecisionView, StateView, TurnTrace } from "../../api/types";
import { countedItems, isAnswered } from "../../data/form";

/**
 * What a conversation does at the end of a turn whose last decision chose nothing: which question it asks, and how many
 * are answered. Empty where no question is open, or where the decision says more: a move, an error, a reply that blocked it.
 */
export function doingWords({ state, decisions }: TurnTrace, view: DecisionView): string {
  const { decision, seam } = view;
  const isLast = decisions.at(-1)?.decision.seq === decision.seq;
  const isOpen = state.status["type"] === "waiting" && !state.person && state.node === decision.node;
  return isLast && isOpen && seam.outcome === "stayed" && !decision.taken ? questionWords(state) : "";
}

function questionWords({ question, form, values }: StateView): string {
  const [kind, field] = question.split(" ", 2);
  if (kind === "confirmation") return "Asks whether the answers are right";
  if (kind === "chooser") return "Asks which answer to change";
  if (kind === "call") return "Asks for approval";
  if (kind === "offer") return `Offers ${field}`;
  if (kind !== "field") return "";
  const title = values.find((one) => one.field === field)?.title || field;
  const items = form ? countedItems(form) : [];
  return items.length ? `Asks for ${title}: ${items.filter(isAnswered).length} of ${items.length} answered` : `Asks for ${title}`;
}
