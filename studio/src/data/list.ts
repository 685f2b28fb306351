import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { ConversationSummary } from "../api/types";
import { Store, useStore } from "./store";

type List = { byId: Record<string, ConversationSummary>; total: number; next: string | null; isLoaded: boolean; problem: Problem | null };

const list = new Store<List>({ byId: {}, total: 0, next: null, isLoaded: false, problem: null });

const newest = (now: ConversationSummary | undefined, next: ConversationSummary) => (now && now.seq > next.seq ? now : next);

/** Load the first page of conversations, or the next one. */
export async function loadList(more = false): Promise<void> {
  const after = more ? (list.get().next ?? undefined) : undefined;
  try {
    const page = await api.conversations({ limit: 200, after });
    list.set((now) => {
      const known = more ? now.byId : {};
      const rows = page.conversations.map((row) => [row.id, newest(now.byId[row.id], row)] as const);
      return { byId: { ...known, ...Object.fromEntries(rows) }, total: page.total, next: page.next, isLoaded: true, problem: null };
    });
  } catch (error) {
    list.set({ problem: asProblem(error) });
  }
}

/** Ask the server for conversations in which words were said; they come with the place as `snippet`. */
export async function searchList(text: string): Promise<void> {
  try {
    const page = await api.conversations({ text, limit: 100 });
    list.set((now) => ({ byId: { ...now.byId, ...Object.fromEntries(page.conversations.map((row) => [row.id, newest(now.byId[row.id], row)])) } }));
  } catch {
    // what is loaded is filtered all the same
  }
}

/** A conversation began or changed. */
export function putSummary(summary: ConversationSummary): void {
  list.set((now) => ({ byId: { ...now.byId, [summary.id]: newest(now.byId[summary.id], summary) }, total: now.total + (now.byId[summary.id] ? 0 : 1) }));
}

/** A conversation was deleted for good. */
export function removeSummary(id: string): void {
  list.set((now) => {
    if (!now.byId[id]) return {};
    return { byId: Object.fromEntries(Object.entries(now.byId).filter(([name]) => name !== id)), total: now.total - 1 };
  });
}

export const useList = (): List => useStore(list, (value) => value);
export const getSummary = (id: string): ConversationSummary | undefined => list.get().byId[id];
export const useSummary = (id: string | null): ConversationSummary | null => useStore(list, ({ byId }) => (id === null ? null : (byId[id] ?? null)));
