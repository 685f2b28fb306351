// A part of a large drawing: what is selected, one step back and one step on.

import type { GraphLevel } from "../api/types";
import type { Selection } from "./context";
import { addressOf } from "./level";

/** The neighbourhood of a node, or of the node that a transition leaves; `null` if the level has no such part. */
export function near(level: GraphLevel, selection: Selection): GraphLevel | null {
  const { nodes, edges } = level.graph;
  const edge = selection.kind === "edge" ? edges.find(({ id }) => id === selection.id) : undefined;
  const middle = edge?.source ?? nodes.find((node) => selection.kind === "node" && addressOf(node) === selection.id)?.id;
  if (!middle) return null;
  const own = edges.filter(({ source, target }) => source === middle || target === middle);
  const kept = new Set([middle, ...own.flatMap(({ source, target }) => [source, target])]);
  const graph = { nodes: nodes.filter(({ id }) => kept.has(id)).map((node) => ({ ...node, parent: "" })), edges: own, clusters: [] };
  return { ...level, scope: `${level.scope} near ${middle}`, graph };
}
