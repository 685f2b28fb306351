// How the flow of the open conversation stands at the position of the reader.

import { useMemo } from "react";
import type { FlowPage, GraphLevel } from "../api/types";
import { useFlow, useFlowEdges } from "../data/hooks";
import type { Position } from "../data/position";
import { moveTo, useRoute } from "../data/route";
import { Store, useStore } from "../data/store";
import { useWhatIf, type WhatIf } from "../data/whatIf";
import type { Track } from "../timeline/decode";
import { useTrack } from "../timeline/useTrack";
import type { Selection } from "./context";
import { levelOf, scopeAround } from "./level";
import { focusOnLevel } from "./Levels";
import { standingAt, type Standing } from "./standing";

const selection = new Store<{ now: Selection | null }>({ now: null });

/** The node or transition whose details are open. */
export const useSelection = (): Selection | null => useStore(selection, ({ now }) => now);

/** Open the details of a node or transition, or close them if they are open. */
export function select(next: Selection | null): void {
  const { now } = selection.get();
  const isSame = now && next && now.kind === next.kind && now.id === next.id;
  selection.set({ now: isSame ? null : next });
}

/** The move that a what-if would make, and the decision that would make it. */
export interface WouldMove {
  readonly seq: number;
  readonly node: string;
  readonly transition: string;
  readonly target: string;
}

export interface FlowNow {
  readonly page: FlowPage | null;
  /** The level that is shown: the one of the address, else the one of the node in charge. */
  readonly level: GraphLevel | null;
  readonly standing: Standing;
  readonly position: Position;
  readonly would: WouldMove | null;
  /** The transition that was nearest to holding in the selected decision. */
  readonly nearest: string;
  readonly problem: ReturnType<typeof useFlow>["problem"];
}

/** Show another level of the flow, and have the focus there. */
export function goToLevel(scope: string): void {
  select(null);
  moveTo({ level: scope });
  focusOnLevel();
}

let last: { key: readonly unknown[]; standing: Standing } | null = null;

/** The standing, computed once for the graph and the outline beside it. */
function sharedStanding(...key: Parameters<typeof standingAt>): Standing {
  if (!last || last.key.some((part, place) => part !== key[place])) last = { key, standing: standingAt(...key) };
  return last.standing;
}

const NO_HISTORY: never[] = [];
const EMPTY: Track = { lanes: [], depths: [], turns: [], decisions: [], stops: [], moves: [], commits: [], last: 0, isCut: false, signs: [], overlays: [], titles: {} };

/** The flow of the open conversation, and how its parts stand now. */
export function useFlowNow(): FlowNow {
  const flow = useFlow();
  const { track, position, selected } = useTrack();
  const histories = useFlowEdges(flow.data?.flow.name);
  const whatIf = useWhatIf();
  const standing = useMemo(() => sharedStanding(track ?? EMPTY, selected, histories.data ?? NO_HISTORY), [track, selected, histories.data]);
  const would = useMemo(() => wouldMove(whatIf, position.turn, position.seq), [whatIf, position.turn, position.seq]);
  const route = useRoute();
  const wanted = route.page === "conversation" ? route.level : null;
  const level = flow.data && levelOf(flow.data, wanted ?? scopeAround(standing.here));
  return { page: flow.data, level, standing, position, would, nearest: position.seam?.nearest ?? "", problem: flow.problem };
}

/** The move that a what-if of this turn would make instead: in the selected decision, else in the first that would move. */
export function wouldMove(whatIf: WhatIf | null, turn: number, seq: number | null): WouldMove | null {
  const moving = whatIf?.result?.decisions.filter((one) => one.turn === turn && one.differs && one.would.taken) ?? [];
  const found = moving.find((one) => one.seq === seq) ?? moving[0];
  if (!found?.would.taken) return null;
  const target = found.would.candidates?.find((candidate) => candidate.id === found.would.taken)?.target ?? "";
  return { seq: found.seq, node: found.node, transition: found.would.taken, target };
}
