import { useEffect, useMemo, useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { useNow } from "../app/clock";
import { Link } from "../app/Link";
import { span } from "../app/words";
import { takeResult } from "../data/conversations";
import { useQueue, useScope } from "../data/hooks";
import { useList } from "../data/list";
import { setLayout } from "../data/layout";
import { operatorName } from "../data/operator";
import { invalidate } from "../data/resource";
import { conversationRoute, navigate } from "../data/route";
import { useSettings } from "../data/settings";
import { t, tn } from "../i18n/t";
import { inQueue } from "../person/inQueue";
import { ConversationName } from "../ui/ConversationName";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { LoadRefusal, Refusal } from "../ui/Refusal";
import { QueuePreview } from "./QueuePreview";
import { filtered, isTaken, lateness, queuesOf, rowsOf, type Filter, type Row } from "./rows";
import { flowTitle } from "../data/names";
import "./queue.css";

/** The start page of an operator: who waits for a person, the longest first, why, and what is known. */
export function QueuePage({ id }: { id: string }) {
  const isAllowed = useScope("operator");
  const queue = useQueue();
  const { byId } = useList();
  const now = useNow(1000);
  const [filter, setFilter] = useState<Filter>({ kind: "waiting" });
  const live = useMemo(() => inQueue(queue.data ?? [], byId), [queue.data, byId]);
  const changes = live.map((one) => `${one.id} ${one.person?.since_ms} ${one.person?.operator}`).join();
  useEffect(() => invalidate("queue"), [changes]); // the reasons of new ones
  const rows = useMemo(() => rowsOf(live, queue.data ?? []), [live, queue.data]);
  const shown = filtered(rows, filter);
  const chosen = rows.find(({ summary }) => summary.id === id) ?? shown[0];
  if (!isAllowed) return <Empty title={t("This needs another key")}>{t("The queue needs a key with the scope operator.")}</Empty>;
  if (queue.problem && !queue.data) return <LoadRefusal problem={queue.problem} loads="queue" />;
  if (!queue.data) return <Loading label={t("Loading the queue")} shape={[64, 64, 64]} />;
  return (
    <div className="qpage" id="content">
      <Side rows={rows} filter={filter} onFilter={setFilter} />
      <section className="qlist" aria-label={t("Queue")}>
        <h1>{headlineOf(rows, now)}</h1>
        <p className="soft">{rows.some(isTaken) ? tn(rows.filter(isTaken).length, "1 conversation has a person.", "{n} conversations have a person.") : t("No person is in charge anywhere.")}</p>
        {shown.length > 0 ? (
          <ul className="qrows">
            {shown.map((row) => (
              <QueueRow key={row.summary.id} row={row} now={now} isChosen={row === chosen} />
            ))}
          </ul>
        ) : (
          <p className="qempty muted">{t("A conversation appears here when its flow hands over to a person.")}</p>
        )}
      </section>
      <section className="qpreview pscroll" aria-label={t("What is known")} tabIndex={0}>
        {chosen ? <QueuePreview key={chosen.summary.id} row={chosen} now={now} /> : null}
      </section>
    </div>
  );
}

function headlineOf(rows: readonly Row[], now: number): string {
  const waiting = rows.filter((row) => !isTaken(row));
  const longest = waiting[0]?.summary.person?.since_ms;
  if (longest === undefined) return t("No conversation waits for a person");
  const time = span(now - longest);
  return waiting.length === 1 ? t("1 waits for a person, for {time}", { time }) : t("{n} wait for a person, the longest for {time}", { n: waiting.length, time });
}

function Side({ rows, filter, onFilter }: { rows: readonly Row[]; filter: Filter; onFilter: (filter: Filter) => void }) {
  const entries: [string, Filter, number][] = [
    [t("Waiting"), { kind: "waiting" }, filtered(rows, { kind: "waiting" }).length],
    [t("With a person"), { kind: "taken" }, filtered(rows, { kind: "taken" }).length],
  ];
  const queues = queuesOf(rows);
  const isOn = (one: Filter) => JSON.stringify(one) === JSON.stringify(filter);
  const button = (label: string, one: Filter, count: number) => (
    <button key={label} type="button" aria-pressed={isOn(one)} onClick={() => onFilter(one)}>
      {label} <span>{count}</span>
    </button>
  );
  return (
    <nav className="qside" aria-label={t("What is shown")}>
      {entries.map(([label, one, count]) => button(label, one, count))}
      {queues.length > 0 && <h2 className="label">{t("By queue")}</h2>}
      {queues.map(([name, count]) => button(name.replaceAll("_", " "), { kind: "queue", name }, count))}
      <Link className="qall" to={{ page: "start", all: true }}>
        {t("Conversations and flows")}
      </Link>
    </nav>
  );
}

/** Since when, in words, and whether that is longer than the flow allows. */
export function Since({ row, now }: { row: Row; now: number }) {
  const { person } = row.summary;
  const since = person?.taken_ms ?? person?.since_ms ?? now;
  const late = isTaken(row) ? null : lateness(row, now);
  const clock = new Date(since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <span className={late && (late.late > 0 || late.isNear) ? "qsince late" : "qsince"}>
      <b>{span(now - since)}</b>
      <small>{t("since {time}", { time: clock })}</small>
      {late && late.late > 0 && <small className="no">{t("{time} late", { time: span(late.late) })}</small>}
      {late && late.late === 0 && late.isNear && <small className="no">{t("{time} left", { time: span(late.left) })}</small>}
    </span>
  );
}

function QueueRow({ row, now, isChosen }: { row: Row; now: number; isChosen: boolean }) {
  const { summary, why, known } = row;
  const { isBusy, problem, take } = useTakeOver(summary.id);
  const { operator } = useSettings();
  const isMine = isTaken(row) && summary.person?.operator === operator;
  return (
    <li className={isChosen ? "on" : undefined} data-conversation={summary.id}>
      <Since row={row} now={now} />
      <div className="qwho">
        <p>
          <Link to={{ page: "queue", id: summary.id }} aria-current={isChosen || undefined}>
            <b>
              <ConversationName id={summary.id} />
            </b>
          </Link>{" "}
          <span className="muted">{flowTitle(summary)}</span>
        </p>
        <p className="soft" lang={summary.language}>
          {isTaken(row) ? t("With {name}", { name: operatorName(summary.person) }) : why}
        </p>
        {known.length > 0 && (
          <p className="qknown" lang={summary.language}>
            {known.map((one) => (
              <span key={one.field}>
                {one.label} <b>{one.value}</b>
              </span>
            ))}
          </p>
        )}
        {problem && <Refusal problem={problem} />}
      </div>
      {isTaken(row) ? (
        <Link className="btn" to={conversationRoute(summary.id)}>
          {isMine ? t("Go on") : t("Open")}
          <span className="sr"> {summary.id}</span>
        </Link>
      ) : (
        <Button look={isChosen ? "solid" : "plain"} icon="person" aria-disabled={isBusy} onClick={() => void take()}>
          {t("Take over")}
          <span className="sr"> {summary.id}</span>
        </Button>
      )}
    </li>
  );
}

/** Takes a conversation over under the name that this browser knows; without one, its page asks for it. */
export function useTakeOver(id: string): { isBusy: boolean; problem: Problem | null; take: () => Promise<void> } {
  const { operator } = useSettings();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const take = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      if (operator) takeResult(id, await api.takeOver(id, operator, ""));
      navigate(conversationRoute(id));
      setLayout({ isPersonOpen: true, pane: operator ? "chat" : "why" });
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, take };
}

/** A way to the queue from any page, where somebody waits and this reader may take over. */
export function QueueLink() {
  const isAllowed = useScope("operator");
  const queue = useQueue();
  const { byId } = useList();
  const waiting = useMemo(() => inQueue(queue.data ?? [], byId).filter((one) => !one.person?.operator).length, [queue.data, byId]);
  if (!isAllowed || !waiting) return null;
  return (
    <Link className="btn quiet hide" to={{ page: "queue", id: "" }}>
      <Icon name="person" />
      {tn(waiting, "1 waits for a person", "{n} wait for a person")}
    </Link>
  );
}
