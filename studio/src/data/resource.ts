import { useEffect, useRef } from "react";
import { asProblem, type Problem } from "../api/problem";
import { Store, useStore } from "./store";

/** Something that was asked of the server. While a new answer loads, `data` may still be the old one (`isOld`). */
export type Resource<T> = { data: T | null; isLoading: boolean; isOld: boolean; problem: Problem | null };

/** Whether the answer is there and is the one that was asked for. */
export const isCurrent = ({ data, isOld }: Resource<unknown>): boolean => data !== null && !isOld;

/** `askedAt`: when the server was asked last, by the clock of the page. */
type Entry = { data: unknown; problem: Problem | null; isLoading: boolean; isStale: boolean; askedAt: number };

const NOTHING: Entry = { data: null, problem: null, isLoading: false, isStale: false, askedAt: 0 };
const cache = new Store<{ entries: Record<string, Entry> }>({ entries: {} });
const waiting = new Map<string, Promise<unknown>>();
const LIMIT = 400;

function put(key: string, entry: Partial<Entry>): void {
  cache.set(({ entries }) => {
    const kept = Object.keys(entries).length > LIMIT ? Object.fromEntries(Object.entries(entries).slice(-LIMIT / 2)) : entries;
    const now = kept[key] ?? { ...NOTHING };
    return { entries: { ...kept, [key]: { ...now, ...entry } } };
  });
}

/** Load a resource into the cache; two requests at once for one key become one. */
export async function load<T>(key: string, loader: () => Promise<T>): Promise<void> {
  const running = waiting.get(key);
  if (running) {
    await running.catch(() => undefined);
    return cache.get().entries[key]?.isStale ? load(key, loader) : undefined; // it became old while it was on its way
  }
  put(key, { isLoading: true, isStale: false, askedAt: performance.now() });
  const promise = loader();
  waiting.set(key, promise);
  try {
    put(key, { data: await promise, problem: null, isLoading: false });
  } catch (error) {
    put(key, { problem: asProblem(error), isLoading: false });
  } finally {
    waiting.delete(key);
  }
}

/** Load a resource that will be needed soon, unless it is known or on its way. */
export function prefetch<T>(key: string, loader: () => Promise<T>): void {
  if (!cache.get().entries[key]) void load(key, loader);
}

/** Mark cached answers as old that were asked for before a time: those in use load again, and keep their old content until then. */
export function invalidateBefore(time: number, prefixes: readonly string[]): void {
  const isOld = ([key, entry]: [string, Entry]) => entry.askedAt < time && prefixes.some((prefix) => key.startsWith(prefix));
  if (!Object.entries(cache.get().entries).some(isOld)) return;
  cache.set(({ entries }) => ({
    entries: Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, isOld([key, entry]) ? { ...entry, isStale: true, problem: null } : entry])),
  }));
}

/** Mark cached answers as old. */
export const invalidate = (...prefixes: string[]): void => invalidateBefore(Infinity, prefixes);

/** The answer of a key as it is known now; `null` if it was never loaded. */
export const known = <T>(key: string): T | null => (cache.get().entries[key]?.data as T | undefined) ?? null;

/** Put an answer that came by another way. */
export function keep<T>(key: string, data: T): void {
  put(key, { data, problem: null, isLoading: false, isStale: false, askedAt: performance.now() });
}

/** An answer of the server by its key; `null` as key asks for nothing. */
export function useResource<T>(key: string | null, loader: () => Promise<T>): Resource<T> {
  const entry = useStore(cache, ({ entries }) => (key === null ? NOTHING : (entries[key] ?? NOTHING)));
  const shown = useRef<{ family: string; data: unknown }>({ family: "", data: null });
  const run = useRef(loader);
  run.current = loader;
  const mustLoad = key !== null && !entry.isLoading && !entry.problem && (entry.data === null || entry.isStale);
  useEffect(() => {
    if (mustLoad && key !== null) void load(key, () => run.current());
  }, [mustLoad, key]);
  const family = key?.split("#")[0] ?? "";
  if (entry.data !== null || shown.current.family !== family) shown.current = { family, data: entry.data };
  const data = (entry.data ?? shown.current.data) as T | null;
  return { data, isLoading: entry.isLoading || mustLoad, isOld: entry.data === null && data !== null, problem: entry.problem };
}
