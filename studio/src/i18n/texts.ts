import type { ActivityView } from "../api/types";
import { language } from "./t";

/** What a conversation does, in the language of the page; empty where nothing is open. */
export const activityText = (activity: ActivityView | null): string => activity?.texts?.[language()] ?? activity?.text ?? "";

/** The same in short, for a row of a list. */
export const headlineOf = (summary: { headline: string; headlines?: Record<string, string> }): string => summary.headlines?.[language()] ?? summary.headline;

/** The language of sentences that the server has in English only, where the page is in another one. */
export const ofServer = (): string | undefined => (language() === "en" ? undefined : "en");
