import type { ConversationSummary } from "../api/types";
import { momentText } from "../panel/format";
import { t } from "../i18n/t";

/** A span of time as people say it: `12 s`, `4 min`, `3 h`, `2 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t("{minutes} min", { minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} ${t("h")}` : `${Math.floor(hours / 24)} ${t("d")}`;
}

const WAITS: Record<ConversationSummary["waits_for"], string> = {
  approval: t("waiting for an approval"),
  button: t("waiting for a button"),
  continuation: t("working by itself"),
  journal: t("storing"),
  message: t("waiting for a message"),
  model: t("model is writing"),
  tool: t("a tool is working"),
  understanding: t("understanding the message"),
  user: t("waiting for a message"),
  person: t("waiting for a person"),
  "": t("waiting"),
};

/** What a conversation waits for, in words. */
export function waitWords(summary: ConversationSummary): string {
  if (summary.status === "working" && summary.waits_for === "") return t("working");
  return WAITS[summary.waits_for] ?? t("waiting");
}

/** A headline with since when that is so, in the time of the reader. */
export const sinceText = (headline: string, since_ms: number | null): string => (since_ms ? t("{headline} since {time}", { headline, time: momentText(since_ms) }) : headline);
