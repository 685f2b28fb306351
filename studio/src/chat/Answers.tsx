import { useId, useState, type FormEvent } from "react";
import type { Button, FormView, Message } from "../api/types";
import { useConversationId } from "../data/hooks";
import { sendTurn } from "../data/sending";
import { EditChooser } from "./EditChooser";
import { SummaryCard } from "./SummaryCard";
import { t } from "../i18n/t";

export const OTHER = "other";

/** Press a button of the question that is open. */
export function press(id: string, button: Button, position: number): void {
  void sendTurn(id, { button: button.value, position }, button.label);
}

/** Whether a button was the answer: its label or its value is among the lines. */
export const isAnswer = (answer: string, button: Button): boolean => answer.split("\n").some((line) => line === button.label || line === button.value);

/** `blocked` is why nobody can answer the open question now. */
type Props = { message: Message; isOpen: boolean; answer: string; blocked: string };

/** The buttons of a message: a row, the summary card, or the chooser of answers. Only the open question's are live. */
export function Answers({ message, isOpen, answer, blocked }: Props) {
  const { form, kind } = message;
  if (form && kind === "summary") return <SummaryCard message={message} form={form} isOpen={isOpen} answer={answer} blocked={blocked} />;
  if (form && kind === "chooser") return <EditChooser message={message} form={form} isOpen={isOpen} answer={answer} blocked={blocked} />;
  return <ButtonRow message={message} isOpen={isOpen} answer={answer} form={form} blocked={blocked} />;
}

/** Says under the buttons of a question why they do nothing now. */
export function Blocked({ id, reason }: { id: string; reason: string }) {
  if (!reason) return null;
  return (
    <p className="note" id={id}>
      {reason}
    </p>
  );
}

/** Buttons in a row, numbered. *Other* is a text field in the row. */
export function ButtonRow({ message, isOpen, answer, form, blocked, hasPrimary = false }: Props & { form: FormView | null; hasPrimary?: boolean }) {
  const id = useConversationId();
  const reason = useId();
  if (!message.buttons.length) return null;
  const row = (
    <div className="opts" role="group" aria-label={t("Answers")} aria-describedby={blocked ? reason : undefined}>
      {message.buttons.map((button, index) => {
        if (button.value === OTHER && form?.free_text && isOpen && id) return <OtherField key={button.value} button={button} id={id} position={message.seq} number={index + 1} />;
        const wasPressed = !isOpen && isAnswer(answer, button);
        const classes = ["opt", hasPrimary && index === 0 && isOpen ? "pri" : "", wasPressed ? "was" : ""].filter(Boolean).join(" ");
        return (
          <button key={button.value} type="button" className={classes} disabled={!isOpen} onClick={() => id && press(id, button, message.seq)}>
            <span className="k" aria-hidden="true">
              {index + 1}
            </span>
            {button.label}
            {wasPressed && <span className="sr">{t(", pressed")}</span>}
          </button>
        );
      })}
    </div>
  );
  return (
    <>
      {row}
      <Blocked id={reason} reason={blocked} />
    </>
  );
}

function OtherField({ button, id, position, number }: { button: Button; id: string; position: number; number: number }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (!words) return;
    void sendTurn(id, { button: OTHER, position }, button.label).then((isTaken) => isTaken && sendTurn(id, { text: words }));
  };
  return (
    <form className="opt other" onSubmit={submit}>
      <span className="k" aria-hidden="true">
        {number}
      </span>
      <input type="text" data-other aria-label={t("{label}: an answer in your own words", { label: button.label })} placeholder={`${button.label}…`} value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="linkish" disabled={!text.trim()}>
        {t("Answer")}
      </button>
    </form>
  );
}
