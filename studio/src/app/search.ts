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

/**
 * The events that contain every word, in their kind, their line or their data; at most 50. Those in which each of the
 * words begins a word come before those that have one inside of another, as `message` has `age`; each the newest first.
 */
export function matching(events: readonly EventRow[], text: string, most = 50): EventRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [begun, within]: [EventRow[], EventRow[]] = [[], []];
  for (let at = events.length - 1; at >= 0 && begun.length < most; at -= 1) {
    const row = events[at];
    if (!row) continue;
    const shown = `${row.seq} ${row.kind} ${row.line} ${JSON.stringify(row.event)}`.toLowerCase();
    if (words.every((word) => shown.includes(word))) (words.every((word) => beginsWord(shown, word)) ? begun : within).push(row);
  }
  return [...begun, ...within].slice(0, most);
}

/** Whether a text occurs at the beginning of a word: after anything that is neither letter nor digit. */
function beginsWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return true;
  return false;
}
