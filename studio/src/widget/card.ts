import type { Message } from "../api/types";
import { element } from "./elements";

/** The layout of a summary that the flow's language has; a summary that the flow words itself is shown as its text. */
const OWN_LAYOUT = /^#+ /;

/** The summary of a form as a card: each answer with what it is called, and the user's words where they say more. */
export function summaryCard(message: Message): HTMLElement | null {
  const { form, kind, text } = message;
  if (!form || kind !== "summary" || !OWN_LAYOUT.test(text)) return null;
  const card = element("div", "sum");
  const question = text.trim().split("\n").at(-1) ?? "";
  card.append(line("p", "ask", question.replace(/^[#*\s-]+/, "")));
  if (form.statement) card.append(line("p", "about", form.statement));
  const list = element("dl", "");
  for (const item of form.items) {
    if (item.state !== "answered" || !item.answer) continue;
    const row = element("div", "");
    const answer = line("dd", "", item.answer);
    if (item.words && item.words.toLowerCase() !== item.answer.toLowerCase() && !item.items) answer.append(" ", line("q", "", item.words));
    row.append(line("dt", "", item.label), answer);
    list.append(row);
  }
  card.append(list);
  return card;
}

function line(tag: "p" | "dt" | "dd" | "q", name: string, text: string): HTMLElement {
  const made = element(tag, name);
  made.textContent = text;
  return made;
}
