import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from "react";
import { api } from "../api/calls";
import { Link } from "../app/Link";
import { MessageView } from "../chat/MessageView";
import { Drafts } from "../chat/Pending";
import { SeamRow } from "../chat/SeamRow";
import { answerTo, groupTurns, type Turn } from "../chat/turns";
import { loadTranscript, useConversationData, useConversationProblem } from "../data/conversations";
import { useScope } from "../data/hooks";
import { useResource } from "../data/resource";
import { ConversationScope, conversationRoute, navigate } from "../data/route";
import { useSummary } from "../data/list";
import { resumeSending } from "../data/sending";
import { headlineOf } from "../i18n/texts";
import { t, tx } from "../i18n/t";
import { ConversationName } from "../ui/ConversationName";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { DifferencePanel } from "./DifferencePanel";
import { pairsOf, partingOf, type Pair, type Parting } from "./pairs";
import { SideField } from "./SideField";
import { SideScore } from "./SideScore";
import "./side.css";

/** Two conversations in one window, live: their turns in rows, the first difference, both paths, and a field for each. */
export function SidePage({ one, other, turn }: { one: string; other: string; turn: number | null }) {
  const left = useSide(one);
  const right = useSide(other);
  const canDebug = useScope("debug:read");
  const seqs = `${left.seq} ${right.seq}`;
  const answer = useResource(canDebug && left.isLoaded && right.isLoaded && one !== other ? `why:${one}#against ${other}#${seqs}` : null, () => api.why(one, { against: other }));
  const parting = useMemo(() => partingOf(answer.data, one), [answer.data, one]);
  const pairs = useMemo(() => pairsOf(left.turns, right.turns, parting), [left.turns, right.turns, parting]);
  const row = turn ?? pairs.at(-1)?.row ?? 1;
  const go = (to: number) => navigate({ page: "side", one, other, turn: to }, { replace: true });
  useShownRow(turn);
  const problem = left.problem ?? right.problem;
  if (problem) {
    return (
      <div className="wrap">
        <h1 className="sr">{t("Side by side")}</h1>
        <Refusal problem={problem} onRetry={() => void Promise.all([loadTranscript(one, true), loadTranscript(other, true)])} />
      </div>
    );
  }
  return (
    <div className="sidev" id="content">
      <h1 className="sr">{t("{one} and {other}", { one, other })}</h1>
      <section className="sidemain" aria-label={t("Two conversations")}>
        <div className="pairs" tabIndex={0} role="region" aria-label={t("Both transcripts, turn by turn")}>
          <div className="phead">
            <Head id={one} letter="A" />
            <SwapLink one={one} other={other} />
            <Head id={other} letter="B" />
          </div>
          {!(left.isLoaded && right.isLoaded) && <Loading label={t("Loading both conversations")} />}
          {pairs.map((pair) => (
            <Row key={pair.row} pair={pair} parting={parting} isFirst={isFirst(pair, parting)} isSame={isBefore(pair, parting)} isSelected={pair.row === row} sides={[left, right]} onGo={go} />
          ))}
        </div>
        <div className="pfoot">
          <SideField id={one} />
          <span />
          <SideField id={other} />
        </div>
      </section>
      <section className="sidepanel pscroll" aria-label={t("What differs")} tabIndex={0}>
        <DifferencePanel one={one} other={other} parting={parting} answer={answer} seqs={seqs} />
      </section>
      <section className="sidedock" aria-label={t("Both paths")}>
        <SideScore one={one} other={other} pairs={pairs} parting={parting} row={row} onGo={go} />
      </section>
    </div>
  );
}

interface Side {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly seq: number;
  readonly isLoaded: boolean;
  readonly openSeq: number | null;
  readonly drafts: Parameters<typeof Drafts>[0]["drafts"];
  readonly problem: ReturnType<typeof useConversationProblem>;
}

/** What a side shows: its turns, as they come, and the message whose buttons are live. */
function useSide(id: string): Side {
  useEffect(() => {
    void loadTranscript(id);
    resumeSending(id);
  }, [id]);
  const data = useConversationData(id);
  const problem = useConversationProblem(id);
  const before = useRef<readonly Turn[]>([]);
  const turns = useMemo(() => (before.current = groupTurns(data?.messages ?? [], data?.seams ?? [], before.current)), [data?.messages, data?.seams]);
  const last = data?.messages.findLast((message) => !message.is_undone && (message.by === "user" || message.by === "button" || message.buttons.length > 0));
  const canAnswer = data?.summary?.status === "waiting" && last !== undefined && last.buttons.length > 0;
  return { id, turns, seq: data?.lastSeq ?? 0, isLoaded: data?.isLoaded ?? false, openSeq: canAnswer ? last.seq : null, drafts: data?.drafts ?? [], problem };
}

const isFirst = (pair: Pair, parting: Parting | null): boolean => parting !== null && pair.row === Math.max(parting.turn, parting.otherTurn);
const isBefore = (pair: Pair, parting: Parting | null): boolean => parting !== null && pair.row < Math.max(parting.turn, parting.otherTurn);

function Head({ id, letter }: { id: string; letter: "A" | "B" }) {
  const summary = useSummary(id);
  return (
    <div>
      <h2>
        <span className={letter === "A" ? "ab" : "ab b"} aria-hidden="true">
          {letter}
        </span>
        <Link to={conversationRoute(id)}>
          <ConversationName id={id} />
        </Link>
      </h2>
      {summary && <p>{headlineOf(summary)}</p>}
    </div>
  );
}

function SwapLink({ one, other }: { one: string; other: string }) {
  return (
    <div className="swap">
      <Link to={{ page: "side", one: other, other: one, turn: null }} aria-label={t("Swap the sides")} title={t("Swap the sides")}>
        ⇄
      </Link>
    </div>
  );
}

type RowProps = { pair: Pair; parting: Parting | null; isFirst: boolean; isSame: boolean; isSelected: boolean; sides: readonly [Side, Side]; onGo: (row: number) => void };

function Row({ pair, parting, isFirst, isSame, isSelected, sides, onGo }: RowProps) {
  const numbers = [...new Set([pair.one?.number, pair.other?.number].filter((one) => one !== undefined))];
  const classes = ["pair", isFirst ? "first" : isSame ? "same" : "", isSelected ? "on" : ""].filter(Boolean).join(" ");
  return (
    <div className={classes} data-row={pair.row} role="group" aria-label={t("Turn {n}", { n: numbers.join(" / ") })}>
      {isFirst && parting && (
        <p className="fdiff">
          <Icon name="differs" />
          {t("First difference")}
          <span>{tx("A {one} · B {other}", { one: parting.did, other: parting.didOther })}</span>
        </p>
      )}
      <Cell turn={pair.one} side={sides[0]} />
      <div className="m">
        <button type="button" aria-label={t("Go to turn {n}", { n: numbers.join(" / ") })} aria-current={isSelected || undefined} onClick={() => onGo(pair.row)}>
          {numbers.join(" / ")}
        </button>
      </div>
      <Cell turn={pair.other} side={sides[1]} />
    </div>
  );
}

/** One turn of one side. A decision leads to the conversation itself, where the panel explains it. */
function Cell({ turn, side }: { turn: Turn | null; side: Side }) {
  const index = turn ? side.turns.indexOf(turn) : -1;
  const isLast = index === side.turns.length - 1;
  return (
    <ConversationScope.Provider value={side.id}>
      <div className={turn?.isUndone ? "c undone" : "c"}>
        {turn?.items.map((item): ReactNode =>
          item.kind === "message" ? (
            <MessageView key={`m${item.seq}`} message={item.message} label={item.label} isOpen={item.seq === side.openSeq} answer={answerTo(side.turns, index)} blocked="" />
          ) : (
            <SeamRow key={`s${item.seq}`} seam={item.seam} number={item.number} before={null} isSelected={false} onSelect={(seam, decision) => navigate({ ...conversationRoute(side.id), turn: seam.turn, decision })} />
          ),
        )}
        {isLast && turn && <Drafts drafts={side.drafts} />}
      </div>
    </ConversationScope.Provider>
  );
}

/** The row of the address comes into view. */
function useShownRow(turn: number | null): void {
  useEffect(() => {
    const row = turn === null ? null : document.querySelector(`.pair[data-row="${turn}"]`);
    row?.scrollIntoView?.({ block: "nearest" });
  }, [turn]);
}

/** The keys of the playhead: arrows go from row to row. */
export function rowOfKey(event: KeyboardEvent, rows: readonly number[], row: number): number | undefined {
  const at = rows.indexOf(row);
  if (event.key === "ArrowLeft" || event.key === "ArrowUp") return rows[Math.max(0, at - 1)];
  if (event.key === "ArrowRight" || event.key === "ArrowDown") return rows[Math.min(rows.length - 1, at + 1)];
  if (event.key === "Home") return rows[0];
  return event.key === "End" ? rows.at(-1) : undefined;
}
