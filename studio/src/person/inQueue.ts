import type { ConversationSummary, Waiting } from "../api/types";

/** Those who wait, the longest first, and those with a person. The list is live; the queue has those beyond its first page. */
export function inQueue(queue: readonly Waiting[], list: Readonly<Record<string, ConversationSummary>>): ConversationSummary[] {
  const known = new Map(queue.map(({ conversation }) => [conversation.id, conversation]));
  for (const one of Object.values(list)) {
    if ((known.get(one.id)?.seq ?? -1) <= one.seq) known.set(one.id, one);
  }
  return [...known.values()].filter((one) => one.person).sort((a, b) => Number(Boolean(a.person?.operator)) - Number(Boolean(b.person?.operator)) || (a.person?.since_ms ?? 0) - (b.person?.since_ms ?? 0));
}
