// The queue of an operator: who waits, in which group, and how late.

import type { ConversationSummary, Waiting } from "../api/types";

/** What is shown: those who wait, those with a person, or those of one queue. */
export type Filter = { kind: "waiting" } | { kind: "taken" } | { kind: "queue"; name: string };

export interface Row {
  readonly summary: ConversationSummary;
  readonly why: string;
  readonly known: Waiting["known"];
  readonly dueMs: number | null;
}

/** The live rows with what only the queue of the server knows of them. */
export function rowsOf(live: readonly ConversationSummary[], queue: readonly Waiting[]): Row[] {
  const known = new Map(queue.map((one) => [one.conversation.id, one]));
  return live.map((summary) => {
    const own = known.get(summary.id);
    return { summary, why: own?.why || summary.person?.about || "", known: own?.known ?? [], dueMs: own?.due_ms ?? null };
  });
}

export const isTaken = ({ summary }: Row): boolean => Boolean(summary.person?.operator);

export function filtered(rows: readonly Row[], filter: Filter): Row[] {
  if (filter.kind === "taken") return rows.filter(isTaken);
  const waiting = rows.filter((row) => !isTaken(row));
  return filter.kind === "queue" ? waiting.filter(({ summary }) => summary.person?.queue === filter.name) : waiting;
}

/** The queues in which somebody waits, with their numbers. */
export function queuesOf(rows: readonly Row[]): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const row of rows) if (!isTaken(row)) counts.set(row.summary.person?.queue ?? "", (counts.get(row.summary.person?.queue ?? "") ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

/** A row is late when the wait that the flow allows is over, and nearly so in its last fifth. */
export function lateness({ summary, dueMs }: Row, now: number): { late: number; left: number; isNear: boolean } | null {
  const since = summary.person?.since_ms;
  if (dueMs === null || since === undefined) return null;
  const left = dueMs - now;
  return { late: Math.max(0, -left), left: Math.max(0, left), isNear: left > 0 && left < (dueMs - since) / 5 };
}
