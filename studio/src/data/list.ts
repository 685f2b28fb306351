import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { ConversationSummary } from "../api/types";
import { FILTERS, passes, type Filter } from "./filter";
import { Store, useStore } from "./store";

/** The conversations that are loaded, how many the server has for each filter, and by question the cursor of the next page, and whether older ones are not searched yet. */
type List = { byId: Record<string, ConversationSummary>; totals: Partial<Record<Filter, number>>; next: Record<string, string | null>; hasOlder: Record<string, boolean>; isLoaded: boolean; problem: Problem | null };

/** Which conversations to load: those of a filter, with a text in name, node or messages. */
export type Question = { filter: Filter; text: string };

const EVERYTHING: Question = { filter: "all", text: "" };
const PAGE = 200;
const RECOUNT_MS = 2000;

const list = new Store<List>({ byId: {}, totals: {}, next: {}, hasOlder: {}, isLoaded: false, problem: null });

const keyOf = ({ filter, text }: Question) => `${filter} ${text}`;
const asked = ({ filter, text }: Question) => ({ text, ...(filter === "all" ? {} : { status: filter }) });
const newest = (now: ConversationSummary | undefined, next: ConversationSummary) => (now && now.seq > next.seq ? now : next);

/** The cursor of the next page of a question: `null` where all is loaded, `undefined` where nothing of it was asked for. */
export const nextOf = ({ next }: List, question: Question): string | null | undefined => next[keyOf(question)];

/** Whether there are older conversations in which the text of a question is not searched yet. */
export const hasOlder = (list: List, question: Question): boolean => list.hasOlder[keyOf(question)] ?? false;

/** Whether every conversation that the reader may see is loaded. */
export const isComplete = (now: List): boolean => nextOf(now, EVERYTHING) === null;

/** How many conversations a filter has; `undefined` until it is known. */
export const totalOf = (now: List, filter: Filter): number | undefined =>
  isComplete(now) ? Object.values(now.byId).filter((row) => passes(row, filter)).length : now.totals[filter];

/** Load the list anew from its first page, and count the conversations that are not in it. */
export async function loadList(): Promise<void> {
  if ((await loadPage(EVERYTHING, true)) && !isComplete(list.get())) await recount();
}

/** Load the list unless it is loaded. */
export const loadListOnce = (): void => void (list.get().isLoaded || loadList());

/** For each page that is asked for: the conversations that changed since, `null` for those that were deleted. The page may be older. */
const meanwhile = new Set<Map<string, ConversationSummary | null>>();

/** Load the first page of a question, or the next one. Returns false where the server refused. */
export async function loadPage(question: Question, isAnew = false): Promise<boolean> {
  const after = isAnew ? undefined : (nextOf(list.get(), question) ?? undefined);
  const changed = new Map<string, ConversationSummary | null>();
  meanwhile.add(changed);
  try {
    const page = await api.conversations({ ...asked(question), limit: PAGE, after });
    list.set((now) => ({
      byId: withRows(isAnew ? {} : now.byId, [...page.conversations.filter(({ id }) => !changed.has(id)).map((row) => newest(now.byId[row.id], row)), ...present(changed)]),
      totals: question.text ? now.totals : { ...now.totals, [question.filter]: page.total },
      next: { ...(isAnew ? {} : now.next), [keyOf(question)]: page.next },
      hasOlder: { ...(isAnew ? {} : now.hasOlder), [keyOf(question)]: !page.is_complete },
      isLoaded: true,
      problem: null,
    }));
    if (changed.size > 0) recountSoon();
    return true;
  } catch (error) {
    list.set({ problem: asProblem(error) });
    return false;
  } finally {
    meanwhile.delete(changed);
  }
}

const present = (changed: Map<string, ConversationSummary | null>) => [...changed.values()].filter((row) => row !== null);
const withRows = (byId: List["byId"], rows: readonly ConversationSummary[]) => ({ ...byId, ...Object.fromEntries(rows.map((row) => [row.id, row])) });

let counting: ReturnType<typeof setTimeout> | undefined;

/** Ask the server how many conversations each filter has. */
async function recount(): Promise<void> {
  try {
    const totals = await Promise.all(FILTERS.map(async ([filter]) => [filter, (await api.conversations({ ...asked({ filter, text: "" }), limit: 1 })).total] as const));
    list.set({ totals: Object.fromEntries(totals) });
  } catch {
    // the numbers that were known stay
  }
}

/** Count soon: the totals that are known may count a change twice, or not at all. */
function recountSoon(): void {
  if (isComplete(list.get())) return;
  counting ??= setTimeout(() => {
    counting = undefined;
    void recount();
  }, RECOUNT_MS);
}

/** The totals after a loaded conversation changed, or was deleted, until they are counted again. */
function counted(totals: List["totals"], old: ConversationSummary, next: ConversationSummary | null): List["totals"] {
  const change = (filter: Filter) => Number(next !== null && passes(next, filter)) - Number(passes(old, filter));
  return Object.fromEntries(FILTERS.flatMap(([filter]) => (totals[filter] === undefined ? [] : [[filter, Math.max(0, totals[filter] + change(filter))]])));
}

/** A conversation began or changed. */
export function putSummary(summary: ConversationSummary): void {
  const old = list.get().byId[summary.id];
  const next = newest(old, summary);
  for (const changed of meanwhile) changed.set(summary.id, next);
  list.set(({ byId, totals }) => ({ byId: { ...byId, [summary.id]: next }, totals: old ? counted(totals, old, next) : totals }));
  if (!old || FILTERS.some(([filter]) => passes(old, filter) !== passes(next, filter))) recountSoon();
}

/** A conversation was deleted for good. */
export function removeSummary(id: string): void {
  const old = list.get().byId[id];
  for (const changed of meanwhile) changed.set(id, null);
  recountSoon();
  if (!old) return;
  list.set(({ byId, totals }) => ({ byId: Object.fromEntries(Object.entries(byId).filter(([name]) => name !== id)), totals: counted(totals, old, null) }));
}

export const useList = (): List => useStore(list, (value) => value);
export const getSummary = (id: string): ConversationSummary | undefined => list.get().byId[id];
export const useSummary = (id: string | null): ConversationSummary | null => useStore(list, ({ byId }) => (id === null ? null : (byId[id] ?? null)));
