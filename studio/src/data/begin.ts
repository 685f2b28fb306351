import { api } from "../api/calls";
import { actNext } from "./actions";
import { putSummary } from "./list";
import { change, takeResult } from "./conversations";
import { withSummary } from "./transcript";
import { invalidate } from "./resource";
import { conversationRoute, navigate } from "./route";

/** Begin a conversation and return its id. Raises a `Problem`. */
export async function begin(flow: string, name?: string): Promise<string> {
  const { conversation, turn } = await api.begin(flow, name);
  putSummary(conversation);
  change(conversation.id, (now) => withSummary(now, conversation));
  takeResult(conversation.id, turn);
  invalidate("flows");
  return conversation.id;
}

/** Open a conversation that was made just now. Its message field gets the focus; on a touch screen that would open the keyboard. */
export function openNew(id: string): void {
  if (!matchMedia("(pointer: coarse)").matches) actNext("focus-message");
  navigate(conversationRoute(id));
}
