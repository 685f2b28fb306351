import { useCallback, useEffect, useMemo, useRef } from "react";
import type { Message } from "../api/types";
import { Link } from "../app/Link";
import { Approvals } from "../approvals/Approvals";
import { useAction } from "../data/actions";
import { announce } from "../data/announce";
import { loadTranscript, useConversationProblem, useQueued, useSending } from "../data/conversations";
import { framesAt, useFrames } from "../data/frames";
import { useConversation, useFlow } from "../data/hooks";
import { useHighlight } from "../data/layout";
import { useOperator } from "../data/operator";
import { usePosition } from "../data/position";
import { isUnanswered, unstoredText } from "../data/sending";
import { useWhatIf } from "../data/whatIf";
import { copyText } from "../ui/CopyButton";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { press } from "./Answers";
import { Banner, PersonBanner } from "./Banner";
import { Blocks } from "./Blocks";
import { Composer } from "./Composer";
import { blocksOf, type TurnBlock } from "./nest";
import { Coming, Pending } from "./Pending";
import { Starts } from "./Starts";
import { TurnSection } from "./TurnSection";
import { answerTo, groupTurns, type Turn } from "./turns";
import { useFocusOnQuestion } from "./useFocusOnQuestion";
import { useFinishedReplies } from "./useFinishedReplies";
import { useFolds } from "./useFolds";
import { useScroll } from "./useScroll";
import { useShownHighlight } from "./useShownHighlight";
import { useWindow } from "./useWindow";
import "./chat.css";
import "./scope.css";
import { t } from "../i18n/t";
import { headlineOf } from "../i18n/texts";

const NONE: readonly never[] = [];

/** The last message of the machine, if it has buttons that can be pressed now. */
function openMessage(messages: readonly Message[]): Message | null {
  const last = messages.findLast((message) => !message.is_undone && message.by !== "tool" && message.by !== "system");
  return last?.buttons.length && last.by !== "user" && last.by !== "button" ? last : null;
}

/** The form in charge: of the last message of the machine that has one, in the last turn. */
function formNow(messages: readonly Message[]): Message | null {
  const turn = messages.at(-1)?.turn;
  return messages.findLast((message) => message.turn === turn && message.form !== null) ?? null;
}

/** Why the buttons of a question do nothing while a person is awaited or in charge (law 6.10). */
const blockedWords = (operator: string): string =>
  operator ? t("{operator} is in charge: buttons are not taken until {operator} gives back.", { operator }) : t("A person is awaited: buttons are not taken until a person has given back.");

/** The transcript with its decisions, and the field to write in. */
export function Chat({ id }: { id: string }) {
  const conversation = useConversation();
  const problem = useConversationProblem(id);
  const sending = useSending(id);
  const queued = useQueued(id);
  const position = usePosition();
  const whatIf = useWhatIf();
  const before = useRef<readonly Turn[]>([]);
  const messages = conversation?.messages ?? NONE;
  const seams = conversation?.seams ?? NONE;
  const turns = useMemo(() => (before.current = groupTurns(messages, seams, before.current)), [messages, seams]);
  const go = useRef(position.go);
  go.current = position.go;
  const select = useCallback((turn: number, decision?: number) => go.current(turn, decision), []);
  const drafts = conversation?.drafts ?? NONE;
  const summary = conversation?.summary;
  const isOver = summary?.status === "ended";
  const isBusy = sending !== null && !sending.problem;
  const isNamed = !useFlow().isLoading; // until then nodes and fields have no titles
  const question = useMemo(() => (isOver ? null : openMessage(messages)), [isOver, messages]);
  const { person, shown } = useOperator();
  const blocked = person ? blockedWords(shown) : "";
  const unanswered = question && isUnanswered(sending, question, queued) ? question : null;
  const open = blocked ? null : unanswered;
  const form = useMemo(() => formNow(messages), [messages]);
  const { from, to, showEarlier, showLater, include } = useWindow(turns, position.turn, position.isLive);
  const log = useRef<HTMLDivElement>(null);
  const frames = useFrames();
  const draftLength = drafts.reduce((sum, draft) => sum + draft.text.length, 0);
  useScroll(log, { turn: position.turn, isLive: position.isLive, content: `${id} ${messages.length} ${seams.length} ${draftLength} ${frames.length} ${sending?.key ?? ""} ${queued.length}` });
  useShownHighlight(log, turns, from, include);
  useFinishedReplies(messages, conversation?.isLoaded ?? false);
  useAction("press-button", (number) => {
    const button = open?.buttons[(number ?? 0) - 1];
    if (blocked && unanswered) announce(blocked);
    if (!open || !button) return;
    const other = log.current?.querySelector<HTMLElement>("[data-other]");
    if (button.value === "other" && other) other.focus();
    else press(id, button, open.seq);
  });
  useAction("copy-json", () => void copyText({ turn: position.turn, items: turns.find((turn) => turn.number === position.turn)?.items ?? [] }));
  useFocusOnQuestion(log, open?.seq ?? 0, isOver ? "ended" : isBusy ? "busy" : "resting");
  const lastBy = messages.at(-1)?.by;
  const isThinking = !drafts.length && (summary?.status === "working" || (isBusy && (lastBy === "user" || lastBy === "button")));
  const lastNumber = turns.at(-1)?.number ?? 0;
  const coming = drafts.filter((draft) => draft.turn > lastNumber);
  const isUnstored = isBusy && unstoredText(sending, messages) !== "";
  const isThinkingNext = !drafts.length && isUnstored && sending.attempt === 1 && !sending.operator && summary?.status !== "person";
  const blocks = useMemo(() => blocksOf(turns.slice(from, to), frames), [turns, from, to, frames]);
  const { isUnfolded, onFold } = useFolds(position, useHighlight());
  const indices = useMemo(() => new Map(turns.map((turn, index) => [turn.number, index])), [turns]);
  const turnOf = ({ turn, part, isLast }: TurnBlock) => {
    const index = indices.get(turn.number) ?? 0;
    const isLater = !position.isLive && turn.number > position.turn;
    const isFirstLater = isLater && part < 2 && (turns[index - 1]?.number ?? 0) <= position.turn;
    const isEnd = isLast && turn.number === lastNumber;
    return (
      <div key={`${turn.number} ${turn.items[0]?.seq ?? 0}`}>
        {isFirstLater && (
          <div className="later">
            <span>{t("later turns")}</span>
          </div>
        )}
        <TurnSection
          turn={turn}
          part={part}
          selected={turn.number === position.turn ? position.decision : null}
          isLater={isLater}
          openSeq={unanswered?.turn === turn.number ? unanswered.seq : null}
          blocked={unanswered?.turn === turn.number ? blocked : ""}
          answer={answerTo(turns, index)}
          hypothetical={whatIf?.conversation === id ? (whatIf.result?.decisions ?? NONE) : NONE}
          drafts={isLast && (isEnd || drafts.length) ? drafts.filter((draft) => draft.turn === turn.number) : NONE}
          thinking={isEnd && isThinking && !isUnstored ? (summary?.node ?? "") : ""}
          onSelect={select}
        />
      </div>
    );
  };
  if (problem?.status === 404 && !conversation?.isLoaded) return <UnknownConversation id={id} />;
  if (problem && !conversation?.isLoaded) return <Refusal problem={problem} onRetry={() => void loadTranscript(id, true)} />;
  return (
    <>
      <PersonBanner />
      <Banner />
      <div className="chat" ref={log} tabIndex={0} role="log" lang={conversation?.summary?.language || undefined} aria-live="off" aria-label={t("Transcript")} aria-busy={isBusy || !isNamed || summary?.status === "working"}>
        <div>
        {!conversation?.isLoaded && turns[0]?.number !== 1 && <Loading label={t("Loading the transcript")} shape={[34, 18, 60, 34, 18]} />}
        {conversation?.isLoaded && !turns.length && !sending && <Empty title={t("Nothing has been said yet")}>{t("Write the first message below. Decisions appear here, between message and reply.")}</Empty>}
        {from === 0 && conversation?.isCut && (turns[0]?.number ?? 1) > 1 && <ErasedTurns last={(turns[0]?.number ?? 1) - 1} erasure={conversation.erasure} />}
        {from > 0 && <More label={t("Show earlier turns")} onShow={showEarlier} />}
        <Blocks
          blocks={blocks}
          open={framesAt(frames, null)}
          lastTurn={lastNumber}
          isUnfolded={isUnfolded}
          onFold={onFold}
          turn={turnOf}
          tail={
            <>
              {to < turns.length && <More label={t("Show later turns")} onShow={showLater} />}
              <Pending id={id} />
              {position.isLive && !isBusy && <Approvals id={id} />}
              <Coming drafts={coming} thinking={isThinkingNext ? (summary?.node ?? "") : ""} />
            </>
          }
        />
        {isOver && summary && <div className="endline">{headlineOf(summary)}</div>}
        </div>
      </div>
      {position.isLive && !isBusy && !isOver && !person && <Starts id={id} />}
      <Composer id={id} form={form?.form ?? null} formName={form?.speaker ?? ""} hasButtons={open !== null} />
    </>
  );
}

function More({ label, onShow }: { label: string; onShow: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = element.current;
    if (!button) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onShow(), { rootMargin: "400px" });
    observer.observe(button);
    return () => observer.disconnect();
  }, [onShow]);
  return (
    <button type="button" className="more" ref={element} onClick={onShow}>
      {label}
    </button>
  );
}

/** The turns before the first one that is stored. */
function ErasedTurns({ last, erasure }: { last: number; erasure: string }) {
  const turns = last === 1 ? t("Turn 1 was") : t("Turns 1 to {last} were", { last });
  return <p className="erasedturns">{t("{turns} erased by retention{x}.", { turns, x: erasure && ` ${erasure}` })}</p>;
}

function UnknownConversation({ id }: { id: string }) {
  return (
    <Empty title={t("There is no such conversation")}>
      <code>{id}</code>{" "}{t("was deleted, has another name, or belongs to another owner.")}{" "}<Link to={{ page: "start" }}>{t("Go to the start page")}</Link>.
    </Empty>
  );
}
