import { useId, type ReactNode } from "react";
import { AskName, AskWhy } from "../ask/AskWhy";
import type { FrameInfo } from "../api/types";
import { useStateView } from "../data/hooks";
import { nameOf, openedWords, savedWords, standingWords, turnsWords } from "../scopes/words";
import { countText, valueText } from "../panel/format";
import { Icon } from "../ui/Icon";
import { Pill } from "../ui/Pill";
import { useTitles } from "../data/titles";
import { t, tx } from "../i18n/t";

type Props = {
  frame: FrameInfo;
  /** The scope that is open inside of this one. */
  inside: FrameInfo | undefined;
  /** The last turn of the transcript. */
  lastTurn: number;
  /** False where the decision that opened it stands above. */
  hasOpening: boolean;
  isUnfolded: boolean;
  onFold: () => void;
  children: ReactNode;
};

/** A scope in the transcript: who opened it, what stays of it, and what was said inside, folded when it is closed. */
export function ScopeCard({ frame, inside, lastTurn, hasOpening, isUnfolded, onFold, children }: Props) {
  const body = useId();
  const isClosed = frame.status === "closed";
  const isInCharge = !isClosed && !inside;
  const name = nameOf(frame);
  return (
    <section className="scoped" aria-label={t("Inner conversation {name}", { name })} data-frame={frame.id}>
      {hasOpening && (
        <div className="seam move">
          <Icon name="in" />
          <span className="tx">
            {tx("Opened {name}", { name })} <span className="because">{openedWords(frame)}</span>
          </span>
          <AskWhy subject={`node ${frame.scope}`} name={t("Opened {name}", { name })} turn={frame.opened_turn} />
        </div>
      )}
      <div className={isInCharge ? "scope on" : "scope"}>
        <div className="scope-head">
          <h2>
            <button type="button" aria-expanded={isUnfolded} aria-controls={body} onClick={onFold}>
              <Icon name="chev" className="chev" />
              <b>{name}</b>
              {isInCharge ? <Pill tone="here">{t("in charge")}</Pill> : <span className="muted">{standingWords(frame, inside)}</span>}
              <span className="lbl">
                {turnsWords(frame, lastTurn)}, {countText(frame.messages, "message")}
              </span>
            </button>
          </h2>
          {isClosed && <Left frame={frame} />}
        </div>
        <div className="in" id={body} hidden={!isUnfolded}>
          {isUnfolded && children}
        </div>
      </div>
    </section>
  );
}

/** What is left of a closed scope: the summary, the values that it gave back, and what the summary saved. */
function Left({ frame }: { frame: FrameInfo }) {
  const saved = savedWords(frame);
  return (
    <div className="left-over">
      <p>
        <span className="sr">{t("What stays in the conversation around it:")}{" "}</span>
        {frame.summary} {frame.scope && <AskWhy subject={`node ${frame.scope}`} name={t("Closed {frame}", { frame: nameOf(frame) })} {...(frame.closed_turn ? { turn: frame.closed_turn } : {})} />}
      </p>
      <Result frame={frame} />
      {frame.is_erased && <p className="lbl">{t("Retention erased words that were said inside.")}</p>}
      <p className="lbl">{t("The model outside reads this line only.")}{saved && ` ${saved}.`}</p>
    </div>
  );
}

/** The values that a scope gave back, from the state after the turn that closed it. */
function Result({ frame }: { frame: FrameInfo }) {
  const titles = useTitles();
  const state = useStateView(frame.closed_turn ?? 0).data;
  const given = state?.values.filter(({ origin }) => origin?.how === "scope" && origin.turn === frame.closed_turn) ?? [];
  if (!given.length) return null;
  return (
    <p className="gave">
      <span>{t("gave back")}</span>
      {given.map((one) => (
        <code key={one.field}>
          <AskName subject={`field ${one.field}`} turn={frame.closed_turn ?? undefined}>
            {titles.field(one.field)}
          </AskName>{" "}
          = {one.text || valueText(one.value)}
        </code>
      ))}
    </p>
  );
}
