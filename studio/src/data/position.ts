import { useMemo } from "react";
import type { Seam } from "../api/types";
import { useConversationData } from "./conversations";
import { moveTo, useRoute } from "./route";
import type { ConversationData } from "./transcript";
import { storedTurn } from "./transcript";

/** Where the reader is. Turns and decisions count from 1; `decision` is 0 in a turn without one. */
export type Position = {
  turn: number;
  decision: number;
  /** The decision of the position, in one line, and its position in the journal. */
  seam: Seam | null;
  seq: number | null;
  /** The decisions of the turn, in order. */
  decisions: readonly Seam[];
  lastTurn: number;
  isLive: boolean;
  /** How many turns came after the position. */
  later: number;
  go: (turn: number, decision?: number) => void;
  goToSeq: (seq: number) => void;
  goLive: () => void;
  goFirst: () => void;
  /** Go to the next or previous decision, or turn. */
  step: (by: number) => void;
  stepTurn: (by: number) => void;
};

type Stop = { turn: number; decision: number };

/** Every place at which a reader can stop, in order: each decision, and each turn without one. */
export function stops(data: Pick<ConversationData, "messages" | "seams">): Stop[] {
  const counts = new Map<number, number>();
  for (const message of data.messages) counts.set(message.turn, counts.get(message.turn) ?? 0);
  for (const seam of data.seams) counts.set(seam.turn, (counts.get(seam.turn) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .flatMap(([turn, count]) => (count ? Array.from({ length: count }, (_, index) => ({ turn, decision: index + 1 })) : [{ turn, decision: 0 }]));
}

const NONE: ConversationData | null = null;

/** The position that the address names, and the ways to another one. */
export function usePosition(): Position {
  const route = useRoute();
  const id = route.page === "conversation" ? route.id : null;
  const data = useConversationData(id) ?? NONE;
  const wanted = route.page === "conversation" ? route.turn : null;
  const wantedDecision = route.page === "conversation" ? route.decision : null;
  return useMemo(() => {
    const last = data ? storedTurn(data) : 0;
    const turn = wanted === null ? last : Math.min(wanted, last);
    const decisions = data?.seams.filter((seam) => seam.turn === turn) ?? [];
    const decision = decisions.length ? Math.min(wantedDecision ?? decisions.length, decisions.length) : 0;
    const seam = decisions[decision - 1] ?? null;
    const all = () => (data ? stops(data) : []);
    const goLive = () => moveTo({ turn: null, decision: null });
    const go = (to: number, which?: number) => {
      const inTurn = data?.seams.filter((one) => one.turn === to).length ?? 0;
      const isEnd = last > 0 && to >= last && (which === undefined || which >= inTurn);
      if (isEnd) goLive();
      else moveTo({ turn: Math.max(1, to), decision: which ?? null });
    };
    const goTo = (stop: Stop | undefined) => stop && go(stop.turn, stop.decision || undefined);
    return {
      turn,
      decision,
      seam,
      seq: seam?.seq ?? null,
      decisions,
      lastTurn: last,
      isLive: wanted === null,
      later: wanted === null ? 0 : Math.max(0, last - turn),
      go,
      goLive,
      goToSeq: (seq: number) => {
        const found = data?.seams.find((one) => one.seq === seq) ?? data?.seams.findLast((one) => one.seq <= seq);
        if (!data || !found) return;
        go(found.turn, data.seams.filter((one) => one.turn === found.turn && one.seq <= found.seq).length);
      },
      goFirst: () => (data?.isWhole === false ? moveTo({ turn: 1, decision: 1 }) : goTo(all()[0])),
      step: (by: number) => {
        const list = all();
        const at = list.findIndex((stop) => stop.turn === turn && stop.decision === decision);
        goTo(list[Math.min(list.length - 1, Math.max(0, at + by))]);
      },
      stepTurn: (by: number) => {
        const turns = [...new Set(all().map((stop) => stop.turn))];
        const next = turns[Math.min(turns.length - 1, Math.max(0, turns.indexOf(turn) + by))];
        if (next !== undefined) go(next);
      },
    };
  }, [data, wanted, wantedDecision]);
}
