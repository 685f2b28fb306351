import { Store } from "./store";

export const announcement = new Store({ text: "", count: 0 });

/** Say something to screen readers, politely. */
export function announce(text: string): void {
  announcement.set((now) => ({ text, count: now.count + 1 }));
}
