// How the nodes and transitions of a flow stand at one moment of a conversation.

import { t } from "../i18n/t";
import type { EdgeHistory, GraphEdge } from "../api/types";
import { laneAfter, outcomeOf, type Decision, type Outcome, type Track } from "../timeline/decode";
import { scopeAround } from "./level";

/** How a transition stands: what became of it last, and when it was taken. */
export interface EdgeStanding {
  readonly outcome: Outcome | "none";
  /** The turn in which it was judged last, 0 where it was not. */
  readonly turn: number;
  /** The position of that decision. */
  readonly seq: number;
  /** True if the selected decision judged it. */
  readonly isNow: boolean;
  readonly taken: readonly number[];
  /** How often all conversations judged it, and how often it was never taken then. */
  readonly judged: number;
  readonly isNeverTrue: boolean;
}

/** How a node stands: the turns in which the conversation was in it. */
export interface NodeStanding {
  readonly turns: readonly number[];
  readonly isHere: boolean;
}

export interface Standing {
  readonly here: string;
  readonly node: (name: string) => NodeStanding;
  readonly edge: (edge: GraphEdge) => EdgeStanding;
}

/** A transition that was judged this often and never taken is worth a look. */
export const OFTEN = 10;

const NOT_JUDGED = { outcome: "none", turn: 0, seq: 0, isNow: false, taken: [] } as const;
const NO_VISIT: NodeStanding = { turns: [], isHere: false };

interface Judged {
  outcome: Outcome;
  turn: number;
  seq: number;
  isNow: boolean;
  taken: number[];
}

/** How everything stands at a decision, the selected one; `null` is the end of the conversation. */
export function standingAt(track: Track, selected: Decision | null, histories: readonly EdgeHistory[]): Standing {
  const until = selected?.seq ?? Infinity;
  const judged = judgedUntil(track, until, selected);
  const visits = visitsUntil(track, until);
  const here = nodeAt(track, selected);
  if (here) add(visits, here, selected?.turn ?? track.turns.at(-1)?.number ?? 0);
  const often = new Map(histories.map((one) => [key(one.node, one.moment, one.transition), one]));
  return {
    here,
    node: (name) => {
      const turns = visits.get(name);
      return turns ? { turns, isHere: name === here } : NO_VISIT;
    },
    edge: (edge) => edgeStanding(edge, judged, often),
  };
}

/** The node in charge after a decision. */
export function nodeAt(track: Track, selected: Decision | null): string {
  if (selected) return track.lanes[laneAfter(track, selected)] ?? "";
  const last = track.turns.findLast((turn) => !turn.isUndone);
  return track.lanes[last?.lane ?? -1] ?? "";
}

function judgedUntil(track: Track, until: number, selected: Decision | null): Map<string, Judged> {
  const found = new Map<string, Judged>();
  for (const decision of track.decisions) {
    if (decision.seq > until) break;
    const node = track.lanes[decision.lane] ?? "";
    decision.candidates.forEach((candidate, place) => {
      const isNow = decision.seq === selected?.seq;
      // what was not judged again keeps its earlier outcome, but at the position it says so
      if (decision.outcomes[place] === "-" && !isNow) return;
      const outcome = outcomeOf(decision, place);
      const at = key(node, decision.moment, candidate);
      const taken = found.get(at)?.taken ?? [];
      if (outcome === "taken") taken.push(decision.turn);
      found.set(at, { outcome, turn: decision.turn, seq: decision.seq, isNow, taken });
    });
  }
  return found;
}

function visitsUntil(track: Track, until: number): Map<string, number[]> {
  const visits = new Map<string, number[]>();
  const undone = new Set(track.turns.filter((turn) => turn.isUndone).map((turn) => turn.number));
  let move = 0;
  let lane = -1;
  for (const turn of track.turns) {
    if (turn.first > until) break;
    if (lane < 0) lane = track.moves[move]?.[1] ?? turn.lane;
    const stays = !undone.has(turn.number);
    if (stays) add(visits, track.lanes[lane], turn.number);
    for (; move < track.moves.length; move += 1) {
      const [seq, , to] = track.moves[move]!;
      if (seq > turn.last || seq > until) break;
      if (to >= 0) lane = to;
      if (stays) add(visits, track.lanes[lane], turn.number);
    }
  }
  return visits;
}

/** A visit to a node, and to the scopes around it. */
function add(visits: Map<string, number[]>, name: string | undefined, turn: number): void {
  if (!name) return;
  add(visits, scopeAround(name), turn);
  const turns = visits.get(name);
  if (!turns) visits.set(name, [turn]);
  else if (turns.at(-1) !== turn) turns.push(turn);
}

function edgeStanding(edge: GraphEdge, judged: Map<string, Judged>, often: Map<string, EdgeHistory>): EdgeStanding {
  const own = matching(edge, judged);
  const all = matching(edge, often);
  const times = all.reduce((sum, one) => sum + one.judged, 0);
  const taken = all.reduce((sum, one) => sum + one.taken, 0);
  const last = own.reduce<Judged | null>((best, one) => (best && best.seq > one.seq ? best : one), null);
  const turns = [...new Set(own.flatMap((one) => one.taken))].sort((a, b) => a - b);
  return {
    ...(last ?? NOT_JUDGED),
    taken: turns,
    judged: times,
    isNeverTrue: times >= OFTEN && taken === 0,
  };
}

/** An edge of one node has one entry; an edge of the whole flow counts in each node, at every moment of its kind. */
function matching<T>(edge: GraphEdge, found: Map<string, T>): T[] {
  if (edge.node && edge.moment) {
    const one = found.get(key(edge.node, edge.moment, edge.transition));
    return one === undefined ? [] : [one];
  }
  const end = `\n${edge.transition}`;
  return [...found].filter(([name]) => name.endsWith(end)).map(([, one]) => one);
}

function key(node: string, moment: string, transition: string): string {
  return `${node}\n${moment}\n${transition}`;
}

/** `turn 3`, `turns 1, 2, 4`; long lists are shortened to ranges: `turns 1 to 9, 12`. */
export function turnsText(turns: readonly number[], most = 6): string {
  if (turns.length === 0) return "";
  if (turns.length === 1) return t("turn {n}", { n: turns[0] ?? 0 });
  const ranges = turns.length > 4 ? asRanges(turns) : turns.map(String);
  const shown = ranges.length > most ? ["…", ...ranges.slice(-most)] : ranges;
  return t("turns {list}", { list: shown.join(", ") });
}

function asRanges(turns: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const turn of turns) {
    const last = found.at(-1);
    if (last && last[1] + 1 === turn) last[1] = turn;
    else found.push([turn, turn]);
  }
  return found.flatMap(([from, to]) => (to - from < 2 ? (from === to ? [`${from}`] : [`${from}`, `${to}`]) : [`${from}–${to}`]));
}
