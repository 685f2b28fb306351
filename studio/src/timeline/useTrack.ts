// The path of the open conversation, and the decision at the position of the reader.

import { useMemo } from "react";
import type { Timeline } from "../api/types";
import { useTimeline } from "../data/hooks";
import { usePosition, type Position } from "../data/position";
import { decode, lastUpTo, type Decision, type Track } from "./decode";

const decoded = new WeakMap<Timeline, Track>();

/** Decode a timeline once. */
export function trackOf(timeline: Timeline): Track {
  const known = decoded.get(timeline);
  if (known) return known;
  const track = decode(timeline);
  decoded.set(timeline, track);
  return track;
}

/** The decision at a position: the selected one, or in a turn without one the last before its end. */
export function decisionAt(track: Track, position: Pick<Position, "turn" | "seq">): Decision | null {
  const turn = track.turns.find((one) => one.number === position.turn);
  const until = position.seq ?? turn?.last ?? Infinity;
  return track.decisions[lastUpTo(track.decisions, until)] ?? null;
}

export interface Here {
  readonly track: Track | null;
  readonly position: Position;
  readonly selected: Decision | null;
}

/** The track of the open conversation with the position in it. */
export function useTrack(): Here {
  const { data } = useTimeline();
  const position = usePosition();
  return useMemo(() => {
    const track = data ? trackOf(data) : null;
    return { track, position, selected: track ? decisionAt(track, position) : null };
  }, [data, position]);
}
