import { Store } from "./store";

/** How many announcements stay: what comes meanwhile must not take away what was not said yet. */
const KEPT = 3;

export interface Announcement {
  text: string;
  number: number;
}

export const announcements = new Store<{ all: readonly Announcement[] }>({ all: [] });

/** Say something to screen readers, politely. */
export function announce(text: string): void {
  announcements.set(({ all }) => ({ all: [...all, { text, number: (all.at(-1)?.number ?? 0) + 1 }].slice(-KEPT) }));
}
