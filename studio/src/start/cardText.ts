import type { FlowSummary } from "../api/types";
import { language } from "../i18n/t";
import { ofServer } from "../i18n/texts";

/** A text of a card in the language of the page, with the language that it is in where that is another one. */
export function cardText(flow: FlowSummary, text: string): { text: string; lang: string | undefined } {
  const found = flow.texts?.[language()]?.[text];
  return found ? { text: found, lang: undefined } : { text, lang: text ? ofServer() : undefined };
}
