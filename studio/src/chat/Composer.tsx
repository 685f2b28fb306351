import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { FormView } from "../api/types";
import { useAction } from "../data/actions";
import { announce } from "../data/announce";
import { useQueued, useSending } from "../data/conversations";
import { useConversation, useMe } from "../data/hooks";
import { useOperator } from "../data/operator";
import { canFollow, MOST_QUEUED, sendAsOperator, sendTurn } from "../data/sending";
import { GiveBackControl } from "../person/GiveBackControl";
import { useGiveBack } from "../person/useGiveBack";
import { Icon } from "../ui/Icon";
import { AdviceRow } from "./Advice";
import { keepDraft, readDraft } from "./drafts";
import { Ended } from "./Ended";
import { FormProgress } from "./FormProgress";
import { useTitles } from "../data/titles";
import { t, tx } from "../i18n/t";

const WAITS = t("Waits: it is sent after the reply");
const FULL = t("{n} messages wait for the reply. Send this one after it.", { n: MOST_QUEUED });

/** The field to write in, with the progress of a form above and undo below. */
export function Composer({ id, form, formName, hasButtons }: { id: string; form: FormView | null; formName: string; hasButtons: boolean }) {
  const conversation = useConversation();
  const status = conversation?.summary?.status;
  const titles = useTitles();
  return (
    <div className="comp">
      <div>
        {form && status !== "ended" && <FormProgress form={form} name={titles.node(formName)} />}
        {conversation?.summary && <AdviceRow summary={conversation.summary} form={form} messages={conversation.messages} />}
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
  const queued = useQueued(id);
  const isBusy = !canFollow(sending, conversation?.messages ?? [], queued);
  const isFull = queued.length >= MOST_QUEUED;
  const canSend = text.trim() !== "" && !isFull && length <= most;
  const [speaksAsUser, setSpeaksAsUser] = useState(false);
  const { person, shown, isMine } = useOperator();
  const operator = isMine ? shown : "";
  const isOperator = isMine && !speaksAsUser;
  const finish = useGiveBack(id);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  useAction("focus-message", () => field.current?.focus());
  useEffect(() => keepDraft(id, text), [id, text]);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "30px";
    area.style.height = `${Math.min(190, Math.max(30, area.scrollHeight))}px`;
  }, [text]);
  const send = async (): Promise<boolean> => {
    if (!canSend) return false;
    const words = text;
    setText("");
    if (isBusy) announce(WAITS);
    const isTaken = await (isOperator ? sendAsOperator(id, words, person?.operator ?? "") : sendTurn(id, { text: words }));
    const back = (now: string) => (isBusy && now ? `${now}\n${words}` : now || words);
    if (!isTaken && isHere.current) setText(back);
    else if (!isTaken) keepDraft(id, back(readDraft(id)));
    return isTaken;
  };
  const sendAndGiveBack = () => finish(async () => text.trim() === "" || (await send()));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (isFull) announce(FULL);
      void (isOperator && (event.ctrlKey || event.metaKey) ? sendAndGiveBack() : send());
    }
  };
  let placeholder = hasForm ? t("Answer in your own words") : t("Write as the user");
  if (isOperator) placeholder = t("Write as {operator}", { operator });
  else if (person?.operator) placeholder = t("Write as the user to {shown}", { shown });
  else if (conversation?.summary?.status === "failed") placeholder = t("Write something to try again");
  else if (hasButtons) placeholder = innerWidth < 760 ? t("Press a button or type") : t("Press a button, or answer in your own words");
  return (
    <>
      <form
        className="box"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea ref={field} rows={1} value={text} aria-label={isOperator ? t("Message as {operator}", { operator }) : t("Message as the user")} placeholder={placeholder} onChange={(event) => setText(event.target.value)} onKeyDown={onKeyDown} />
        <button type="submit" className="btn solid icon" aria-label={t("Send")} aria-disabled={!canSend}>
          <Icon name="send" />
        </button>
      </form>
      <div className="foot">
        {length > most ? (
          <span className="no">
            {tx("{length} characters; a message has at most {most}", { length, most })}
          </span>
        ) : (
          <span>{isFull && text.trim() ? FULL : isBusy && text.trim() ? t("Enter sends it after the reply.") : isOperator ? t("Enter sends to the user.") : t("Enter to send. Closing this page does not stop the turn.")}</span>
        )}
        {isOperator && <GiveBackControl id={id} hasText={text.trim() !== ""} onGiveBack={() => void sendAndGiveBack()} />}
        {operator ? (
          <button type="button" onClick={() => setSpeaksAsUser(!speaksAsUser)}>
            {isOperator ? t("Write as the user") : t("Write as {operator}", { operator })}
          </button>
        ) : (
          <UndoButton id={id} isHeldUp={isBusy} />
        )}
      </div>
    </>
  );
}

function UndoButton({ id, isHeldUp }: { id: string; isHeldUp: boolean }) {
  const conversation = useConversation();
  const canUndo = (conversation?.messages.some((message) => !message.is_undone && (message.by === "user" || message.by === "button")) ?? false) && !isHeldUp;
  const undo = () => canUndo && void sendTurn(id, { undo: {} }, t("Undo turn"));
  return (
    <button type="button" aria-disabled={!canUndo} onClick={undo}>
      {t("Undo turn")}
    </button>
  );
}
