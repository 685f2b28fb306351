import type { ActivityView, EventRow, Message, Seam } from "../api/types";
import { getSettings } from "../data/settings";
import { sinceText } from "../app/words";
import { language } from "./t";

/** What a conversation does, in the language of the page and the time of the reader; empty where nothing is open. */
export const activityText = (activity: ActivityView | null): string => sinceText(activity?.texts?.[language()] ?? "", activity?.since_ms ?? null);

/** What a decision, or an act of a person, came to, and why, in the language of the page. */
export const verdictWords = (seam: Seam): { headline: string; reason: string } => {
  const found = seam.words?.[language()] ?? seam.words?.en;
  return { headline: found?.headline ?? seam.text, reason: found?.reason ?? "" };
};

/** The same in one line. */
export function verdictLine(seam: Seam): string {
  const { headline, reason } = verdictWords(seam);
  return reason ? `${headline}: ${reason}` : headline;
}

/** A line of the system, in the language of the page. */
export const systemText = (message: Message): string => (hasTitles() || message.texts?.["en"] === message.text ? message.texts?.[language()] : undefined) ?? message.text;

/** The same in short, for a row of a list. */
export const headlineOf = (summary: { headline: string; headlines?: Record<string, string> }): string => summary.headlines?.[language()] ?? summary.headline;

/** Whether the server writes titles in place of ids in the sentences of answers. */
export const hasTitles = (): boolean => !getSettings().isTechnical;

/** What an event did, in one line in the language of the page. */
export const eventLine = (event: EventRow): string => (hasTitles() ? event.lines?.[language()] : undefined) ?? event.line;

/** The language of sentences that the server has in English only, where the page is in another one. */
export const ofServer = (): string | undefined => (language() === "en" ? undefined : "en");
