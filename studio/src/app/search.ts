import { api } from "../api/calls";
import type { EventRow } from "../api/types";

const PAGE = 1000;
const MOST = 50_000;

/** All events of a conversation, page by page. */
export async function allEvents(id: string, signal: AbortSignal): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  let after = 0;
  while (!signal.aborted && rows.length < MOST) {
    const page = await api.events(id, after, PAGE);
    rows.push(...page.events);
    if (page.next === null) break;
    after = page.next;
  }
  return rows;
}

/** The events that contain every word, in their kind, their line or their data; the newest first, at most 50. */
export function matching(events: readonly EventRow[], text: string, most = 50): EventRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: EventRow[] = [];
  for (let at = events.length - 1; at >= 0 && found.length < most; at -= 1) {
    const row = events[at];
    if (!row) continue;
    const shown = `${row.seq} ${row.kind} ${row.line} ${JSON.stringify(row.event)}`.toLowerCase();
    if (words.every((word) => shown.includes(word))) found.push(row);
  }
  return found;
}
