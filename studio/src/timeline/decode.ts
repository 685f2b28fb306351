// The timeline as the server sends it is compact: arrays instead of objects. This module gives the columns names.

import type { Timeline } from "../api/types";
import type { Sign } from "../ui/signs";

export type Outcome = "taken" | "false" | "unknown" | "outranked" | "not_reached" | "blocked" | "error";

/** A decision on the timeline. A decision without candidates judged nothing and cannot be selected. */
export interface Decision {
  readonly seq: number;
  readonly turn: number;
  readonly at: number;
  readonly lane: number;
  readonly mark: Outcome;
  /** The lane it moved to, -1 where it stayed. */
  readonly target: number;
  readonly text: string;
  readonly moment: string;
  readonly transition: string;
  readonly candidates: readonly string[];
  readonly outcomes: string;
  /** Whether it led to another node, or ended the conversation. */
  readonly hasMoved: boolean;
}

/** A turn on the timeline. `lane` is the node in which it ended. */
export interface Turn {
  readonly number: number;
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly lane: number;
  readonly began: string;
  readonly isUndone: boolean;
  /** Retention erased it, as all turns before: only its place is left. */
  readonly isErased: boolean;
}

/** The whole path of a conversation, decoded. */
export interface Track {
  readonly lanes: readonly string[];
  /** What people call each lane, by its name. */
  readonly titles: Readonly<Record<string, string>>;
  /** How many scopes are around each lane. */
  readonly depths: readonly number[];
  readonly turns: readonly Turn[];
  readonly decisions: readonly Decision[];
  /** The decisions that judged at least one candidate, and acts of people: the stops of the playhead. */
  readonly stops: readonly Decision[];
  readonly moves: readonly (readonly [seq: number, from: number, to: number])[];
  readonly commits: readonly number[];
  readonly last: number;
  readonly isCut: boolean;
  /** What happened around the conversation, in order. */
  readonly signs: readonly SignMark[];
  readonly overlays: readonly OverlaySpan[];
}

/** Something on the timeline that is no decision: a timer that fired, an offer, an event of another system. */
export interface SignMark {
  readonly seq: number;
  readonly turn: number;
  readonly sign: Sign;
  readonly text: string;
}

/** Where an overlay was active; `to` is null where it still is. */
export interface OverlaySpan {
  readonly name: string;
  readonly persona: string;
  readonly from: number;
  readonly to: number | null;
}

const LETTERS: Readonly<Record<string, Outcome>> = {
  t: "taken",
  f: "false",
  u: "unknown",
  o: "outranked",
  n: "not_reached",
  b: "blocked",
  r: "blocked",
  x: "blocked",
  e: "error",
  m: "outranked",
  "-": "not_reached",
};

/** The outcome of one candidate of a decision. */
export function outcomeOf(decision: Decision, place: number): Outcome {
  return LETTERS[decision.outcomes[place] ?? "-"] ?? "not_reached";
}

/** Whether this is no decision but an act of a person, such as taking over. */
export const isAct = ({ moment }: { readonly moment: string }): boolean => moment === "person";

/** Decode a timeline. Undone decisions are left out: they are not part of the path. */
export function decode(timeline: Timeline): Track {
  const decisions: Decision[] = [];
  for (const [seq, turn, at, lane, mark, target, text, isUndone, moment, transition, judged, outcomes, , , hasMoved] of timeline.marks) {
    if (isUndone) continue;
    const candidates = timeline.candidates[judged] ?? [];
    decisions.push({ seq, turn, at, lane, mark, target, text, moment, transition, candidates, outcomes, hasMoved });
  }
  let isErased = true;
  return {
    lanes: timeline.lanes,
    titles: timeline.titles ?? {},
    depths: timeline.depths,
    turns: timeline.turns.map(([number, first, last, at, lane, began, isUndone]) => ({
      number,
      first,
      last,
      at,
      lane,
      began,
      isUndone,
      isErased: (isErased &&= began === ""),
    })),
    decisions,
    stops: decisions.filter((decision) => decision.candidates.length > 0 || isAct(decision)),
    moves: timeline.moves,
    commits: timeline.commits,
    last: timeline.last_seq,
    isCut: timeline.is_cut,
    signs: timeline.signs.map(([seq, turn, , sign, text]) => ({ seq, turn, sign, text })),
    overlays: timeline.overlays.map(([name, persona, from, to]) => ({ name, persona, from, to })),
  };
}

/** The lane in which a decision leaves the conversation: the one it moved to, or that of the scope that it opened or closed. */
export function laneAfter(track: Track, { seq, turn, lane, target }: Decision): number {
  if (target >= 0) return target;
  const next = track.decisions[lastUpTo(track.decisions, seq) + 1]?.seq ?? Infinity;
  const until = Math.min(next, (track.turns.find((one) => one.number === turn)?.last ?? 0) + 1);
  const move = track.moves.findLast(([at, , to]) => at > seq && at < until && to >= 0);
  return move?.[2] ?? lane;
}

/** The index of the last item whose `seq` is at most `seq`, -1 if there is none. Items are in order. */
export function lastUpTo(items: readonly { readonly seq: number }[], seq: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.seq ?? Infinity) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
