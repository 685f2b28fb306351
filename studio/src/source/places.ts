// Where the parts of a flow stand in its documents, and which part stands at a line.

import type { FlowPage, GraphEdge, GraphNode } from "../api/types";
import type { Selection } from "../graph/context";
import { isPlace } from "../graph/kinds";
import { addressOf } from "../graph/level";
import { blockEnd, type Format } from "./blocks";

/** A node or transition in a document; `scope` is the level of the drawing that shows it. */
export interface PlacedPart {
  readonly scope: string;
  readonly selection: Selection;
  readonly node: GraphNode | null;
  readonly edge: GraphEdge | null;
  readonly file: string;
  readonly line: number;
}

/** Every node and transition whose line is known, in the order of files and lines; each once. */
export function placedParts(page: FlowPage): PlacedPart[] {
  const found = new Map<string, PlacedPart>();
  for (const { scope, graph } of page.levels) {
    for (const node of graph.nodes) {
      if (!isPlace(node) || !node.line) continue;
      const id = addressOf(node);
      const key = `node ${id}`;
      if (!found.has(key)) found.set(key, { scope, selection: { kind: "node", id }, node, edge: null, file: node.file, line: node.line });
    }
    for (const edge of graph.edges) {
      if (!edge.line || !edge.transition) continue;
      const key = `edge ${scope} ${edge.node} ${edge.moment} ${edge.transition}`;
      if (!found.has(key)) found.set(key, { scope, selection: { kind: "edge", id: edge.id }, node: null, edge, file: edge.file, line: edge.line });
    }
  }
  return [...found.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** The innermost part around a line of a document; in the line in which a node and a transition begin, as in `a -> b`, the transition. */
export function partAt(parts: readonly PlacedPart[], file: string, line: number, lines: readonly string[], format: Format): PlacedPart | null {
  let best: PlacedPart | null = null;
  for (const part of parts) {
    if (part.file !== file || part.line > line) continue;
    if (line > blockEnd(lines, part.line, format)) continue;
    if (!best || part.line > best.line || (part.line === best.line && part.edge && best.node && part.line === line)) best = part;
  }
  return best;
}

/** The place of a node, or of a transition of a decision. */
export function placeOf(parts: readonly PlacedPart[], selection: { kind: "node"; id: string } | { kind: "edge"; node: string; transition: string; moment?: string }): PlacedPart | null {
  if (selection.kind === "node") return parts.find((part) => part.node && part.selection.id === selection.id) ?? null;
  const own = parts.filter((part) => part.edge?.transition === selection.transition);
  const exact = own.filter((part) => part.edge!.node === selection.node);
  const ofMoment = exact.find((part) => !selection.moment || part.edge!.moment === selection.moment);
  return ofMoment ?? exact[0] ?? own.find((part) => !part.edge!.node) ?? null;
}
