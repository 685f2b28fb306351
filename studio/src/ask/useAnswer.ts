import { api } from "../api/calls";
import type { Answer } from "../api/types";
import { useConversation, useConversationId } from "../data/hooks";
import { usePosition } from "../data/position";
import { useResource, type Resource } from "../data/resource";
import { useRoute } from "../data/route";
import { hasTitles } from "../i18n/texts";
import { formatQuestion, isComplete, parseQuestion, type Question } from "./question";

/** An answer with its question: while another one is on its way, the page still shows this one. */
export type Answered = { question: Question; answer: Answer };

/** The answer to the question of the address while the tab is open; it is asked again when the conversation goes on. */
export function useAnswer(): Resource<Answered> {
  const id = useConversationId() ?? "";
  const route = useRoute();
  const { turn } = usePosition();
  const seq = useConversation()?.summary?.seq ?? 0;
  const isOpen = route.page === "conversation" && route.tab === "ask";
  const question = parseQuestion(isOpen ? route.ask : "");
  const key = isOpen && isComplete(question) && turn > 0 ? `why:${id}#${formatQuestion(question)}#${turn}#${seq}#${hasTitles()}` : null;
  return useResource<Answered>(key, async () => ({ question, answer: await api.why(id, parametersOf(question, turn)) }));
}

function parametersOf(question: Question, turn: number): Parameters<typeof api.why>[1] {
  if (question.kind === "to") return { to: question.node, turn };
  if (question.kind === "why") return { subject: question.subject, turn };
  const { conversation, turn: other } = question;
  return { turn, ...(conversation ? { against: conversation } : {}), ...(other ? { against_turn: other } : {}) };
}
