import type { ConversationSummary } from "../api/types";
import { t } from "../i18n/t";

export type Filter = "all" | "waiting" | "person";

export const FILTERS: readonly [Filter, string][] = [
  ["all", t("All")],
  ["waiting", t("Waiting")],
  ["person", t("Person")],
];

/** Whether a conversation belongs to a filter, which is a status of the server or `all`. */
export const passes = (row: ConversationSummary, filter: Filter): boolean => filter === "all" || row.status === filter;
