import { api } from "../api/calls";
import type { Answer } from "../api/types";
import { useConversation } from "../data/hooks";
import { useResource, type Resource } from "../data/resource";
import { formatQuestion, type Question } from "./question";

/** An answer with its question: while another one is on its way, the page still shows this one. */
export type Answered = { question: Question; answer: Answer };

/** The answer to a question about a turn, if there is a question; it is asked again when the conversation goes on. */
export function useAnswer(id: string, question: Question | null, turn: number): Resource<Answered> {
  const seq = useConversation()?.summary?.seq ?? 0;
  const key = question && turn > 0 ? `why:${id}#${formatQuestion(question)}#${turn}#${seq}` : null;
  return useResource<Answered>(key, async () => {
    if (!question) throw new Error("nothing is asked");
    return { question, answer: await api.why(id, parametersOf(question, turn)) };
  });
}

function parametersOf(question: Question, turn: number): Parameters<typeof api.why>[1] {
  if (question.kind === "to") return { to: question.node, turn };
  if (question.kind === "why") return { subject: question.subject, turn };
  const { conversation, turn: other } = question;
  return { turn, ...(conversation ? { against: conversation } : {}), ...(other ? { against_turn: other } : {}) };
}
