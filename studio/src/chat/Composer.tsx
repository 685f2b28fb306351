import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { FormView } from "../api/types";
import { useAction } from "../data/actions";
import { useSending } from "../data/conversations";
import { useConversation, useMe } from "../data/hooks";
import { useLayout } from "../data/layout";
import { operatorName, useOperator } from "../data/operator";
import { canFollow, sendAsOperator, sendTurn } from "../data/sending";
import { Icon } from "../ui/Icon";
import { keepDraft, readDraft } from "./drafts";
import { Ended } from "./Ended";
import { FormProgress } from "./FormProgress";

/** The field to write in, with the progress of a form above and undo below. */
export function Composer({ id, form, formName, hasButtons }: { id: string; form: FormView | null; formName: string; hasButtons: boolean }) {
  const conversation = useConversation();
  const status = conversation?.summary?.status;
  return (
    <div className="comp">
      <div>
        {form && status !== "ended" && <FormProgress form={form} name={formName} />}
        {status === "ended" && conversation?.summary ? <Ended summary={conversation.summary} /> : <Field id={id} hasForm={form !== null} hasButtons={hasButtons} />}
      </div>
    </div>
  );
}

function Field({ id, hasForm, hasButtons }: { id: string; hasForm: boolean; hasButtons: boolean }) {
  const [text, setText] = useState(() => readDraft(id));
  const field = useRef<HTMLTextAreaElement>(null);
  const sending = useSending(id);
  const conversation = useConversation();
  const me = useMe();
  const most = me.data?.limits.message_chars || Infinity;
  const length = Array.from(text).length;
  const isHeldUp = !canFollow(sending, conversation?.messages ?? []);
  const canSend = text.trim() !== "" && !isHeldUp && length <= most;
  const { isPersonOpen } = useLayout();
  const [speaksAsUser, setSpeaksAsUser] = useState(false);
  const ownName = useOperator();
  const inCharge = conversation?.summary?.person?.operator ?? "";
  const operator = isPersonOpen && inCharge === ownName ? operatorName(conversation?.summary?.person) : "";
  const isOperator = operator !== "" && !speaksAsUser;
  useAction("focus-message", () => field.current?.focus());
  useEffect(() => keepDraft(id, text), [id, text]);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "30px";
    area.style.height = `${Math.min(190, Math.max(30, area.scrollHeight))}px`;
  }, [text]);
  const send = () => {
    if (!canSend) return;
    const words = text;
    setText("");
    void (isOperator ? sendAsOperator(id, words, operator) : sendTurn(id, { text: words })).then((isTaken) => {
      if (!isTaken) setText((now) => now || words);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  const person = conversation?.summary?.person;
  let placeholder = hasForm ? "Answer in your own words" : "Write as the user";
  if (isOperator) placeholder = `Write as ${operator}`;
  else if (person?.operator) placeholder = `Write as the user to ${operatorName(person)}`;
  else if (hasButtons) placeholder = innerWidth < 760 ? "Press a button or type" : "Press a button, or answer in your own words";
  return (
    <>
      <form
        className="box"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea ref={field} rows={1} value={text} aria-label={isOperator ? `Message as ${operator}` : "Message as the user"} placeholder={placeholder} onChange={(event) => setText(event.target.value)} onKeyDown={onKeyDown} />
        <button type="submit" className="btn solid icon" aria-label="Send" aria-disabled={!canSend}>
          <Icon name="send" />
        </button>
      </form>
      <div className="foot">
        {length > most ? (
          <span className="no">
            {length} characters; a message has at most {most}
          </span>
        ) : (
          <span>{isOperator ? "Enter sends to the user." : "Enter to send. Closing this page does not stop the turn."}</span>
        )}
        {operator ? (
          <button type="button" onClick={() => setSpeaksAsUser(!speaksAsUser)}>
            {isOperator ? "Write as the user" : `Write as ${operator}`}
          </button>
        ) : (
          <UndoButton id={id} isHeldUp={isHeldUp} />
        )}
      </div>
    </>
  );
}

function UndoButton({ id, isHeldUp }: { id: string; isHeldUp: boolean }) {
  const conversation = useConversation();
  const canUndo = (conversation?.messages.some((message) => !message.is_undone && (message.by === "user" || message.by === "button")) ?? false) && !isHeldUp;
  const undo = () => void sendTurn(id, { undo: {} }, "Undo turn");
  return (
    <button type="button" disabled={!canUndo} onClick={undo}>
      Undo turn
    </button>
  );
}
