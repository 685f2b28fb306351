import { api, type TurnInput } from "../api/calls";
import { newKey } from "../api/once";
import { asProblem } from "../api/problem";
import { waitBefore } from "../api/stream";
import type { Message } from "../api/types";
import { announce } from "./announce";
import { conversations, setQueued, setSending, takeResult, type Sending } from "./conversations";
import { t } from "../i18n/t";

const LONGEST = 10 * 60_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const nameOf = (id: string) => `turnwise.sending.${id}`;
const words = (input: TurnInput): string => ("text" in input ? input.text : "button" in input ? input.button : "");

/** How many turns may wait for those before them. */
export const MOST_QUEUED = 10;
const queuedOf = (id: string): readonly Sending[] => conversations.get().queued[id] ?? [];

/** Remember what is on its way, and what waits behind it, so that a reload of the page does not lose it. */
function remember(id: string, sending: Sending | null): void {
  const queue = queuedOf(id);
  try {
    if (sending ?? queue.length) sessionStorage.setItem(nameOf(id), JSON.stringify({ sending, queue }));
    else sessionStorage.removeItem(nameOf(id));
  } catch {
    // without storage a reload loses what is on its way
  }
}

/**
 * Send a turn. While the server does not answer, the same event is sent again with the same idempotency key, so that it
 * happens once. A refusal stays with the text until the person sends something else. What is written while a turn is
 * under way waits, and is sent in order; a press of a button waits only where its question is seen already. The promise
 * is false for what was not taken: its text goes back to the person.
 */
export const sendTurn = (id: string, input: TurnInput, shown?: string): Promise<boolean> => send(id, made(id, input, shown ?? words(input)));

/** Send a message as the person in charge. */
export const sendAsOperator = (id: string, text: string, operator: string): Promise<boolean> => send(id, made(id, { text }, text, operator));

const made = (id: string, input: TurnInput, text: string, operator = ""): Sending => ({
  ...{ key: newKey(), input: "text" in input ? { text: input.text } : input, text, isButton: "button" in input, operator, since: Date.now(), attempt: 1, problem: null },
  after: lastSeq(id),
});

/** Whether a message is that of a turn on its way. */
export const isOwn = (sending: Sending, message: Message): boolean => message.seq > sending.after && (sending.operator ? message.by === "person" : message.by === "user" || message.by === "button");

/** The words of a turn on its way; empty as soon as they are stored, and so among the messages. */
export const unstoredText = (sending: Sending, messages: readonly Message[]): string =>
  !sending.problem && messages.some((message) => isOwn(sending, message)) ? "" : sending.text;

const isReply = ({ by, is_undone }: Message) => !is_undone && (by === "text" || by === "model" || by === "person");

/** Whether a button may be pressed: nothing is on its way, or what is has its reply and nothing waits behind it. */
export function canFollow(sending: Sending | null, messages: readonly Message[], queued: readonly Sending[]): boolean {
  if (!sending || sending.problem) return true;
  return !queued.length && messages.some((message) => message.seq > sending.after && isReply(message));
}

/** Whether the question of a message can be answered: what is on its way, if anything, was sent before it was asked. */
export const isUnanswered = (sending: Sending | null, question: Message, queued: readonly Sending[]): boolean => !sending || sending.problem !== null || (!queued.length && question.seq > sending.after);

/** The last turn of a conversation that is under way or waits, with whether another one may follow it. */
const last = new Map<string, Promise<boolean>>();
/** For tests, which load no page anew: as if nothing was under way. */
export const forgetRuns = (): void => last.clear();
const inOrder = (id: string, run: Promise<boolean>): Promise<boolean> => {
  last.set(id, run);
  void run.finally(() => last.get(id) === run && last.delete(id));
  return run;
};

function send(id: string, sending: Sending): Promise<boolean> {
  const { byId, sending: all } = conversations.get();
  const now = all[id] ?? null;
  const before = last.get(id);
  if (!before || now?.problem) return inOrder(id, deliver(id, sending));
  const queue = queuedOf(id);
  const canWait = "text" in sending.input ? queue.length < MOST_QUEUED : canFollow(now, byId[id]?.messages ?? [], queue);
  if (!canWait) return Promise.resolve(false);
  const isUnseen = !canFollow(now, byId[id]?.messages ?? [], queue);
  setQueued(id, [...queue, sending]);
  remember(id, now);
  const run = before.then((canGo) => next(id, sending, canGo, isUnseen));
  void inOrder(id, run.then(({ canGo }) => canGo));
  return run.then(({ isTaken }) => isTaken);
}

/** Send what waited, unless the turn before was refused, it was taken back, or it would answer what it did not see. */
async function next(id: string, sending: Sending, canGo: boolean, isUnseen: boolean): Promise<{ isTaken: boolean; canGo: boolean }> {
  const queue = queuedOf(id);
  const isKept = queue.some(({ key }) => key === sending.key);
  setQueued(id, queue.filter(({ key }) => key !== sending.key));
  remember(id, conversations.get().sending[id] ?? null);
  if (!isKept) return { isTaken: false, canGo };
  if (canGo && isUnseen && asksForYes(id)) announce(t("The reply asks for a yes. What you wrote meanwhile is back in its field"));
  else if (canGo) {
    const isTaken = await deliver(id, { ...sending, after: lastSeq(id) });
    return { isTaken, canGo: isTaken };
  }
  return { isTaken: false, canGo: false };
}

/** Take back a turn that waits; its text goes back to the field. */
export function takeBack(id: string, { key }: Sending): void {
  setQueued(id, queuedOf(id).filter((one) => one.key !== key));
  remember(id, conversations.get().sending[id] ?? null);
}

const CONSENT: ReadonlySet<Message["kind"]> = new Set(["consent", "summary", "offer", "budget"]);

/** Whether the newest reply is a question that a plain yes answers: no message from before may do so. */
const asksForYes = (id: string): boolean => CONSENT.has(conversations.get().byId[id]?.messages.findLast(isReply)?.kind ?? "");

const lastSeq = (id: string): number => conversations.get().byId[id]?.lastSeq ?? 0;

/** A text with the last position that this tab has received, so that it is no answer to what this tab has not seen. */
const guarded = (sending: Sending): Sending =>
  "text" in sending.input && !sending.operator && sending.after ? { ...sending, input: { position: sending.after, ...sending.input } } : sending;

/** Go on with what was on its way when the page was closed or loaded again. */
export function resumeSending(id: string): void {
  if (conversations.get().sending[id]) return;
  try {
    const stored = JSON.parse(sessionStorage.getItem(nameOf(id)) ?? "null") as { sending: Sending | null; queue: readonly Sending[] } | null;
    if (!stored) return;
    if (stored.sending) void send(id, { ...stored.sending, attempt: 1, problem: null });
    for (const one of stored.queue) void send(id, { ...one, after: lastSeq(id) });
  } catch {
    remember(id, null);
  }
}

async function deliver(id: string, made: Sending): Promise<boolean> {
  const sending = guarded(made);
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
