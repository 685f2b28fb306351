import { useConversationData, useQueued, useSending, type Sending } from "../data/conversations";
import { act } from "../data/actions";
import { dismissSending, sendAsOperator, sendTurn, takeBack, unstoredText } from "../data/sending";
import { Button } from "../ui/Button";
import type { Draft } from "../data/transcript";
import { Icon } from "../ui/Icon";
import { Markdown } from "./markdown/Markdown";
import { t, tx } from "../i18n/t";

/** The turns on their way: the words, that they are tried again, or why one was refused. */
export function Pending({ id }: { id: string }) {
  const sending = useSending(id);
  const queued = useQueued(id);
  const messages = useConversationData(id)?.messages ?? [];
  return (
    <>
      {sending && <OnItsWay id={id} sending={{ ...sending, text: unstoredText(sending, messages) }} />}
      {queued.length > 0 && <Queue id={id} queued={queued} />}
    </>
  );
}

function OnItsWay({ id, sending }: { id: string; sending: Sending }) {
  const { problem, attempt, text, isButton, input, operator } = sending;
  const isStale = problem?.code === "stale";
  if (!text && !problem) return null;
  const again = () => {
    void (operator ? sendAsOperator(id, text, operator) : sendTurn(id, input, text));
    act("focus-message");
  };
  const dismiss = () => {
    dismissSending(id);
    act("focus-message");
  };
  return (
    <section className="turn pending" aria-label={t("The message that is being sent")}>
      <div />
      <div className="tbody">
        {text && (
          <div className={operator ? undefined : "mine"}>
            <span className={operator ? "bub op" : isButton ? "bub press" : "bub"}>{text}</span>
            {attempt > 1 && !problem && <p className="note">{tx("The server does not answer. Attempt {attempt}; the message is sent once.", { attempt })}</p>}
          </div>
        )}
        {problem && (
          <div className="failure" role="alert">
            <Icon name="error" />
            <div>
              <b>{problem.title}</b>
              {problem.detail && <p>{problem.detail}</p>}
              {problem.hint && <p>{problem.hint}</p>}
              <p className="muted">
                <code>{problem.code}</code>
                {problem.limit && <>{" "}{t("· limit")}{" "}<code>{problem.limit}</code></>}
              </p>
              {isStale && <p>{t("Your text is back in its field.")}</p>}
              <div className="acts">
                {!isStale && <Button onClick={again}>{t("Try again")}</Button>}
                <Button look="quiet" onClick={dismiss}>
                  {t("Dismiss")}
                </Button>
              </div>
            </div>
          </div>
        )}
      </div>
    </section>
  );
}

/** What was written while a turn is under way: it is sent in order, and can be taken back until then. */
function Queue({ id, queued }: { id: string; queued: readonly Sending[] }) {
  return (
    <section className="turn pending" aria-label={t("Messages that wait")}>
      <div />
      <ol className="tbody queue">
        {queued.map((one) => (
          <li key={one.key} className={one.operator ? undefined : "mine"}>
            <span className={one.operator ? "bub op" : one.isButton ? "bub press" : "bub"}>{one.text}</span>
            <p className="note">
              {t("Sent after the reply")}
              <button
                type="button"
                className="linkish"
                onClick={() => {
                  takeBack(id, one);
                  act("focus-message");
                }}
              >
                {t("Take back")}<span className="sr"> “{one.text}”</span>
              </button>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the model writes in a turn of which nothing is stored yet: such a turn has no section. */
export function Coming({ drafts, thinking }: { drafts: readonly Draft[]; thinking: string }) {
  if (!drafts.length && !thinking) return null;
  return (
    <section className="turn" aria-label={t("The reply that is being written")}>
      <div />
      <div className="tbody">
        <Drafts drafts={drafts} />
        {thinking && <Thinking node={thinking} />}
      </div>
    </section>
  );
}

/** The model's text so far. Screen readers hear the finished reply, not the pieces. */
export function Drafts({ drafts }: { drafts: readonly Draft[] }) {
  return drafts.map((draft) => (
    <div key={draft.effect} aria-hidden="true">
      <div className="who">
        <code>{draft.node}</code>
        {t("model")}
      </div>
      <div className="said">
        <Markdown text={draft.text} end={<span className="caret" />} />
      </div>
    </div>
  ));
}

/** The caret before the first piece of a reply. */
export function Thinking({ node }: { node: string }) {
  return (
    <div className="late" aria-hidden="true">
      <div className="who">
        <code>{node}</code>
      </div>
      <div className="said">
        <span className="caret" />
      </div>
    </div>
  );
}
