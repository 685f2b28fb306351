import { useId } from "react";
import type { FormView, Message } from "../api/types";
import { useConversationId } from "../data/hooks";
import { Blocked, isAnswer, press } from "./Answers";
import { t } from "../i18n/t";

/** Which answer to change: each with its value now. Answers that do not count are grey, with the reason. */
export function EditChooser({ message, form, isOpen, answer, blocked }: { message: Message; form: FormView; isOpen: boolean; answer: string; blocked: string }) {
  const id = useConversationId();
  const reason = useId();
  const inactive = form.items.filter((item) => item.state === "inactive");
  return (
    <div className="choose" role="group" aria-label={t("Answers to change")} aria-describedby={blocked ? reason : undefined}>
      {message.buttons.map((button, index) => {
        const item = form.items.find((one) => one.field === button.value || one.title === button.label);
        return (
          <button key={button.value} type="button" disabled={!isOpen} className={!isOpen && isAnswer(answer, button) ? "was" : ""} onClick={() => id && press(id, button, message.seq)}>
            <span className="k" aria-hidden="true">
              {index + 1}
            </span>
            <span>{button.label}</span>
            <b>{item?.answer}</b>
          </button>
        );
      })}
      {inactive.map((item) => (
        <div className="inactive" key={item.field}>
          <span className="k" aria-hidden="true">
            –
          </span>
          <span>
            {item.title} <small>{item.reason || t("does not count now")}</small>
          </span>
          <span>{item.answer}</span>
        </div>
      ))}
      <Blocked id={reason} reason={blocked} />
    </div>
  );
}
