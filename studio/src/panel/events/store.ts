import { api } from "../../api/calls";
import { asProblem, type Problem } from "../../api/problem";
import type { EventRow } from "../../api/types";
import { onEntry } from "../../data/live";
import { Store, useStore } from "../../data/store";

const PAGE = 200;
/** How many pages are loaded at once where all are needed. */
const AT_ONCE = 5;

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

const selection = new Store<{ id: string; seq: number }>({ id: "", seq: 0 });

/** Select an event of a conversation, which its list then shows. */
export const selectEvent = (id: string, seq: number): void => selection.set({ id, seq });

/** The position of the selected event of a conversation. */
export const useSelectedEvent = (id: string | null): number | null => useStore(selection, (now) => (now.id === id && now.seq ? now.seq : null));

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
export const loadAround = (seq: number): Promise<void> => loadPages(Math.floor(Math.max(0, seq - 1) / PAGE), 1);

async function loadPages(first: number, count: number): Promise<void> {
  const { id } = store.get().now;
  const wanted = Array.from({ length: count }, (_, at) => first + at);
  if (!id || wanted.every((page) => pages.has(page))) return;
  wanted.forEach((page) => pages.add(page));
  put(id, [], { isLoading: true });
  try {
    const { events, last } = await api.events(id, first * PAGE, count * PAGE);
    put(id, events, { problem: null, isLoading: false });
    pages.delete(Math.floor(last / PAGE)); // the last page grows
  } catch (error) {
    wanted.forEach((page) => pages.delete(page));
    put(id, [], { problem: asProblem(error), isLoading: false });
  }
}

/** Loads every event up to a position, some pages at a time, until it is told to stop. */
export async function loadAll(last: number, isStopped: () => boolean): Promise<void> {
  for (let page = 0; page * PAGE < last && !isStopped(); page += AT_ONCE) {
    await loadPages(page, AT_ONCE);
    if (store.get().now.problem) return;
  }
}

onEntry(({ conversation, entry }) => put(conversation, [entry]));
