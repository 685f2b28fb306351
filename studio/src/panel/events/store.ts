import { api } from "../../api/calls";
import { asProblem, type Problem } from "../../api/problem";
import type { EventRow } from "../../api/types";
import { onEntry } from "../../data/live";
import { Store, useStore } from "../../data/store";

const PAGE = 200;

/** The events of one conversation that this tab has loaded, by position. */
export interface Events {
  id: string;
  bySeq: ReadonlyMap<number, EventRow>;
  problem: Problem | null;
  isLoading: boolean;
}

const store = new Store<{ now: Events }>({ now: { id: "", bySeq: new Map(), problem: null, isLoading: false } });
let pages = new Set<number>();

export const useEvents = (): Events => useStore(store, ({ now }) => now);

/** Begins with an empty list for a conversation. */
export function openEvents(id: string): void {
  if (store.get().now.id === id) return;
  pages = new Set();
  store.set({ now: { id, bySeq: new Map(), problem: null, isLoading: false } });
}

function put(id: string, rows: readonly EventRow[], change: Partial<Events> = {}): void {
  store.set(({ now }) => {
    if (now.id !== id) return {};
    const bySeq = rows.length ? new Map(now.bySeq) : now.bySeq;
    for (const row of rows) (bySeq as Map<number, EventRow>).set(row.seq, row);
    return { now: { ...now, ...change, bySeq } };
  });
}

/** Loads the page of events that a position is on, once. */
export async function loadAround(seq: number): Promise<void> {
  const { id } = store.get().now;
  const page = Math.floor(Math.max(0, seq - 1) / PAGE);
  if (!id || pages.has(page)) return;
  pages.add(page);
  put(id, [], { isLoading: true });
  try {
    const { events, last } = await api.events(id, page * PAGE, PAGE);
    put(id, events, { problem: null, isLoading: false });
    if (last < (page + 1) * PAGE) pages.delete(page); // the last page grows
  } catch (error) {
    pages.delete(page);
    put(id, [], { problem: asProblem(error), isLoading: false });
  }
}

/** Loads every event up to a position, page by page, until it is told to stop. */
export async function loadAll(last: number, isStopped: () => boolean): Promise<void> {
  for (let seq = 1; seq <= last && !isStopped(); seq += PAGE) {
    await loadAround(seq);
    if (store.get().now.problem) return;
  }
}

onEntry(({ conversation, entry }) => put(conversation, [entry]));
