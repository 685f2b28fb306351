import { useEffect, type RefObject } from "react";
import { useHighlight } from "../data/layout";
import type { Turn } from "./turns";

/** Bring the words into view that the panel points at, also in a turn that is not drawn yet. */
export function useShownHighlight(log: RefObject<HTMLElement | null>, turns: readonly Turn[], from: number, include: (index: number) => void): void {
  const highlight = useHighlight();
  useEffect(() => {
    if (!highlight) return;
    const has = (turn: Turn) => ("seq" in highlight ? turn.items.some((item) => item.seq === highlight.seq) : turn.number === highlight.turn);
    const index = turns.findIndex(has);
    if (index >= 0 && index < from) return include(index);
    log.current?.querySelector("[data-lit], mark")?.scrollIntoView({ block: "nearest" });
    // new turns do not scroll back to the words
  }, [highlight, from, log, include]);
}
