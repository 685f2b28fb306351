import { useSyncExternalStore } from "react";
import { useAheadMs } from "../data/serverTime";

/** A clock that ticks while someone looks at it; all who look share one timer. */
class Ticker {
  now = Date.now();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly every: number) {}

  subscribe = (listener: () => void): (() => void) => {
    if (!this.listeners.size) this.timer = setInterval(this.tick, this.every);
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (!this.listeners.size) clearInterval(this.timer);
    };
  };

  read = (): number => {
    if (!this.listeners.size) this.now = Math.max(this.now, Math.floor(Date.now() / this.every) * this.every);
    return this.now;
  };

  private tick = (): void => {
    this.now = Date.now();
    for (const listener of [...this.listeners]) listener();
  };
}

const tickers = new Map<number, Ticker>();

/** The time of the server, which renders the component again every so many milliseconds. */
export function useNow(every: number): number {
  let ticker = tickers.get(every);
  if (!ticker) {
    ticker = new Ticker(every);
    tickers.set(every, ticker);
  }
  return useSyncExternalStore(ticker.subscribe, ticker.read) + useAheadMs();
}
