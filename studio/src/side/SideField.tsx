import { useEffect, useState, type FormEvent } from "react";
import { keepDraft, readDraft } from "../chat/drafts";
import { useConversationData, useQueued, useSending } from "../data/conversations";
import { canFollow, sendTurn } from "../data/sending";
import { t } from "../i18n/t";
import { Icon } from "../ui/Icon";

/** The field of one side: what is written goes to this conversation. The text stays until it is sent. */
export function SideField({ id }: { id: string }) {
  const [text, setText] = useState(() => readDraft(id));
  const data = useConversationData(id);
  const sending = useSending(id);
  const queued = useQueued(id);
  const canSend = text.trim() !== "" && canFollow(sending, data?.messages ?? [], queued);
  useEffect(() => keepDraft(id, text), [id, text]);
  if (data?.summary?.status === "ended") return <p className="muted">{t("This conversation has ended.")}</p>;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!canSend) return;
    const words = text;
    setText("");
    if (!(await sendTurn(id, { text: words }))) setText((now) => now || words);
  };
  return (
    <form className="ptype" onSubmit={(event) => void submit(event)}>
      <input type="text" value={text} aria-label={t("Write to {name}", { name: id })} placeholder={t("Write to {name}", { name: id })} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="btn solid icon" aria-label={t("Send to {name}", { name: id })} aria-disabled={!canSend}>
        <Icon name="send" />
      </button>
    </form>
  );
}
