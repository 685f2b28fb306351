// How much of a flow stored conversations have seen.

import type { FlowPage, GraphEdge } from "../api/types";
import { addressOf, allNodes } from "../graph/level";
import { countsOf } from "../graph/show";
import { edgeName, nodeName } from "../graph/words";
import { t } from "../i18n/t";

export interface Seen {
  readonly nodes: readonly [seen: number, all: number];
  readonly transitions: readonly [seen: number, all: number];
  readonly percent: number;
  readonly conversations: number;
  /** What was never visited or taken, in words. */
  readonly unseen: readonly string[];
}

/** The named transitions of a flow, each once. */
export function transitionsOf(page: FlowPage): GraphEdge[] {
  const known = new Set<string>();
  return page.graph.edges.filter((edge) => {
    const key = `${edge.node}\n${edge.moment}\n${edge.transition}`;
    if (!edge.transition || known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** Count the nodes that were visited and the transitions that were taken. */
export function seenOf(page: FlowPage): Seen {
  const nodes = allNodes(page);
  const visited = nodes.filter((node) => (page.coverage?.nodes[addressOf(node)] ?? 0) > 0);
  const transitions = transitionsOf(page);
  const taken = transitions.filter((edge) => countsOf(edge, page.coverage).taken > 0);
  const all = nodes.length + transitions.length;
  return {
    nodes: [visited.length, nodes.length],
    transitions: [taken.length, transitions.length],
    percent: all ? Math.round(((visited.length + taken.length) / all) * 100) : 0,
    conversations: page.coverage?.conversations ?? 0,
    unseen: [
      ...nodes.filter((node) => !visited.includes(node)).map((node) => t("step {name}", { name: nodeName(node) })),
      ...transitions.filter((edge) => !taken.includes(edge)).map((edge) => t("{transition} taken", { transition: edgeName(edge) })),
    ],
  };
}
