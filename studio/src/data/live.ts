import { address } from "../api/client";
import type { ServerEvent } from "../api/sse";
import { Holder } from "../api/holding";
import { EventStream, type StreamState } from "../api/stream";
import type { StreamEvent } from "../api/types";
import { change, drop, loadTranscript, outdate, takeResult, takeSummary } from "./conversations";
import { catchUpFlows, outdateFlow } from "./flows";
import { loadList, loadListOnce, putSummary, removeSummary } from "./list";
import { invalidate } from "./resource";
import { setServerTime } from "./serverTime";
import { Store, useStore } from "./store";
import { withDelta, withMessage, withSeam } from "./transcript";

/** The connection of this tab. `received` counts the events that came after it was lost. */
export type Connection = StreamState & { received: number; wasLost: boolean };

const connection = new Store<Connection>({ status: "connecting", attempt: 0, problem: null, retryAt: 0, received: 0, wasLost: false });
let watched: string | null = null;
/** A second conversation that is shown beside it. */
let beside: string | null = null;
let hasDebug = false;
let openedAt = 0;
/** Whether a stream was open before: changes of flows in between came to no stream of this tab. */
let hadStream = false;
/** For this long after a connection its events count as those that were missed. */
const CATCHING_UP = 1500;
/** A conversation that the server does not know: the stream goes on without it. */
let missing: string | null = null;

const entryListeners = new Set<(event: Extract<StreamEvent, { type: "entry" }>) => void>();

/** Call `listener` for each durable entry of the open conversation. */
export function onEntry(listener: (event: Extract<StreamEvent, { type: "entry" }>) => void): () => void {
  entryListeners.add(listener);
  return () => entryListeners.delete(listener);
}

/** Take in one event of the stream. */
export function takeEvent(event: StreamEvent): void {
  switch (event.type) {
    case "message":
      return change(event.conversation, (now) => withMessage(now, event.message));
    case "seam":
      change(event.conversation, (now) => withSeam(now, event.seam));
      return outdate(event.conversation, event.seam.turn);
    case "delta":
      return change(event.conversation, (now) => withDelta(now, event));
    case "turn":
      return takeResult(event.conversation, event.turn);
    case "entry":
      if (event.entry.kind.startsWith("scope_")) invalidate(`frames:${event.conversation}`);
      if (event.entry.kind.startsWith("overlay")) invalidate(`time:${event.conversation}`, `timeline:${event.conversation}`);
      for (const listener of entryListeners) listener(event);
      return;
    case "summary":
      putSummary(event.summary);
      return takeSummary(event.summary);
    case "forgotten":
      removeSummary(event.conversation);
      invalidate("queue");
      return drop(event.conversation);
    case "reset": // it began anew under its name: nothing of what is shown is in it
      drop(event.conversation);
      return void loadTranscript(event.conversation, true);
    case "flow":
      return outdateFlow(event.flow);
    default:
      return;
  }
}

function onEvent(event: ServerEvent): void {
  let data: unknown;
  try {
    data = JSON.parse(event.data);
  } catch {
    return; // not one of our events
  }
  if (!data || typeof data !== "object") return;
  if (event.name === "ping") return setServerTime((data as { at_ms: number }).at_ms);
  const now = connection.get();
  if (now.wasLost && now.status === "open" && Date.now() - openedAt < CATCHING_UP) connection.set({ received: now.received + 1 });
  takeEvent({ ...data, type: event.name } as StreamEvent);
}

const stream = new EventStream({
  address: (cursor) => address(["stream"], { conversation: watched === missing ? null : beside ? [watched ?? "", beside] : watched, debug: hasDebug || undefined, list: true, cursor }),
  onEvent,
  onOpen: () => {
    const { wasLost } = connection.get();
    openedAt = Date.now();
    void loadList();
    for (const id of [watched, beside]) if (id) void loadTranscript(id);
    if (hadStream) catchUpFlows();
    hadStream = true;
    if (wasLost) invalidate("queue");
    if (wasLost && watched) outdate(watched);
    if (wasLost) setTimeout(() => connection.set({ wasLost: false, received: 0 }), 6000);
  },
  onState: (state) => {
    if (state.problem?.status === 404) missing = watched;
    if (state.status === "waiting" && state.attempt > 1) loadListOnce(); // it does not need the stream
    if (state.problem?.status === 401) invalidate("me"); // the key was removed, or the login has ended
    connection.set((now) => ({ ...state, wasLost: now.wasLost || (state.status === "waiting" && state.problem?.status !== 404), received: state.status === "waiting" ? 0 : now.received }));
  },
});

/** How often a tab without the stream asks the server for what is new: one that is seen, and one that is not. */
const ASK_MS = 2000;
const ASK_HIDDEN_MS = 15_000;
let asking: ReturnType<typeof setTimeout> | undefined;
let hasAsked = false;

async function ask(): Promise<void> {
  clearTimeout(asking);
  hasAsked = true;
  connection.set({ status: "open", attempt: 0, problem: null, retryAt: 0, received: 0, wasLost: false });
  catchUpFlows();
  await Promise.allSettled([loadList(), ...[watched, beside].map((id) => (id && id !== missing ? loadTranscript(id) : undefined))]);
  clearTimeout(asking);
  if (isAsking) asking = setTimeout(() => void ask(), document.hidden ? ASK_HIDDEN_MS : ASK_MS);
}

let isAsking = false;

const holder = new Holder(`turnwise-stream ${address(["stream"], {}).pathname}`, {
  onHold: () => {
    isAsking = false;
    clearTimeout(asking);
    stream.connect();
    if (hasAsked && watched) outdate(watched);
    hasAsked = false;
  },
  onLose: (isLeft) => {
    stream.pause();
    isAsking = !isLeft;
    if (isAsking) void ask();
    else clearTimeout(asking);
  },
});

/** Open the stream for a conversation, for two beside each other, or for the list only. */
export function watch(id: string | null, debug: boolean, other: string | null = null): void {
  watched = id;
  beside = other;
  missing = null;
  hasDebug = debug;
  if (holder.holds) stream.connect();
  else if (isAsking) void ask();
  else holder.take();
}

/** Try to connect now. */
export const reconnect = (): void => stream.retryNow();

addEventListener("online", reconnect);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && reconnect());

export const useConnection = (): Connection => useStore(connection, (value) => value);
