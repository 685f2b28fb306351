// What a node or transition shows: for a conversation its standing, for the flow page its coverage.

import { t, tn } from "../i18n/t";
import type { Coverage, GraphEdge, GraphNode } from "../api/types";
import type { IconName } from "../ui/icons";
import { OUTCOME_CLASS } from "../ui/OutcomeMark";
import { addressOf, isInside } from "./level";
import { OFTEN, type Standing } from "./standing";
import { edgeIcon, edgeWords, visitsText } from "./words";

export type LineLook = "taken" | "would" | "never" | "timer" | "plain";

export interface NodeShow {
  readonly text: string;
  readonly isVisited: boolean;
  readonly isHere: boolean;
  /** True for a scope that the conversation is inside of. */
  readonly isAround: boolean;
  /** A short word in the corner: `here`, `3 here`. */
  readonly tag: string;
}

export interface EdgeShow {
  readonly icon: IconName;
  /** The outcome in a word, with the class of its colour, and what else there is to know. */
  readonly word: string;
  readonly tone: string;
  readonly more: string;
  readonly line: LineLook;
  readonly isNow: boolean;
}

/** The move that a what-if would make. */
export interface Would {
  readonly node: string;
  readonly transition: string;
}

/** For a reader without `debug:read` the path is hidden; the list says in which node the conversation is. */
export interface Hidden {
  readonly here: string;
}

/** A transition of which this reader may not know what became of it. */
export function hiddenEdge(edge: GraphEdge): EdgeShow {
  return { icon: edge.is_timer ? "clock" : "none", word: "", tone: "muted", more: "", line: edge.is_timer ? "timer" : "plain", isNow: false };
}

/** A node at the position of the reader. */
export function showNode(node: GraphNode, standing: Standing, hidden: Hidden | null = null): NodeShow {
  const address = addressOf(node);
  const here = hidden ? hidden.here : standing.here;
  const [isHere, isAround] = [here === address, isInside(here, address)];
  const tag = isHere ? t("here") : isAround ? t("inside") : "";
  if (hidden) return { text: "", isVisited: isHere || isAround, isHere, isAround, tag };
  const { turns } = standing.node(address);
  return { text: visitsText({ turns, isHere }), isVisited: turns.length > 0, isHere, isAround, tag };
}

/** A transition at the position of the reader. */
export function showEdge(edge: GraphEdge, standing: Standing, would: Would | null): EdgeShow {
  const now = standing.edge(edge);
  if (wouldTake(would, edge)) return { icon: "taken", word: t("would be taken"), tone: "ok", more: "", line: "would", isNow: now.isNow };
  const outcome = !now.isNow && now.taken.length ? "taken" : now.outcome;
  const line = now.taken.length ? "taken" : now.isNeverTrue ? "never" : edge.is_timer ? "timer" : "plain";
  return { icon: edgeIcon(edge, now), ...edgeWords(edge, now), tone: OUTCOME_CLASS[outcome], line, isNow: now.isNow };
}

/** True if a what-if would take this transition. */
export function wouldTake(would: Would | null, edge: GraphEdge): boolean {
  return !!would && would.transition === edge.transition && (!edge.node || edge.node === would.node);
}

/** A node on the page of its flow: how many conversations were in it, and how many wait there. */
export function coveredNode(node: GraphNode, coverage: Coverage | null, parked: Readonly<Record<string, number>>): NodeShow {
  const address = addressOf(node);
  const within = (counts: Readonly<Record<string, number>>) => Object.entries(counts).reduce((sum, [name, count]) => (name === address || (node.kind === "scope" && isInside(name, address)) ? sum + count : sum), 0);
  const visited = coverage?.nodes[address] ?? 0;
  const waiting = within(parked);
  const text = visited ? tn(visited, "1 conversation", "{n} conversations") : t("never visited");
  return { text, isVisited: visited > 0, isHere: false, isAround: false, tag: waiting ? t("{waiting} here", { waiting }) : "" };
}

/** A transition on the page of its flow: how often it was judged and taken. */
export function coveredEdge(edge: GraphEdge, coverage: Coverage | null): EdgeShow {
  const { judged, taken } = countsOf(edge, coverage);
  const isNever = judged >= OFTEN && taken === 0;
  const line = taken ? "taken" : isNever ? "never" : edge.is_timer ? "timer" : "plain";
  const shared = { line, isNow: false } as const;
  if (taken) return { ...shared, icon: "taken", word: "taken", tone: "ok", more: t(" {taken} of {judged} times", { taken, judged }) };
  if (isNever) return { ...shared, icon: "unknown", word: t("never true"), tone: "unk", more: t(", 0 of {judged}", { judged }) };
  if (judged) return { ...shared, icon: "none", word: "", tone: "muted", more: tn(judged, "judged 1 time", "judged {n} times") };
  return { ...shared, icon: edge.is_timer ? "clock" : "none", word: "", tone: "muted", more: t("never judged") };
}

/** How often all stored conversations judged and took a transition. */
export function countsOf(edge: GraphEdge, coverage: Coverage | null): { judged: number; taken: number } {
  const own = (coverage?.edges ?? []).filter((one) => one.transition === edge.transition && (!edge.node || one.node === edge.node) && (!edge.node || !edge.moment || one.moment === edge.moment));
  return { judged: sum(own, "judged"), taken: sum(own, "taken") };
}

function sum(counts: readonly { readonly judged: number; readonly taken: number }[], key: "judged" | "taken"): number {
  return counts.reduce((total, one) => total + one[key], 0);
}
