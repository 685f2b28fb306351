import { AskName, AskWhy } from "../ask/AskWhy";
import { memo, type ReactNode } from "react";
import type { Message } from "../api/types";
import { useConversation } from "../data/hooks";
import { useTitles } from "../data/titles";
import { useHighlight } from "../data/layout";
import { shorten } from "../panel/format";
import { Icon } from "../ui/Icon";
import { SIGN_ICONS, type Sign } from "../ui/signs";
import { Answers } from "./Answers";
import { Markdown } from "./markdown/Markdown";
import { understoodText, wordsOf } from "./turns";
import { noteText } from "./notes";
import { systemText } from "../i18n/texts";
import { t, tx } from "../i18n/t";

/** One message of either side. `answers` shows its buttons as live, or as they were answered. */
export const MessageView = memo(function MessageView({ message, label, isOpen, answer, blocked }: { message: Message; label: string; isOpen: boolean; answer: string; blocked: string }) {
  if (message.is_erased) return <p className="note">{tx("The words of this message were erased. {note}", { note: message.note })}</p>;
  switch (message.by) {
    case "user":
    case "button":
      return <Mine message={message} label={label} />;
    case "tool":
      return <ToolNote message={message} />;
    case "system":
      if (message.sign) return <AroundIt message={message} sign={message.sign} />;
      return <p className="note">{shorten(systemText(message) || message.note, 3 * LONGEST)}</p>;
    case "person":
      return <PersonMessage message={message} />;
    default:
      return <Reply message={message} isOpen={isOpen} answer={answer} blocked={blocked} />;
  }
});

/** What the clock, an offer, an overlay or another system did, on a line of its own. */
function AroundIt({ message, sign }: { message: Message; sign: Sign }) {
  return (
    <div className="seam around">
      <Icon name={SIGN_ICONS[sign]} />
      <span className="tx">{shorten(systemText(message), 3 * LONGEST)}</span>
      {message.subject && <AskWhy subject={message.subject} name={systemText(message)} turn={message.turn} />}
    </div>
  );
}

/** A longer value is cut in the transcript; the panel has the whole one. */
const LONGEST = 80;

function Mine({ message, label }: { message: Message; label: string }) {
  const isPress = message.by === "button";
  const titles = useTitles();
  return (
    <div className="mine">
      <span className="sr">{isPress ? t("The user pressed:") : t("The user said:")}{" "}</span>
      <span className={isPress ? "bub press" : "bub"}>
        {isPress ? label : <UnderstoodWords message={message} />}
      </span>
      {!isPress && message.understood.length > 0 && (
        <div className="und">
          <span>{t("understood")}</span>
          {message.understood.map((one) => (
            <code key={one.field}>
              <AskName subject={`${one.did === "set" ? "field" : "item"} ${one.field}`} turn={message.turn}>
                {one.title || titles.item(one.field, one.item?.number)}
              </AskName>{" "}
              {shorten(understoodText(one), LONGEST)}
            </code>
          ))}
        </div>
      )}
      {message.note && <p className="note">{noteText(message.note)}</p>}
    </div>
  );
}

/** The message with the words underlined in which a value was understood, and those marked that the panel points at. */
function UnderstoodWords({ message }: { message: Message }) {
  const highlight = useHighlight();
  const isLit = (start: number, end: number, field: string | null) => {
    if (!highlight) return false;
    if ("seq" in highlight) return highlight.seq === message.seq && start < highlight.end && end > highlight.start;
    return highlight.turn === message.turn && field === highlight.field;
  };
  return wordsOf(message).map((words) => {
    const lit = isLit(words.start, words.end, words.field);
    if (!words.field) return lit ? <mark key={words.start}>{words.text}</mark> : words.text;
    return (
      <u key={words.start} className={lit ? "lit" : undefined} data-lit={lit || undefined}>
        {words.text}
      </u>
    );
  });
}

const KIND: Partial<Record<Message["kind"], string>> = { summary: t("summary"), chooser: t("chooser"), consent: t("asks for approval"), offer: t("offer"), question: t("question"), help: t("help"), stop: t("stop"), undo: t("undo"), undone: t("undo"), stale_button: t("refused"), refused: t("refused") };

const QUESTIONS: ReadonlySet<Message["kind"]> = new Set<Message["kind"]>(["question", "summary", "chooser", "consent", "offer"]);

/** Asks why something was said: the open question, the call of the model, or the node that has the text. */
function WhySaid({ message: { kind, by, speaker, turn } }: { message: Message }) {
  const isQuestion = QUESTIONS.has(kind);
  const subject = isQuestion ? "the question" : by === "model" ? "the model" : kind === "say" ? `node ${speaker}` : `turn ${turn}`;
  return <AskWhy subject={subject} name={isQuestion ? t("This question") : t("This reply")} turn={turn} stands />;
}

/** Who is speaking: the node, and whether a model or a fixed text speaks for it. */
export function Who({ message, children }: { message: Pick<Message, "speaker" | "by" | "kind">; children?: ReactNode }) {
  const title = useTitles().node(message.speaker);
  const kind = KIND[message.kind];
  const by = message.by === "model" ? t("model") : (kind ?? t("fixed text"));
  return (
    <div className="who">
      <span className="sr">{t("The machine,")}{" "}</span>
      <b>{title}</b>
      {by}
      {children}
    </div>
  );
}

function Reply({ message, isOpen, answer, blocked }: { message: Message; isOpen: boolean; answer: string; blocked: string }) {
  const isFailure = message.kind === "failed" || message.kind === "cut";
  const isCard = message.form !== null && (message.kind === "summary" || message.kind === "chooser");
  let said: ReactNode = message.text && (
    <div className="said">
      <Markdown text={message.text} />
    </div>
  );
  if (isFailure) said = <Failure message={message}>{said}</Failure>;
  return (
    <div>
      <Who message={message}>
        <WhySaid message={message} />
      </Who>
      {!(isCard && message.kind === "summary") && said}
      <Answers message={message} isOpen={isOpen} answer={answer} blocked={blocked} />
      {message.note && !isFailure && <p className="note">{noteText(message.note)}</p>}
    </div>
  );
}

function Failure({ message, children }: { message: Message; children: ReactNode }) {
  const canGoOn = useConversation()?.summary?.status !== "failed";
  const words = message.note || (canGoOn ? t("The message is saved; the next one tries again.") : t("The conversation stands still. The next message tries again."));
  return (
    <div className="failure">
      <Icon name="error" />
      <div>
        {children}
        {words && <p className="soft">{words}</p>}
      </div>
    </div>
  );
}

function PersonMessage({ message }: { message: Message }) {
  return (
    <div>
      <div className="who">
        <Icon name="person" />
        <code>{message.speaker || t("operator")}</code>
        {t("person")}
        <AskWhy subject="the person" name={t("This person")} turn={message.turn} />
      </div>
      <div className="bub op">
        <Markdown text={message.text} />
      </div>
      {message.note && <p className="note">{noteText(message.note)}</p>}
    </div>
  );
}

function ToolNote({ message }: { message: Message }) {
  return (
    <div className="toolcall">
      <Icon name={message.kind === "failed" ? "error" : message.kind === "refused" ? "blocked" : "check"} />
      <span>
        <code>
          <b>
            <AskName subject={`tool ${message.speaker}`} turn={message.turn}>
              {message.speaker}
            </AskName>
          </b>
        </code>{" "}
        {message.text}
      </span>
    </div>
  );
}
