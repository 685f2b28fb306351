import type { ReactNode } from "react";
import type { ConversationSummary } from "../api/types";
import { useNow } from "../app/clock";
import { span } from "../app/words";
import { operatorName } from "../data/operator";
import { Icon } from "../ui/Icon";

/** Where a conversation is, and what it waits for, in one line. */
export function StatusLine({ summary, isWriting = false }: { summary: ConversationSummary; isWriting?: boolean }) {
  const now = useNow(10_000);
  const [icon, words] = isWriting ? [<i key="i" className="dot small" />, "model is writing"] : statusOf(summary, now);
  return (
    <span className="s">
      {icon}
      <code>{summary.node}</code>
      <span>{words}</span>
    </span>
  );
}

function statusOf(summary: ConversationSummary, now: number): [ReactNode, string] {
  const [icon, words] = standingOf(summary, now);
  if (summary.marks.includes("guard_error")) return [<Icon key="i" name="error" />, `guard error, ${words}`];
  if (summary.marks.includes("code_differs")) return [<Icon key="i" name="differs" />, `code differs, ${words}`];
  return [icon, words];
}

function standingOf(summary: ConversationSummary, now: number): [ReactNode, string] {
  if (summary.person) return [<Icon key="i" name="person" />, summary.person.operator ? `with ${operatorName(summary.person)}` : "waiting for a person"];
  if (summary.status === "failed") return [<Icon key="i" name="error" />, "failed"];
  if (summary.status === "ended") return [null, summary.outcome ? `ended: ${summary.outcome}` : "ended"];
  if (summary.status === "working") return [<i key="i" className="dot small" />, summary.waits_for === "model" ? "model is writing" : "working"];
  const timer = summary.timers.reduce((least, one) => Math.min(least, one.due_ms), Infinity);
  const next = summary.next_schedule;
  if (next && next.at_ms > now && next.at_ms < timer) return [<Icon key="i" name="clock" className="muted" />, `${next.name} in ${span(next.at_ms - now)}`];
  if (timer !== Infinity && timer > now) return [<Icon key="i" name="clock" className="muted" />, `timer in ${span(timer - now)}`];
  return [null, summary.waits_for === "button" ? "waiting for a button" : "waiting"];
}
