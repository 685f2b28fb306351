import { getSettings } from "../data/settings";

/** The languages of the page itself. What a conversation says is in the language of the conversation. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** How each language calls itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", de: "Deutsch" };

const isLanguage = (code: string): code is Language => LANGUAGES.some((one) => one === code);

/** The language that was chosen for this browser, else the first of the browser's that the page has. */
export function wantedLanguage(): Language {
  const chosen = getSettings().language;
  if (isLanguage(chosen)) return chosen;
  const known = (typeof navigator === "undefined" ? [] : navigator.languages).map((code) => code.split("-")[0]?.toLowerCase() ?? "");
  return known.find(isLanguage) ?? "en";
}
