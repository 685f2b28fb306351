import { AskWhy } from "../ask/AskWhy";
import { memo, type ReactNode } from "react";
import type { Seam, WhatIfDecision } from "../api/types";
import { Icon } from "../ui/Icon";
import type { Draft } from "../data/transcript";
import { useTitles } from "../data/titles";
import { transitionText } from "../panel/decision/candidates";
import { reasonOf } from "../panel/why/VerdictHeadline";
import { MessageView } from "./MessageView";
import { Drafts, Thinking } from "./Pending";
import { SeamRow } from "./SeamRow";
import type { Item, Turn } from "./turns";
import { t, tx } from "../i18n/t";

type Props = {
  turn: Turn;
  /** Which part of its turn this is, where scopes were opened or closed in it; 0 for a whole turn. */
  part: number;
  /** The decision that is selected in this turn, from 1; 0 selects the turn without one; `null` another turn. */
  selected: number | null;
  isLater: boolean;
  /** The position of the message whose buttons are live, if it is in this turn. */
  openSeq: number | null;
  /** Why nobody can answer that message now; empty where its buttons are live. */
  blocked: string;
  /** The button that was pressed in the next turn. */
  answer: string;
  hypothetical: readonly WhatIfDecision[];
  drafts: readonly Draft[];
  /** The node that works, before its first piece of text. */
  thinking: string;
  onSelect: (turn: number, decision?: number) => void;
};

/** A turn: its number, what was said, and the decisions between. */
export const TurnSection = memo(function TurnSection({ turn, part, selected, isLater, openSeq, blocked, answer, hypothetical, drafts, thinking, onSelect }: Props) {
  const classes = ["turn", selected !== null ? "sel" : "", isLater ? "future" : "", turn.isUndone ? "undone" : ""].filter(Boolean).join(" ");
  const select = (seam: Seam, number: number) => onSelect(seam.turn, number);
  const items = turn.items.filter((item) => item.kind === "message" || !isBeforeAnybodySpoke(turn, item.seam));
  const rows = items.map((item, at) => (
    <ItemView key={`${item.kind}${item.seq}`} item={item} before={moveBefore(items, at)} selected={selected} openSeq={openSeq} blocked={blocked} answer={answer} hypothetical={hypothetical} onSelect={select} />
  ));
  return (
    <section className={classes} data-turn={turn.number} aria-label={t("Turn {number}{x}{x2}", { number: turn.number, x: part ? t(", part {part}", { part }) : "", x2: turn.isUndone ? t(", undone") : "" })}>
      <div>
        <button type="button" className="tnum" aria-label={t("Go to turn {number}", { number: turn.number })} onClick={() => onSelect(turn.number)}>
          {turn.number}
        </button>
        <AskWhy subject={`turn ${turn.number}`} name={t("Turn {number}", { number: turn.number })} turn={turn.number} isSkipped={selected === null} />
      </div>
      {turn.isUndone ? <Undone turn={turn}>{rows}</Undone> : (
        <div className="tbody">
          {rows}
          <Drafts drafts={drafts} />
          {thinking && <Thinking node={thinking} />}
        </div>
      )}
    </section>
  );
});

/** The decision before an item in its turn, if that one moved. */
function moveBefore(items: readonly Item[], at: number): Seam | null {
  const before = items.slice(0, at).findLast((item) => item.kind === "seam");
  return before?.kind === "seam" && before.seam.outcome === "moved" ? before.seam : null;
}

/** Whether a decision of the opening turn kept everything as it began: that is no news before anybody has spoken. */
const isBeforeAnybodySpoke = (turn: Turn, seam: Seam): boolean =>
  turn.number === 1 && seam.outcome === "stayed" && !turn.items.some((item) => item.kind === "message" && (item.message.by === "user" || item.message.by === "button"));

type ItemProps = Pick<Props, "selected" | "openSeq" | "blocked" | "answer" | "hypothetical"> & { item: Item; before: Seam | null; onSelect: (seam: Seam, number: number) => void };

function ItemView({ item, before, selected, openSeq, blocked, answer, hypothetical, onSelect }: ItemProps) {
  if (item.kind === "message") return <MessageView message={item.message} label={item.label} isOpen={item.seq === openSeq && !blocked} answer={answer} blocked={item.seq === openSeq ? blocked : ""} />;
  const titles = useTitles();
  const would = hypothetical.find((one) => one.seq === item.seq && one.differs);
  return (
    <>
      <SeamRow seam={item.seam} before={before} number={item.number} isSelected={selected === item.number} onSelect={onSelect} />
      {would && (
        <div className="seam ghost">
          <Icon name="fork" />
          <span className="tx">{tx("would be: {line}", { line: [transitionText(would.would, titles.node).text, reasonOf(would.would)].filter(Boolean).join(": ") })}</span>
        </div>
      )}
    </>
  );
}

function Undone({ turn, children }: { turn: Turn; children: ReactNode }) {
  const first = turn.items.find((item) => item.kind === "message");
  return (
    <details className="tbody fold">
      <summary>
        <Icon name="chev" className="chev" />
        <span>{t("Undone")}</span>
        <s>{first?.label}</s>
      </summary>
      {children}
    </details>
  );
}
