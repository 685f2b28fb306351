import { api, type TurnInput } from "../api/calls";
import { asProblem } from "../api/problem";
import { conversations, setSending, takeResult } from "./conversations";
import { waitBefore } from "../api/stream";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const LONGEST = 10 * 60_000;

const words = (input: TurnInput, shown?: string): string => shown ?? ("text" in input ? input.text : "button" in input ? input.button : "");

/**
 * Send a turn. While the server does not answer, the same event is sent again with the same idempotency key, so that it
 * happens once. A refusal stays with the text until the person sends something else.
 */
export async function sendTurn(id: string, input: TurnInput, shown?: string): Promise<boolean> {
  const now = conversations.get().sending[id];
  if (now && !now.problem) return false;
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  const begun = Date.now();
  const sending = { key, input, text: words(input, shown), isButton: "button" in input, since: begun, attempt: 1, problem: null };
  for (let attempt = 1; ; attempt += 1) {
    setSending(id, { ...sending, attempt });
    try {
      const result = await api.take(id, input, key);
      setSending(id, null);
      takeResult(id, result);
      return true;
    } catch (error) {
      const problem = asProblem(error);
      if (!problem.isPassing || Date.now() - begun > LONGEST) {
        setSending(id, { ...sending, attempt, problem });
        return false;
      }
      setSending(id, { ...sending, attempt: attempt + 1 });
      await pause(Math.max(problem.retryMs, waitBefore(attempt)));
    }
  }
}

/** Send a message as the person in charge. It is not tried again by itself: the server may have it already. */
export async function sendAsOperator(id: string, text: string): Promise<boolean> {
  const sending = { key: "", input: { text }, text, isButton: false, since: Date.now(), attempt: 1, problem: null, isOperator: true };
  setSending(id, sending);
  try {
    const result = await api.say(id, text);
    setSending(id, null);
    takeResult(id, result);
    return true;
  } catch (error) {
    setSending(id, { ...sending, problem: asProblem(error) });
    return false;
  }
}

/** Remove a refused turn from view. */
export const dismissSending = (id: string): void => setSending(id, null);
