import { useEffect, type RefObject } from "react";
import { getSettings, setSettings } from "../data/settings";
import { conversations } from "../data/conversations";
import { storedTurn } from "../data/transcript";
import { announce } from "../data/announce";
import { getLayout, setLayout, type Pane } from "../data/layout";
import { conversationRoute, currentRoute, moveTo, navigate } from "../data/route";
import { Store, useStore } from "../data/store";
import { t } from "../i18n/t";

/** A question as the address holds it: a subject, `to:NODE` for ways to a node, `against:ID#TURN` for a comparison. */
export type Question = { kind: "why"; subject: string } | { kind: "to"; node: string } | { kind: "against"; conversation: string; turn: number | null };

export function parseQuestion(text: string): Question {
  if (text.startsWith("to:")) return { kind: "to", node: text.slice(3) };
  if (!text.startsWith("against:")) return { kind: "why", subject: text };
  const [, conversation = "", turn] = /^against:(.*?)(?:#(\d+))?$/.exec(text) ?? [];
  return { kind: "against", conversation, turn: turn ? Number(turn) : null };
}

export function formatQuestion(question: Question): string {
  if (question.kind === "why") return question.subject;
  if (question.kind === "to") return `to:${question.node}`;
  return `against:${question.conversation}${question.turn ? `#${question.turn}` : ""}`;
}

/** Whether there is enough of a question to send it. */
export function isComplete(question: Question): boolean {
  if (question.kind === "to") return question.node !== "";
  return question.kind === "why" || question.conversation !== "" || question.turn !== null;
}

/** The text of the question whose answer takes the focus when it is there; `null` for none. */
const focus = new Store<{ wanted: string | null }>({ wanted: null });
export const useFocusWanted = (): string | null => useStore(focus, ({ wanted }) => wanted);
export const answerHasFocus = (): void => focus.set({ wanted: null });

const FIELD = " field";

/** Show the form for a question, with the focus in it. */
export function openForm(): void {
  moveTo({ tab: "ask", whatIf: false });
  setLayout({ isPersonOpen: false });
  focus.set({ wanted: FIELD });
}

/** Move the focus into the form when it was opened by a key. */
export function useFocusInForm(form: RefObject<HTMLElement | null>): void {
  const wanted = useFocusWanted();
  useEffect(() => {
    if (wanted !== FIELD) return;
    answerHasFocus();
    form.current?.querySelector<HTMLElement>("input, .targets button")?.focus();
  }, [wanted, form]);
}

let paneBefore: Pane | null = null;

/**
 * Ask why something is as it is, at the end of a turn, by default of that at the position. The debug panel shows the
 * answer, which takes the focus. Each question is an entry of the history, so that Back leads to the one before.
 */
export function askWhy(question: string, { turn, of = null }: { turn?: number; of?: string | null } = {}): void {
  if (currentRoute().page !== "conversation" && of) navigate({ ...conversationRoute(of), turn: turn ?? null });
  const { pane } = getLayout();
  if (pane !== "why") paneBefore = pane;
  moveTo({ tab: "ask", ask: question, whatIf: false, ...(turn === undefined ? {} : placeOf(turn)) }, { isStep: true });
  setLayout({ pane: "why", isPersonOpen: false, dialog: null });
  if (!getSettings().hasPanel) setSettings({ hasPanel: true });
  focus.set({ wanted: question });
  announce(t("Asked why: {x}", { x: question || t("this turn") }));
}

/** The address of a turn; the last one is live. */
export function placeOf(turn: number): { turn: number | null; decision: null } {
  const route = currentRoute();
  const data = route.page === "conversation" ? conversations.get().byId[route.id] : undefined;
  return { turn: data && turn >= storedTurn(data) ? null : turn, decision: null };
}

/** Move the playhead to a turn, so that Back returns. The link may be gone then: the answer takes the focus. */
export function showTurn(turn: number): void {
  moveTo(placeOf(turn), { isStep: true });
  const route = currentRoute();
  if (route.page === "conversation") focus.set({ wanted: route.ask });
}

/** On a phone: the way back from the questions leads to the pane in which the first one was asked. */
export function followBack(): void {
  const route = currentRoute();
  if (route.page !== "conversation") return;
  if (route.tab === "ask") setLayout({ pane: "why" });
  else if (paneBefore) {
    setLayout({ pane: paneBefore });
    paneBefore = null;
  }
}
