import { api, type TurnInput } from "../api/calls";
import { asProblem } from "../api/problem";
import { waitBefore } from "../api/stream";
import { conversations, setSending, takeResult, type Sending } from "./conversations";

const LONGEST = 10 * 60_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const nameOf = (id: string) => `turnwise.sending.${id}`;
const words = (input: TurnInput): string => ("text" in input ? input.text : "button" in input ? input.button : "");
const newKey = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/** Remember what is on its way, so that a reload of the page does not lose it. */
function remember(id: string, sending: Sending | null): void {
  try {
    if (sending) sessionStorage.setItem(nameOf(id), JSON.stringify(sending));
    else sessionStorage.removeItem(nameOf(id));
  } catch {
    // without storage a reload loses what is on its way
  }
}

/**
 * Send a turn. While the server does not answer, the same event is sent again with the same idempotency key, so that it
 * happens once. A refusal stays with the text until the person sends something else.
 */
export async function sendTurn(id: string, input: TurnInput, shown?: string): Promise<boolean> {
  const now = conversations.get().sending[id];
  if (now && !now.problem) return false;
  return deliver(id, { key: newKey(), input, text: shown ?? words(input), isButton: "button" in input, since: Date.now(), attempt: 1, problem: null });
}

/** Go on with what was on its way when the page was closed or loaded again. */
export function resumeSending(id: string): void {
  if (conversations.get().sending[id]) return;
  try {
    const stored = sessionStorage.getItem(nameOf(id));
    if (stored) void deliver(id, { ...(JSON.parse(stored) as Sending), attempt: 1, problem: null });
  } catch {
    remember(id, null);
  }
}

async function deliver(id: string, sending: Sending): Promise<boolean> {
  const begun = Date.now();
  remember(id, sending);
  for (let attempt = 1; ; attempt += 1) {
    setSending(id, { ...sending, attempt });
    try {
      const result = await api.take(id, sending.input, sending.key);
      remember(id, null);
      setSending(id, null);
      takeResult(id, result);
      return true;
    } catch (error) {
      const problem = asProblem(error);
      if (!problem.isPassing || Date.now() - begun > LONGEST) {
        remember(id, null);
        if (problem.turn) takeResult(id, problem.turn);
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
  const sending: Sending = { key: "", input: { text }, text, isButton: false, since: Date.now(), attempt: 1, problem: null, isOperator: true };
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
