import { useSyncExternalStore } from "react";

const listeners = new Map<number, Set<() => void>>();
const now = new Map<number, number>();

function subscribe(every: number): (listener: () => void) => () => void {
  return (listener) => {
    const set = listeners.get(every) ?? new Set();
    listeners.set(every, set);
    set.add(listener);
    const timer = setInterval(() => {
      now.set(every, Date.now());
      listener();
    }, every);
    return () => {
      clearInterval(timer);
      set.delete(listener);
    };
  };
}

const subscriptions = new Map<number, ReturnType<typeof subscribe>>();

/** The time, which renders the component again every so many milliseconds. */
export function useNow(every: number): number {
  let one = subscriptions.get(every);
  if (!one) {
    one = subscribe(every);
    subscriptions.set(every, one);
  }
  return useSyncExternalStore(one, () => {
    if (!now.has(every)) now.set(every, Date.now());
    return now.get(every) ?? 0;
  });
}
