import type { WhatIfResult } from "../api/types";
import { Store, useStore } from "./store";

/** A hypothetical question and its answer. Chat, graph and timeline draw the answer dashed. */
export type WhatIf = { conversation: string; turn: number; values: Record<string, unknown>; rules: Record<string, string>; result: WhatIfResult | null };

const store = new Store<{ now: WhatIf | null }>({ now: null });

export const setWhatIf = (now: WhatIf | null): void => store.set({ now });
export const useWhatIf = (): WhatIf | null => useStore(store, ({ now }) => now);
