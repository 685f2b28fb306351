// Which nodes of a drawing are nodes of the flow. Apart from the layout, so that the outline does not load its library.

import type { GraphNode } from "../api/types";

const MARKS: ReadonlySet<string> = new Set(["start", "end", "any", "stay", "code", "unknown"]);

/** True for a node that a conversation can be in, and not a mark such as the start. */
export function isPlace(node: GraphNode): boolean {
  return !MARKS.has(node.kind);
}

/** The text of a mark: `end: completed`, `any node`. */
export function markText(node: GraphNode): string {
  return node.kind === "end" ? `end: ${node.name}` : node.name;
}

/** A level with more nodes begins with the neighbourhood of the current one. */
export const LARGE = 30;
