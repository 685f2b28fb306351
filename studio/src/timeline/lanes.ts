// Which nodes get a lane of their own on the timeline.

import { scopeAround } from "../graph/level";
import type { Track } from "./decode";

export const MOST_LANES = 6;

/** The lanes that are drawn: indices into `Track.lanes`; a ribbon is one lane for all nodes. */
export interface Lanes {
  readonly isRibbon: boolean;
  readonly shown: readonly number[];
  /** The drawn lane of each node of a scope, where the nodes of a scope share one. */
  readonly shared: ReadonlyMap<number, number>;
}

const NONE: ReadonlyMap<number, number> = new Map();

/** All nodes if there are few, else the visited ones, else one lane for each scope, else one ribbon. The node of a scope is left out where only what is inside was visited. */
export function chooseLanes(track: Track): Lanes {
  const visited = new Set<number>(track.turns.map((turn) => turn.lane));
  for (const [, from, to] of track.moves) visited.add(from).add(to);
  const around = new Set(track.lanes.map(scopeAround));
  const all = track.lanes.flatMap((name, lane) => (around.has(name) && !visited.has(lane) ? [] : [lane]));
  if (all.length <= MOST_LANES) return { isRibbon: false, shown: all, shared: NONE };
  const seen = all.filter((lane) => visited.has(lane));
  if (seen.length <= MOST_LANES) return { isRibbon: false, shown: seen, shared: NONE };
  const shared = sharedLanes(track, seen);
  const shown = seen.filter((lane) => (shared.get(lane) ?? lane) === lane);
  return shown.length <= MOST_LANES ? { isRibbon: false, shown, shared } : { isRibbon: true, shown: [], shared: NONE };
}

/** The lane of each node of a scope where the scope has one: that of its first node. */
function sharedLanes(track: Track, lanes: readonly number[]): ReadonlyMap<number, number> {
  const first = new Map<string, number>();
  const scoped = lanes.filter((lane) => scopeAround(track.lanes[lane] ?? ""));
  for (const lane of scoped) {
    const scope = scopeAround(track.lanes[lane] ?? "");
    if (!first.has(scope)) first.set(scope, lane);
  }
  return new Map(scoped.map((lane) => [lane, first.get(scopeAround(track.lanes[lane] ?? "")) ?? lane]));
}

/** The title of a lane: that of its node, or of the scope whose nodes share it. The lanes around it say the rest. With `isTechnical` it is the name, with that of the scope. */
export function laneName(track: Track, lanes: Lanes, lane: number, isTechnical: boolean): string {
  const address = track.lanes[lane] ?? "";
  if (!isTechnical) {
    const named = lanes.shared.has(lane) ? scopeAround(address) : address;
    return track.titles[named] || named;
  }
  return lanes.shared.has(lane) ? (scopeAround(address).split("/").at(-1) ?? "") : address.split("/").slice(-2).join("/");
}
