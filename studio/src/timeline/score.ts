// The geometry of the timeline: where turns, marks and the path stand, in pixels.

import type { Decision, Track } from "./decode";
import type { Lanes } from "./lanes";

/** A turn is at least this wide; longer conversations show a window of turns. */
export const MIN_TURN = 34;

/** The turns that are visible, as indices into `Track.turns`. */
export interface TurnWindow {
  readonly start: number;
  readonly count: number;
}

/** The window that shows a turn, moved as little as possible from where it was. */
export function windowFor(start: number, turn: number, capacity: number, turns: number): TurnWindow {
  const count = Math.max(1, Math.min(capacity, turns));
  const margin = Math.min(2, Math.floor((count - 1) / 2));
  let from = Math.min(start, turns - count);
  if (turn < from + margin) from = turn - margin;
  if (turn > from + count - 1 - margin) from = turn - count + 1 + margin;
  return { start: Math.max(0, Math.min(from, turns - count)), count };
}

export function capacityOf(width: number): number {
  return Math.max(1, Math.floor(width / MIN_TURN));
}

/** The index of the turn that holds a position; before the first it is 0. */
export function turnIndexAt(track: Track, seq: number): number {
  let low = 0;
  let high = track.turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((track.turns[middle]?.first ?? Infinity) <= seq) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Positions along the timeline and heights of lanes, for one window. */
export class Score {
  readonly turnWidth: number;
  /** Whether there is a lane of what happens around the conversation. */
  readonly hasSigns: boolean;

  constructor(
    readonly track: Track,
    readonly lanes: Lanes,
    readonly window: TurnWindow,
    readonly width: number,
    readonly height: number,
    /** Whether something comes by itself, which stands on the lane of the signs. */
    isSomethingDue = false,
  ) {
    this.turnWidth = width / window.count;
    this.hasSigns = track.signs.length > 0 || isSomethingDue;
  }

  /** Where a position of the journal stands: within the middle four fifths of its turn. */
  x(seq: number): number {
    const index = turnIndexAt(this.track, seq);
    const turn = this.track.turns[index];
    if (!turn) return 0;
    const part = (seq - turn.first) / Math.max(1, turn.last - turn.first);
    return (index - this.window.start + 0.1 + 0.8 * Math.min(1, Math.max(0, part))) * this.turnWidth;
  }

  y(lane: number): number {
    if (this.lanes.isRibbon) return this.height / 2;
    const place = this.lanes.shown.indexOf(this.lanes.shared.get(lane) ?? lane);
    return this.row(Math.max(0, place));
  }

  /** The height of the lane of what happens around the conversation, below all others. */
  get signY(): number {
    return this.lanes.isRibbon ? this.height - 10 : this.row(this.lanes.shown.length);
  }

  private row(place: number): number {
    const rows = this.lanes.shown.length + (this.hasSigns ? 1 : 0);
    const top = this.track.overlays.length ? 26 : 18; // the names of overlays stand above
    return top + place * Math.min((this.height - top) / Math.max(1, rows - 0.3), 30);
  }

  centre(index: number): number {
    return (index - this.window.start + 0.5) * this.turnWidth;
  }

  isVisible(seq: number): boolean {
    const index = turnIndexAt(this.track, seq);
    return index >= this.window.start && index < this.window.start + this.window.count;
  }

  /** The visible turns with their indices. */
  turns(): { index: number; number: number; isUndone: boolean }[] {
    return this.track.turns
      .slice(this.window.start, this.window.start + this.window.count)
      .map((turn, place) => ({ index: this.window.start + place, number: turn.number, isUndone: turn.isUndone }));
  }

  /** The first and last visible position. */
  range(): [number, number] {
    const first = this.track.turns[this.window.start];
    const last = this.track.turns[this.window.start + this.window.count - 1];
    return [first?.first ?? 0, last?.last ?? 0];
  }

  /** The selectable decision nearest to a place on the timeline. */
  nearest(x: number): Decision | undefined {
    const stops = this.track.stops;
    let low = 0;
    let high = stops.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x(stops[middle]!.seq) < x) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [stops[low - 1], stops[low]];
    if (!before || !after) return after ?? before;
    return x - this.x(before.seq) < this.x(after.seq) - x ? before : after;
  }
}

/** A stretch of the path in one node, between two positions. */
export interface Stay {
  readonly from: number;
  readonly to: number;
  readonly lane: number;
}

/** The path of the conversation: in which node it was, from where to where. That through erased turns is not known. */
export function stays(track: Track): Stay[] {
  const first = track.turns.find((turn) => !turn.isErased);
  if (!first) return [];
  const found: Stay[] = [];
  let lane = track.moves[0]?.[1] ?? track.turns.at(-1)!.lane;
  if (lane < 0) lane = track.moves[0]?.[2] ?? first.lane;
  let from = first.first;
  for (const [seq, , to] of track.moves) {
    if (to < 0 || to === lane) continue;
    found.push({ from, to: seq, lane });
    [from, lane] = [seq, to];
  }
  found.push({ from, to: Math.max(track.last, from), lane });
  return found;
}

/** The stepped line over the stays that overlap the window, split at a position into past and future. */
export function steppedPath(score: Score, path: readonly Stay[], from: number, to: number): string {
  let text = "";
  for (const stay of path) {
    if (stay.to < from || stay.from > to) continue;
    const y = score.y(stay.lane).toFixed(1);
    const [start, end] = [score.x(Math.max(stay.from, from)), score.x(Math.min(stay.to, to))];
    text += text ? `V${y}H${end.toFixed(1)}` : `M${start.toFixed(1)} ${y}H${end.toFixed(1)}`;
  }
  return text;
}

/** The whole path in one line, for the overview: `width` by `height`, without a window. */
export function overviewPath(track: Track, path: readonly Stay[], lanes: number, width: number, height: number): string {
  const scale = width / Math.max(1, track.last - (track.turns[0]?.first ?? 0));
  const zero = track.turns[0]?.first ?? 0;
  const y = (lane: number): string => (((lane + 0.5) / Math.max(1, lanes)) * height).toFixed(1);
  return path.reduce((text, stay, place) => {
    const end = ((stay.to - zero) * scale).toFixed(1);
    return text + (place ? `V${y(stay.lane)}H${end}` : `M${((stay.from - zero) * scale).toFixed(1)} ${y(stay.lane)}H${end}`);
  }, "");
}
