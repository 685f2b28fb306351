import { announce } from "../data/announce";
import { setLayout } from "../data/layout";
import { moveTo } from "../data/route";

/** A question as the address holds it: a subject, `to:NODE` for ways to a node, `against:ID` for a comparison. */
export type Question = { kind: "why"; subject: string } | { kind: "to"; node: string } | { kind: "against"; conversation: string; turn: number | null };

export function parseQuestion(text: string): Question {
  if (text.startsWith("to:")) return { kind: "to", node: text.slice(3) };
  if (!text.startsWith("against:")) return { kind: "why", subject: text };
  const [, conversation = "", turn] = /^against:(.*?)(?:#(\d+))?$/.exec(text) ?? [];
  return { kind: "against", conversation, turn: turn ? Number(turn) : null };
}

/** Ask why something is as it is: the debug panel shows the answer. */
export function askWhy(question: string): void {
  moveTo({ tab: "ask", ask: question, whatIf: false });
  setLayout({ pane: "why", isPersonOpen: false });
  announce(`Asked why: ${question || "this turn"}`);
}
