import type { ReactNode } from "react";
import { useConversationId, useScope } from "../data/hooks";
import { t } from "../i18n/t";
import { askWhy } from "./question";
import { useSubjectWords } from "./subjects";
import "./askwhy.css";

type Props = {
  /** What is asked about, as the API takes it: `field user.age`. */
  subject: string;
  /** What the word *why?* refers to, for screen readers, where the name is not shown by it. */
  name?: string;
  /** The turn at whose end; by default that of the position. */
  turn?: number;
  /** Leaves the button out of the order of Tab, where another one leads to the same question. */
  isSkipped?: boolean;
  /** The word stands beside a verdict, a value or a question; beside anything else it comes with the pointer or the focus. */
  stands?: boolean;
  /** The name itself: it is then a part of the button. */
  children?: ReactNode;
};

/** Asks why a thing is as it is. The same word stands beside each name of the studio, where a reader may ask. */
export function AskWhy({ subject, name = "", turn, isSkipped = false, stands = false, children }: Props) {
  const mayAsk = useMayAsk();
  const of = useConversationId();
  if (!mayAsk) return children;
  return (
    <button type="button" className={stands ? "askwhy stands" : "askwhy"} tabIndex={isSkipped ? -1 : undefined} onClick={() => askWhy(subject, turn === undefined ? { of } : { turn, of })} data-ask={subject}>
      {name && !children && <span className="sr">{name}: </span>}
      {children} <span className="q">{t("why?")}</span>
    </button>
  );
}

/** Whether there is a conversation to ask about, and this reader may. */
export function useMayAsk(): boolean {
  const canDebug = useScope("debug:read");
  return useConversationId() !== null && canDebug;
}

/** A name inside of a text that asks. */
export function AskName({ subject, turn, isSkipped = false, children }: { subject: string; turn?: number | undefined; isSkipped?: boolean; children: ReactNode }) {
  const mayAsk = useMayAsk();
  const of = useConversationId();
  const words = useSubjectWords();
  if (!mayAsk) return children;
  return (
    <button type="button" className="askname" tabIndex={isSkipped ? -1 : undefined} onClick={() => askWhy(subject, turn === undefined ? { of } : { turn, of })} data-ask={subject} title={t("Why “{subject}”?", { subject: words(subject) })}>
      {children}
    </button>
  );
}
