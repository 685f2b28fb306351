import { api } from "../api/calls";
import type { Answer } from "../api/types";
import { useConversation } from "../data/hooks";
import { useResource, type Resource } from "../data/resource";
import type { Question } from "./question";

/** The answer to a question about a turn; it is asked again when the conversation goes on. */
export function useAnswer(id: string, question: Question, turn: number): Resource<Answer> {
  const seq = useConversation()?.summary?.seq ?? 0;
  const key = `why:${id}#${JSON.stringify(question)}#${turn}#${seq}`;
  return useResource<Answer>(turn > 0 ? key : null, () => {
    if (question.kind === "to") return api.why(id, { to: question.node });
    if (question.kind === "against") {
      const { conversation, turn: other } = question;
      return api.why(id, { turn, ...(conversation ? { against: conversation } : {}), ...(other ? { against_turn: other } : {}) });
    }
    return api.why(id, { subject: question.subject, turn });
  });
}
