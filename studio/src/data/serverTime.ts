import { Store, useStore } from "./store";

/** How far the clock of the server is ahead of the browser's; a demonstration's can be moved forward. */
const time = new Store({ aheadMs: 0 });

/** A smaller difference is the time that an answer takes. */
const LEAST_MS = 1000;

/** Take in the time of the server, as one of its answers has it. */
export function setServerTime(nowMs: number): void {
  const aheadMs = nowMs - Date.now();
  if (Math.abs(aheadMs - time.get().aheadMs) >= LEAST_MS) time.set({ aheadMs });
}

/** The time of the server now. */
export const serverNow = (): number => Date.now() + time.get().aheadMs;

export const useAheadMs = (): number => useStore(time, ({ aheadMs }) => aheadMs);
