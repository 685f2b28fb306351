// Which nodes get a lane of their own on the timeline.

import type { Track } from "./decode";

export const MOST_LANES = 6;

/** The lanes that are drawn: indices into `Track.lanes`; a ribbon is one lane for all nodes. */
export interface Lanes {
  readonly isRibbon: boolean;
  readonly shown: readonly number[];
}

/** All nodes if there are few, else the visited ones, else one ribbon. */
export function chooseLanes(track: Track): Lanes {
  const all = track.lanes.map((_, lane) => lane);
  if (all.length <= MOST_LANES) return { isRibbon: false, shown: all };
  const visited = new Set<number>(track.turns.map((turn) => turn.lane));
  for (const [, from, to] of track.moves) visited.add(from).add(to);
  const shown = all.filter((lane) => visited.has(lane));
  return shown.length <= MOST_LANES ? { isRibbon: false, shown } : { isRibbon: true, shown: [] };
}
