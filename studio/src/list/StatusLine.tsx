import type { ReactNode } from "react";
import type { ConversationSummary } from "../api/types";
import { useNow } from "../app/clock";
import { sinceText, span } from "../app/words";
import { operatorName } from "../data/operator";
import { Icon } from "../ui/Icon";
import { inWords } from "../data/names";
import { headlineOf } from "../i18n/texts";
import { t } from "../i18n/t";

/** What a conversation does, in the words of the server, and when it goes on by itself. */
export function StatusLine({ summary, isWriting = false }: { summary: ConversationSummary; isWriting?: boolean }) {
  const now = useNow(10_000);
  const writing = isWriting || (summary.status === "working" && summary.waits_for === "model");
  const [icon, words] = writing ? [<i key="i" className="dot small" />, t("A model is writing")] : statusOf(summary, now);
  return (
    <span className="s">
      {icon}
      <span>{words}</span>
    </span>
  );
}

function statusOf(summary: ConversationSummary, now: number): [ReactNode, string] {
  const [icon, words] = standingOf(summary, now);
  if (summary.marks.includes("guard_error")) return [<Icon key="i" name="error" />, t("Guard in error. {words}", { words })];
  if (summary.marks.includes("code_differs")) return [<Icon key="i" name="differs" />, t("Code differs. {words}", { words })];
  return [icon, words];
}

function standingOf(summary: ConversationSummary, now: number): [ReactNode, string] {
  const words = headlineOf(summary) || plainWords(summary);
  const { person } = summary;
  if (person) return [<Icon key="i" name="person" />, sinceText(words, person.operator ? (person.taken_ms ?? person.since_ms) : null)];
  if (summary.status === "failed") return [<Icon key="i" name="error" />, words];
  if (summary.status === "working") return [<i key="i" className="dot small" />, words];
  const timer = summary.timers.reduce((least, one) => Math.min(least, one.due_ms), Infinity);
  const next = summary.next_schedule;
  if (next && next.at_ms > now && next.at_ms < timer) return [<Icon key="i" name="clock" className="muted" />, t("{words}, {name} in {duration}", { words, name: inWords(next.name), duration: span(next.at_ms - now) })];
  if (timer !== Infinity && timer > now) return [<Icon key="i" name="clock" className="muted" />, t("{words}, timer in {duration}", { words, duration: span(timer - now) })];
  return [null, words];
}

/** What the user of a conversation sees of it, who is sent no headline. */
function plainWords({ person, status, outcome }: ConversationSummary): string {
  if (person) return person.operator ? t("With {person}", { person: operatorName(person) }) : t("Waits for a person");
  if (status === "ended") return outcome ? `Ended: ${outcome}` : t("Ended");
  return { failed: t("Failed"), working: t("Works"), waiting: t("Waits"), person: t("Waits for a person") }[status];
}
