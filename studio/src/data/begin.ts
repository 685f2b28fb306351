import { api } from "../api/calls";
import { putSummary } from "./list";
import { takeResult, change } from "./conversations";
import { withSummary } from "./transcript";
import { invalidate } from "./resource";

/** Begin a conversation and return its id. Raises a `Problem`. */
export async function begin(flow: string, name?: string): Promise<string> {
  const { conversation, turn } = await api.begin(flow, name);
  putSummary(conversation);
  change(conversation.id, (now) => withSummary(now, conversation));
  takeResult(conversation.id, turn);
  invalidate("flows");
  return conversation.id;
}

