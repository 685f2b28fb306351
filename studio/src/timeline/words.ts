// The words of the timeline: the position, and what the slider announces.

import type { Decision, Track } from "./decode";
import { t } from "../i18n/t";

/** Where the playhead is, in numbers. `seq` is 0 where nothing was decided. */
export interface PositionWords {
  readonly turn: number;
  readonly turns: number;
  readonly decision: number;
  readonly decisions: number;
  readonly seq: number;
  readonly at: number;
}

/** The numbers of a position: its turn, and its decision among those of the turn. */
export function positionWords(track: Track, turn: number, selected: Decision | null): PositionWords {
  const ofTurn = track.stops.filter((stop) => stop.turn === turn);
  const entry = track.turns.find((one) => one.number === turn);
  return {
    turn,
    turns: track.turns.at(-1)?.number ?? 0,
    decision: selected ? ofTurn.findIndex((stop) => stop.seq === selected.seq) + 1 : 0,
    decisions: ofTurn.length,
    seq: selected?.seq ?? entry?.last ?? 0,
    at: selected?.at ?? entry?.at ?? 0,
  };
}

/** What the slider says: the turn and the verdict. `seam` is the line of the transcript, where the track has none. */
export function sliderText(turn: number, selected: Decision | null, seam = ""): string {
  const verdict = selected?.text || seam;
  return t("Turn {turn}, {x}", { turn, x: verdict || t("nothing was judged") });
}

/** The time of day, by the clock of the reader. */
export function clockText(ms: number): string {
  if (!ms) return "";
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => `${part}`.padStart(2, "0")).join(":");
}
