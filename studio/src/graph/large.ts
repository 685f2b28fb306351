// Flows that are too large to be read at once: a part of the drawing, and what of it is shown.

import type { GraphEdge, GraphLevel, GraphNode } from "../api/types";
import { Store, useStore } from "../data/store";
import { isPlace, LARGE } from "./kinds";
import type { Box } from "./layout";
import type { Point } from "./lines";
import { addressOf, isInside } from "./level";

export const placesOf = (level: GraphLevel): number => level.graph.nodes.filter(isPlace).length;
export const isLarge = (level: GraphLevel): boolean => placesOf(level) > LARGE;

/**
 * How much of a large drawing is shown, and whether it follows the playhead. `around` is a node that was chosen on the
 * map, in place of the current one; `seen` the part of the whole drawing that is in view, `wanted` a place to move to.
 */
export interface Extent {
  readonly isWhole: boolean;
  readonly follows: boolean;
  readonly around: string;
  readonly seen: Box | null;
  readonly wanted: Point | null;
}

const extent = new Store<{ now: Extent }>({ now: { isWhole: false, follows: true, around: "", seen: null, wanted: null } });
export const useExtent = (): Extent => useStore(extent, ({ now }) => now);
export const setExtent = (change: Partial<Extent>): void => extent.set(({ now }) => ({ now: { ...now, ...change } }));

/** A part of a level, with the row of each of its nodes: -1 is one step back, 0 is here, 1 and 2 are ahead. */
export interface Neighbourhood {
  readonly level: GraphLevel;
  readonly ranks: Readonly<Record<string, number>>;
  /** How many nodes are further away. */
  readonly further: number;
}

/** So many nodes one step back, and two steps ahead, can be read beside each other. */
const MOST_BACK = 8;
const MOST_SECOND = 12;
/** So many transitions of the whole flow are drawn as ways out of a node. */
const MOST_FROM_ANY = 6;

/** What is around a node: one step back, two steps ahead; `null` where the level does not have it. */
export function neighbourhood(level: GraphLevel, here: string): Neighbourhood | null {
  const { nodes, edges } = level.graph;
  const middle = nodes.find((node) => isPlace(node) && (addressOf(node) === here || isInside(here, addressOf(node))));
  if (!middle) return null;
  const ranks = new Map<string, number>([[middle.id, 0]]);
  const rank = (ids: readonly string[], at: number) => ids.forEach((id) => ranks.has(id) || ranks.set(id, at));
  rank(edges.filter((edge) => edge.source === middle.id).map((edge) => edge.target), 1);
  const everywhere = nodes.filter((node) => node.kind === "any").map((node) => node.id);
  const ofAll = edges.filter((edge) => everywhere.includes(edge.source));
  if (ofAll.length && ofAll.length <= MOST_FROM_ANY) {
    rank(everywhere.filter((id) => ofAll.some((edge) => edge.source === id)), 0);
    rank(ofAll.map((edge) => edge.target), 1);
  }
  const back = edges.filter((edge) => edge.target === middle.id && !ranks.has(edge.source)).map((edge) => edge.source);
  rank([...new Set(back)].slice(0, MOST_BACK), -1);
  const ahead = new Set([...ranks].filter(([, at]) => at === 1).map(([id]) => id));
  const second = edges.filter((edge) => ahead.has(edge.source) && !ranks.has(edge.target)).map((edge) => edge.target);
  rank([...new Set(second)].slice(0, MOST_SECOND), 2);
  const isDrawn = ({ source, target }: GraphEdge): boolean => {
    const [from, to] = [ranks.get(source), ranks.get(target)];
    if (from === undefined || to === undefined) return false;
    return source === middle.id || target === middle.id || to - from === 1;
  };
  const graph = { nodes: nodes.filter(({ id }) => ranks.has(id)).map((node): GraphNode => ({ ...node, parent: "" })), edges: edges.filter(isDrawn), clusters: [] };
  return { level: { ...level, scope: `${level.scope} around ${middle.id}`, graph }, ranks: Object.fromEntries(ranks), further: placesOf(level) - graph.nodes.filter(isPlace).length };
}
