import { t } from "../i18n/t";

// The input of a schedule for a period, as a person edits it.

/** What is being edited; `isSet` where a program or a person has set it before. */
export type InputDraft = { period: string; text: string; isSet: boolean };

/** The input that a draft means, or what is wrong with it. */
export function inputOf({ period, text }: InputDraft): { input: Record<string, unknown> } | { problem: string } {
  if (!period.trim()) return { problem: t("Name the period: a day, a week, a month, a year, or default") };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { problem: t("This is no JSON: {x}", { x: error instanceof Error ? error.message : t("it cannot be read") }) };
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) return { problem: t("An input has names and values: {\"topic\": \"the verbs\"}") };
  return { input: data as Record<string, unknown> };
}
