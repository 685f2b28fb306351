import { api, type TurnInput } from "../api/calls";
import { whenAtRest } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { ConversationSummary, TurnResult } from "../api/types";
import { getSummary } from "./list";
import { invalidateBefore } from "./resource";
import { currentRoute } from "./route";
import { Store, useStore } from "./store";
import { emptyConversation, withSummary, withTranscript, withTurnEnded, type ConversationData } from "./transcript";

/**
 * A turn that was sent and is not answered yet, or that the server refused. `operator` is the person who says `text`;
 * `after` is the last position that was known when it was sent, so what comes later is the reply.
 */
export type Sending = { key: string; input: TurnInput; text: string; isButton: boolean; operator: string; after: number; since: number; attempt: number; problem: Problem | null };

/** `queued` are turns that are sent when those before them are answered, in order. */
type Conversations = { byId: Record<string, ConversationData>; sending: Record<string, Sending>; queued: Record<string, readonly Sending[]>; problems: Record<string, Problem> };

export const conversations = new Store<Conversations>({ byId: {}, sending: {}, queued: {}, problems: {} });

const without = <V>(record: Record<string, V>, key: string): Record<string, V> => Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** Change what is known of a conversation. */
export function change(id: string, next: (now: ConversationData) => ConversationData): void {
  conversations.set(({ byId }) => ({ byId: { ...byId, [id]: next(byId[id] ?? emptyConversation(id)) } }));
}

export const setSending = (id: string, sending: Sending | null): void =>
  conversations.set((now) => ({ sending: sending ? { ...now.sending, [id]: sending } : without(now.sending, id) }));

export const setQueued = (id: string, queued: readonly Sending[]): void =>
  conversations.set((now) => ({ queued: queued.length ? { ...now.queued, [id]: queued } : without(now.queued, id) }));

/** Forget what is known of a conversation. */
export const drop = (id: string): void => conversations.set((now) => ({ byId: without(now.byId, id), sending: without(now.sending, id), queued: without(now.queued, id), problems: without(now.problems, id) }));

/** A conversation with more events is shown from its end first; the rest follows when what the first view needs is there. */
const LONG = 1500;
const TAIL = 600;
/** The longest wait for it, in milliseconds. */
const MOST_WAIT = 5000;
const loading = new Map<string, Promise<void>>();

/** Load the transcript: the whole one, or what is missing after the last position. */
export async function loadTranscript(id: string, isWhole = false): Promise<void> {
  await loading.get(id);
  const run = load(id, isWhole).finally(() => loading.get(id) === run && loading.delete(id));
  loading.set(id, run);
  return run;
}

async function load(id: string, isWhole: boolean): Promise<void> {
  const known = conversations.get().byId[id];
  try {
    if (known?.isLoaded && !isWhole) await take(id, known.readSeq);
    else {
      if (!known?.isLoaded && (await loadTail(id))) await whenAtRest(MOST_WAIT);
      await take(id);
    }
    conversations.set((now) => (now.problems[id] ? { problems: without(now.problems, id) } : {}));
  } catch (error) {
    const problem = asProblem(error);
    if (!problem.isPassing || !known?.isLoaded) conversations.set((now) => ({ problems: { ...now.problems, [id]: problem } }));
  }
}

async function take(id: string, after?: number): Promise<void> {
  const part = await api.transcript(id, after);
  change(id, (now) => withTranscript(now, part, after === undefined));
}

/** Show the end of a long conversation at once, unless the address names an earlier turn. Returns whether it did. */
async function loadTail(id: string): Promise<boolean> {
  const route = currentRoute();
  if (route.page === "conversation" && route.turn !== null) return false;
  const { seq } = getSummary(id) ?? (await api.conversation(id));
  if (seq > LONG) await take(id, seq - TAIL);
  return seq > LONG;
}

/** For how long news of conversations wait for those that follow, in milliseconds: a turn has several. */
const TOGETHER_MS = 30;
const KINDS = ["timeline", "edges", "state", "records", "timers", "frames", "time", "deliveries"];
/** What news have made old that are not handled yet, by the time of the last one. */
const old = new Map<string, number>();

/** What was asked of the server about a conversation or one of its turns before now is old. */
export function outdate(id: string, turn?: number): void {
  if (!old.size) setTimeout(outdateTogether, TOGETHER_MS);
  for (const prefix of [turn === undefined ? `trace:${id}#` : `trace:${id}#${turn}`, ...KINDS.map((kind) => `${kind}:${id}`)]) old.set(prefix, performance.now());
}

function outdateTogether(): void {
  const last = Math.max(...old.values());
  const prefixes = [...old.keys()];
  old.clear();
  invalidateBefore(last, prefixes);
}

/** Whether something of a turn happened inside of scopes: the transcript has their summaries, the result has not. */
const isInScopes = ({ node, messages }: TurnResult): boolean => node.includes("/") || messages.some(({ frame }) => frame > 0);

/** Take in the result of a turn, which came as an answer or over the stream. */
export function takeResult(id: string, result: TurnResult): void {
  const all = [...result.recovered, ...result.unprompted, result];
  for (const one of all) {
    if (!one.number) continue;
    change(id, (now) => withTurnEnded(now, one.number, one.messages));
    outdate(id, one.number);
  }
  change(id, (now) => ({ ...now, starts: result.starts }));
  if (all.some(isInScopes)) void loadTranscript(id);
  const isUndo = all.some((one) => one.messages.some((message) => message.kind === "undo" || message.kind === "undone"));
  if (isUndo) void loadTranscript(id, true).then(() => outdate(id));
}

export const takeSummary = (summary: ConversationSummary): void => {
  if (conversations.get().byId[summary.id]) change(summary.id, (now) => withSummary(now, summary));
};

export const useConversationData = (id: string | null): ConversationData | null => useStore(conversations, ({ byId }) => (id === null ? null : (byId[id] ?? null)));
export const useSending = (id: string | null): Sending | null => useStore(conversations, ({ sending }) => (id === null ? null : (sending[id] ?? null)));
const NONE: readonly Sending[] = [];
export const useQueued = (id: string | null): readonly Sending[] => useStore(conversations, ({ queued }) => (id === null ? NONE : (queued[id] ?? NONE)));
export const useConversationProblem = (id: string | null): Problem | null => useStore(conversations, ({ problems }) => (id === null ? null : (problems[id] ?? null)));
