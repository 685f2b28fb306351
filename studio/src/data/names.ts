// What conversations, flows and nodes are called, wherever the page names one of them.

import type { ConversationSummary } from "../api/types";
import { conversations, useConversationData } from "./conversations";
import { getSummary, useSummary } from "./list";

type Named = Pick<ConversationSummary, "flow" | "flow_title" | "node" | "node_title">;

/** What a conversation is called; its id where the server gives no name, as to its user. */
export function useName(id: string): string {
  const listed = useSummary(id)?.name;
  const open = useConversationData(id)?.summary?.name;
  return open || listed || id;
}

/** The same outside of components. */
export const nameOf = (id: string): string => conversations.get().byId[id]?.summary?.name || getSummary(id)?.name || id;

/** What a flow is called: its title, else its name in words. */
export const flowTitle = ({ flow, flow_title }: Pick<Named, "flow" | "flow_title">): string => flow_title || inWords(flow);

/** What a node is called: its title, else its name in words. */
export const nodeTitle = ({ node, node_title }: Pick<Named, "node" | "node_title">): string => node_title || inWords(node.split("/").at(-1) ?? node);

/** A name of a document in words: `health_intake` is *Health intake*. */
export function inWords(name: string): string {
  const words = name.replace(/[_.]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
