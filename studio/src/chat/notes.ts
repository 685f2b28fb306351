import { t } from "../i18n/t";

const NOTES: Readonly<Record<string, string>> = {
  "not understood: the question is still open": t("Not understood: the question is still open"),
  "not interpreted while a person is in charge": t("Not interpreted while a person is in charge"),
};

/** What became of a message, in the language of the page; the words of a refusal are in that of the conversation. */
export const noteText = (note: string): string =>
  note
    .split("; ")
    .map((part) => NOTES[part] ?? part)
    .join("; ");
