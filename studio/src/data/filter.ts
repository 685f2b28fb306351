import type { ConversationSummary } from "../api/types";

export type Filter = "all" | "waiting" | "person";

export const FILTERS: readonly [Filter, string][] = [
  ["all", "All"],
  ["waiting", "Waiting"],
  ["person", "Person"],
];

/** Whether a conversation belongs to a filter, which is a status of the server or `all`. */
export const passes = (row: ConversationSummary, filter: Filter): boolean => filter === "all" || row.status === filter;
