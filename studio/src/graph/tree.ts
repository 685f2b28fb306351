// The outline: the flow as a tree of text, nodes with the transitions that leave them.

import type { GraphEdge, GraphNode, GraphView } from "../api/types";
import { isPlace } from "./kinds";

export interface Branch {
  readonly node: GraphNode;
  readonly edges: readonly GraphEdge[];
  /** The outcome with which the flow ends here, empty if it does not. */
  readonly ends: string;
}

/** The nodes in the order of the flow, and last the transitions that leave every node. */
export function treeOf(view: GraphView): Branch[] {
  const names = new Map(view.nodes.map((node) => [node.id, node]));
  const branches = view.nodes
    .filter((node) => isPlace(node) || node.kind === "any")
    .map((node) => {
      const leaving = view.edges.filter((edge) => edge.source === node.id);
      const end = leaving.find((edge) => edge.action === "end" && !edge.transition);
      return { node, edges: leaving.filter((edge) => edge.transition), ends: (end && names.get(end.target)?.name) || "" };
    });
  return [...branches.filter((branch) => branch.node.kind !== "any"), ...branches.filter((branch) => branch.node.kind === "any" && branch.edges.length > 0)];
}

/** The branches that match a search: a node with all of its transitions, or the transitions that match. */
export function searched(branches: readonly Branch[], text: string): Branch[] {
  const words = text.trim().toLowerCase();
  if (!words) return [...branches];
  return branches.flatMap((branch) => {
    if (branch.node.name.toLowerCase().includes(words)) return [branch];
    const edges = branch.edges.filter((edge) => `${edge.transition} ${edge.because ?? ""}`.toLowerCase().includes(words));
    return edges.length ? [{ ...branch, edges }] : [];
  });
}
