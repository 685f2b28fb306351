import { Store, useStore } from "./store";

export type Pane = "list" | "chat" | "why" | "graph" | "draw" | "source";
export type Dialog = "keys" | "search" | "new" | "delete" | "key" | "fork" | "settings" | null;

/** What is open on the page, apart from what the address says. `pane` counts below 760 px only. */
export type Layout = { pane: Pane; hasDrawer: boolean; dialog: Dialog; isPersonOpen: boolean };

const layout = new Store<Layout>({ pane: "chat", hasDrawer: false, dialog: null, isPersonOpen: false });

export const setLayout = layout.set;
export const getLayout = layout.get;
export const useLayout = (): Layout => useStore(layout, (value) => value);

/** Words of a message that stand out, because a value in the panel came from them. */
export type Highlight = { seq: number; start: number; end: number } | { field: string; turn: number } | null;

const highlight = new Store<{ now: Highlight }>({ now: null });
export const setHighlight = (now: Highlight): void => highlight.set({ now });
export const useHighlight = (): Highlight => useStore(highlight, ({ now }) => now);
