import type { ConversationSummary } from "../api/types";
import { passes, type Filter } from "../data/filter";
import { flowTitle } from "../data/names";

/** The rows that match, by flow: the flow that changed last first, in it the conversation that changed last. */
export function groupByFlow(all: readonly ConversationSummary[], filter: Filter, text: string): { flow: string; title: string; rows: ConversationSummary[] }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (row: ConversationSummary) => {
    const shown = `${row.id} ${row.name} ${row.flow} ${flowTitle(row)} ${row.node} ${row.node_title} ${row.headline} ${row.snippet} ${row.status} ${row.waits_for}`.toLowerCase();
    return passes(row, filter) && words.every((word) => shown.includes(word));
  };
  const groups = new Map<string, ConversationSummary[]>();
  for (const row of [...all].sort((a, b) => b.at_ms - a.at_ms || a.id.localeCompare(b.id))) {
    if (!matches(row)) continue;
    const group = groups.get(row.flow);
    if (group) group.push(row);
    else groups.set(row.flow, [row]);
  }
  return [...groups].map(([flow, rows]) => ({ flow, title: rows[0] ? flowTitle(rows[0]) : flow, rows }));
}
