import { useEffect, useMemo, useState } from "react";
import { api } from "../../api/calls";
import type { EventRow } from "../../api/types";
import { AskWhy } from "../../ask/AskWhy";
import { askWhy } from "../../ask/question";
import { useConversation, useConversationId, useTimeline } from "../../data/hooks";
import { usePosition } from "../../data/position";
import { Button } from "../../ui/Button";
import { copyText } from "../../ui/CopyButton";
import { Empty } from "../../ui/Empty";
import { Loading } from "../../ui/Loading";
import { LoadRefusal, Refusal } from "../../ui/Refusal";
import { countText } from "../format";
import { EventList } from "./EventList";
import { EventRows, matches, type ListRow } from "./rows";
import { loadAll, loadAround, openEvents, selectEvent, useEvents, useSelectedEvent } from "./store";
import { t, tx } from "../../i18n/t";
import { kindText } from "./kinds";
import { subjectWords } from "../../ask/subjects";

/** The journal: every event of the conversation, filtered, and one of them in full. */
export function EventsTab() {
  const id = useConversationId();
  const timeline = useTimeline();
  const position = usePosition();
  const seams = useConversation()?.seams ?? [];
  const events = useEvents();
  const [filter, setFilter] = useState("");
  const selected = useSelectedEvent(id);
  useEffect(() => {
    if (id) openEvents(id);
  }, [id]);
  const last = timeline.data?.last_seq ?? 0;
  useEffect(() => {
    if (!filter || !last) return;
    let isStopped = false;
    void loadAll(last, () => isStopped);
    return () => void (isStopped = true);
  }, [filter, last]);
  const all = useMemo(() => new EventRows(timeline.data?.turns ?? []), [timeline.data]);
  const found = useMemo(() => filteredRows(events.bySeq, filter), [events.bySeq, filter]);
  const first = timeline.data?.turns.find(([number]) => number === position.turn)?.[1] ?? null;
  const isSelected = selected !== null && all.turnOf(selected) === position.turn;
  const current = isSelected ? selected : (position.seq ?? first);
  const select = (event: EventRow) => {
    selectEvent(id ?? "", event.seq);
    const before = seams.filter((seam) => seam.turn === event.turn && seam.seq <= event.seq).length;
    position.go(event.turn, seams.length ? Math.max(1, before) : undefined); // the transcript may come later
  };
  if (timeline.problem) return <LoadRefusal problem={timeline.problem} loads="timeline:" />;
  if (!timeline.data) return <Loading label={t("Loading the events")} shape={[28, 22, 22, 22]} />;
  if (!all.length) return <Empty title={t("Nothing has happened yet")}>{t("Events appear here with the first message.")}</Empty>;
  const detail = current === null ? undefined : events.bySeq.get(current);
  return (
    <div className="evtab">
      <div className="evhead">
        <input type="search" placeholder={t("Filter events by type, field or text")} aria-label={t("Filter events")} value={filter} onChange={(event) => setFilter(event.target.value)} />
        <Button icon="copy" onClick={() => void copyShown(events.bySeq, filter, last)} title={t("Copy the events of the list as JSON")}>
          {t("JSON")}
        </Button>
        <Button onClick={() => id && void download(id)} title={t("Export the conversation as one file")}>
          {t("Export")}
        </Button>
      </div>
      {filter && (
        <p className="evcount" role="status">
          {countText(found.length, "event")}
          {events.bySeq.size < last && <span className="muted">{" "}{tx("in {size} of {last}, loading", { size: events.bySeq.size, last })}</span>}
        </p>
      )}
      {events.problem && <Refusal problem={events.problem} onRetry={() => void loadAround(current ?? 1)} />}
      <EventList key={filter ? "filtered" : "all"} count={filter ? found.length : all.length} rowAt={(at) => (filter ? found[at] : all.at(at))} indexOf={(seq) => (filter ? found.findIndex((row) => row.kind === "event" && row.seq === seq) : all.indexOf(seq))} bySeq={events.bySeq} current={current} onSelect={select} onAsk={ask} />
      {detail && <EventDetail event={detail} />}
    </div>
  );
}

/** Ask why about what an event is about, in its turn. */
const ask = ({ subject, turn }: EventRow): void => askWhy(subject, { turn: Math.max(1, turn) });

function filteredRows(bySeq: ReadonlyMap<number, EventRow>, filter: string): ListRow[] {
  if (!filter) return [];
  return [...bySeq.values()]
    .filter((event) => matches(event, filter))
    .sort((a, b) => a.seq - b.seq)
    .map((event) => ({ kind: "event", seq: event.seq, turn: event.turn }));
}

async function copyShown(bySeq: ReadonlyMap<number, EventRow>, filter: string, last: number): Promise<void> {
  if (!filter) await loadAll(last, () => false);
  const events = [...bySeq.values()].filter((event) => matches(event, filter)).sort((a, b) => a.seq - b.seq);
  await copyText(events);
}

async function download(id: string): Promise<void> {
  const response = await api.exportFile(id);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${id.replaceAll(/[^\w.-]+/g, "_")}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function EventDetail({ event }: { event: EventRow }) {
  return (
    <div className="evdetail">
      <h2>
        <code className="tech">{tx("seq {seq}", { seq: event.seq })}</code> {kindText(event.kind)}
        <span className="grow" />
        <AskWhy subject={event.subject} turn={Math.max(1, event.turn)}>
          {subjectWords(event.subject)}
        </AskWhy>
        <Button look="quiet" icon="copy" label={t("Copy this event as JSON")} onClick={() => void copyText(event)} />
      </h2>
      {event.is_erased ? (
        <p className="muted">{t("Retention erased what this event held. Its kind and position are kept.")}</p>
      ) : (
        <pre className="code json" tabIndex={0} role="region" aria-label={t("Event {seq} as JSON", { seq: event.seq })}>
          {JSON.stringify(event.event, null, 2)}
        </pre>
      )}
    </div>
  );
}
