// What conversations, flows and nodes are called, wherever the page names one of them.

import type { ConversationSummary } from "../api/types";
import { conversations, useConversationData } from "./conversations";
import { getSummary, useList, useSummary } from "./list";

type Named = Pick<ConversationSummary, "flow" | "flow_title" | "node" | "node_title">;

/** What a conversation is called; its id where the server gives no name, as to its user. */
export function useName(id: string): string {
  const listed = useSummary(id)?.name;
  const open = useConversationData(id)?.summary?.name;
  return open || listed || id;
}

/** The same outside of components. */
export const nameOf = (id: string): string => conversations.get().byId[id]?.summary?.name || getSummary(id)?.name || id;

const MARK = 4;
const counted = new WeakMap<object, Map<string, number>>();

/** How often each name stands in the list. */
function countsOf(byId: Readonly<Record<string, ConversationSummary>>): Map<string, number> {
  const found = counted.get(byId) ?? new Map<string, number>();
  if (!counted.has(byId)) Object.values(byId).forEach(({ name }) => found.set(name, (found.get(name) ?? 0) + 1));
  counted.set(byId, found);
  return found;
}

/** The end of the id of a conversation that is called as another one of the list is; empty for one with a name of its own. */
export function useTwinMark(id: string, name: string): string {
  const isShared = (countsOf(useList().byId).get(name) ?? 0) > 1;
  return isShared && id.toLowerCase() !== name.toLowerCase() ? id.slice(-MARK) : "";
}

/** What a flow is called: its title, else its name in words. */
export const flowTitle = ({ flow, flow_title }: Pick<Named, "flow" | "flow_title">): string => flow_title || inWords(flow);

/** What a node is called: its title, else its name in words. */
export const nodeTitle = ({ node, node_title }: Pick<Named, "node" | "node_title">): string => node_title || inWords(node.split("/").at(-1) ?? node);

/** What an outcome is called, of a person, a scope or a conversation: its words, as they stand within a sentence. */
export const outcomeInWords = (outcome: string): string => outcome.replaceAll("_", " ");

/** A name of a document in words: `health_intake` is *Health intake*. */
export function inWords(name: string): string {
  const words = name.replace(/[_.]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
