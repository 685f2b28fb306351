import type { ConversationSummary } from "../api/types";
import { t } from "../i18n/t";

/** A span of time as people say it: `12 s`, `4 min`, `3 h`, `2 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t("{minutes} min", { minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

const WAITS: Record<ConversationSummary["waits_for"], string> = {
  approval: "waiting for an approval",
  button: "waiting for a button",
  continuation: "working by itself",
  journal: "storing",
  message: "waiting for a message",
  model: "model is writing",
  tool: "a tool is working",
  understanding: "understanding the message",
  user: "waiting for a message",
  person: "waiting for a person",
  "": "waiting",
};

/** What a conversation waits for, in words. */
export function waitWords(summary: ConversationSummary): string {
  if (summary.status === "working" && summary.waits_for === "") return t("working");
  return WAITS[summary.waits_for] ?? t("waiting");
}

/** A time of the day, in the reader's time zone: `10:13:25`. */
export const clockTime = (ms: number): string => new Date(ms).toLocaleTimeString("en-GB", { hour12: false });
