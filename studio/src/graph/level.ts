// The levels of a flow's drawing: the flow itself, and what is inside of each scope.

import type { FlowPage, GraphLevel, GraphNode } from "../api/types";
import { isPlace } from "./kinds";

/** The name of a node among all nodes of its flow: `survey/ask`. */
export const addressOf = (node: GraphNode): string => node.address || node.name;

/** The scope around a node or scope: of `survey/quiz/ask` that is `survey/quiz`; empty for the flow. */
export const scopeAround = (address: string): string => address.slice(0, Math.max(0, address.lastIndexOf("/")));

/** The level of a scope; of one without a level, such as a form alone, the level around it. */
export function levelOf(page: FlowPage, scope: string): GraphLevel {
  const found = page.levels.find((level) => level.scope === scope);
  if (found) return found;
  return scope ? levelOf(page, scopeAround(scope)) : { scope: "", title: "", parent: null, graph: page.graph };
}

/** A level and those around it, the flow first. */
export function levelsTo(page: FlowPage, level: GraphLevel): readonly GraphLevel[] {
  return level.scope ? [...levelsTo(page, levelOf(page, level.parent ?? "")), level] : [level];
}

/** The nodes of all levels, each once. */
export function allNodes(page: FlowPage): readonly GraphNode[] {
  const known = new Map<string, GraphNode>();
  for (const { graph } of page.levels) for (const node of graph.nodes) if (isPlace(node) && !known.has(addressOf(node))) known.set(addressOf(node), node);
  return [...known.values()];
}

/** Whether a node is inside of a scope, at whatever depth. */
export const isInside = (address: string, scope: string): boolean => address.startsWith(`${scope}/`);
