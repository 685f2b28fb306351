import { api, type TurnInput } from "../api/calls";
import { newKey } from "../api/once";
import { asProblem } from "../api/problem";
import { waitBefore } from "../api/stream";
import type { Message } from "../api/types";
import { conversations, setSending, takeResult, type Sending } from "./conversations";

const LONGEST = 10 * 60_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const nameOf = (id: string) => `turnwise.sending.${id}`;
const words = (input: TurnInput): string => ("text" in input ? input.text : "button" in input ? input.button : "");

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
 * happens once. A refusal stays with the text until the person sends something else. A turn whose reply is here but
 * whose answer is not does not hold up the next one: it is sent as soon as the answer comes.
 */
export const sendTurn = (id: string, input: TurnInput, shown?: string): Promise<boolean> => send(id, made(id, input, shown ?? words(input)));

/** Send a message as the person in charge. */
export const sendAsOperator = (id: string, text: string, operator: string): Promise<boolean> => send(id, made(id, { text }, text, operator));

const made = (id: string, input: TurnInput, text: string, operator = ""): Sending => ({
  ...{ key: newKey(), input: "text" in input ? { text: input.text } : input, text, isButton: "button" in input, operator, since: Date.now(), attempt: 1, problem: null, next: null },
  after: lastSeq(id),
});

/** Whether a message is that of a turn on its way. */
export const isOwn = (sending: Sending, message: Message): boolean => message.seq > sending.after && (sending.operator ? message.by === "person" : message.by === "user" || message.by === "button");

/** The words of a turn on its way; empty as soon as they are stored, and so among the messages. */
export const unstoredText = (sending: Sending, messages: readonly Message[]): string =>
  !sending.problem && messages.some((message) => isOwn(sending, message)) ? "" : sending.text;

const isReply = ({ by, is_undone }: Message) => !is_undone && (by === "text" || by === "model" || by === "person");

/** Whether another turn may be sent: none is on its way, or the one that is has its reply and no follower. */
export function canFollow(sending: Sending | null, messages: readonly Message[]): boolean {
  if (!sending || sending.problem) return true;
  return !sending.next && messages.some((message) => message.seq > sending.after && isReply(message));
}

/** Whether the question of a message can be answered: what is on its way, if anything, was sent before it was asked. */
export const isUnanswered = (sending: Sending | null, question: Message): boolean => !sending || sending.problem !== null || (!sending.next && question.seq > sending.after);

const inFlight = new Map<string, Promise<boolean>>();

async function send(id: string, sending: Sending): Promise<boolean> {
  const { byId, sending: all } = conversations.get();
  const now = all[id];
  if (now && !now.problem) {
    if (!canFollow(now, byId[id]?.messages ?? [])) return false;
    const both = { ...now, next: sending };
    remember(id, both);
    setSending(id, both);
    if (!(await inFlight.get(id))) return false;
  }
  return deliver(id, { ...sending, after: lastSeq(id) });
}

const lastSeq = (id: string): number => conversations.get().byId[id]?.lastSeq ?? 0;

/** A text with the last position that this tab has received, so that it is no answer to what this tab has not seen. */
const guarded = (sending: Sending): Sending =>
  "text" in sending.input && !sending.operator && sending.after ? { ...sending, input: { position: sending.after, ...sending.input } } : sending;

/** Go on with what was on its way when the page was closed or loaded again. */
export function resumeSending(id: string): void {
  if (conversations.get().sending[id]) return;
  try {
    const stored = sessionStorage.getItem(nameOf(id));
    if (!stored) return;
    const sending = { ...made(id, { text: "" }, ""), ...(JSON.parse(stored) as Partial<Sending>), attempt: 1, problem: null };
    void deliver(id, sending).then((isTaken) => isTaken && sending.next && deliver(id, { ...sending.next, after: lastSeq(id) }));
  } catch {
    remember(id, null);
  }
}

function deliver(id: string, sending: Sending): Promise<boolean> {
  const run = attempts(id, guarded(sending));
  inFlight.set(id, run);
  void run.finally(() => inFlight.get(id) === run && inFlight.delete(id));
  return run;
}

async function attempts(id: string, sending: Sending): Promise<boolean> {
  const begun = Date.now();
  const { input, key, text, operator } = sending;
  remember(id, sending);
  setSending(id, sending);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await (operator ? api.say(id, text, operator, key) : api.take(id, input, key));
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
      setSending(id, { ...(conversations.get().sending[id] ?? sending), attempt: attempt + 1 });
      await pause(Math.max(problem.retryMs, waitBefore(attempt)));
    }
  }
}

/** Remove a refused turn from view. */
export const dismissSending = (id: string): void => setSending(id, null);
