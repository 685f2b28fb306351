import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { ConversationSummary, EventRow } from "../api/types";
import { AskWhy } from "../ask/AskWhy";
import { useConversationId, useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { flowTitle, nodeTitle } from "../data/names";
import { conversationRoute, moveTo, navigate } from "../data/route";
import { getSettings, setSettings } from "../data/settings";
import { serverNow } from "../data/serverTime";
import { kindText } from "../panel/events/kinds";
import { selectEvent } from "../panel/events/store";
import { ConversationName } from "../ui/ConversationName";
import { Empty } from "../ui/Empty";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";
import { allEvents, matching } from "./search";
import { span } from "./words";
import { t, tx } from "../i18n/t";

/** Search all conversations on the server, and the events of the open one. */
export function SearchDialog() {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly ConversationSummary[]>([]);
  const [events, setEvents] = useState<readonly EventRow[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (id === null || !canDebug) return;
    const abort = new AbortController();
    allEvents(id, abort.signal).then(setEvents, () => undefined);
    return () => abort.abort();
  }, [id, canDebug]);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      api.conversations({ text: text.trim(), limit: text.trim() ? 8 : 12 }).then(
        (page) => {
          if (!isCurrent) return;
          setFound(page.conversations);
          setProblem(null);
        },
        (error: unknown) => isCurrent && setProblem(asProblem(error)),
      );
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  const rows = useMemo(() => (text.trim() && events ? matching(events, text) : []), [events, text]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>(".hit") ?? [])];
    if (!step || !buttons.length) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
  };
  const openConversation = (target: string) => {
    setLayout({ dialog: null, pane: "chat" });
    navigate(conversationRoute(target));
  };
  const openEvent = (row: EventRow) => {
    setLayout({ dialog: null, pane: "why" });
    if (!getSettings().hasPanel) setSettings({ hasPanel: true });
    selectEvent(id ?? "", row.seq);
    moveTo({ turn: Math.max(1, row.turn), decision: null, tab: "events" });
  };
  return (
    <Dialog title={t("Search")} className="search">
      <div onKeyDown={onKeyDown}>
        <input type="search" aria-label={t("Search conversations and events")} placeholder={t("A name, a node, or words that were said")} value={text} onChange={(event) => setText(event.target.value)} />
        <div ref={list} className="found">
          {problem && <Refusal problem={problem} />}
          <h3 className="label">{t("Conversations")}</h3>
          {found.map((row) => (
            <button key={row.id} type="button" className="hit" onClick={() => openConversation(row.id)}>
              <b><ConversationName id={row.id} name={row.name} /></b>
              <span className="muted">
                {flowTitle(row)}, {nodeTitle(row)}
              </span>
              <span className="muted">{span(serverNow() - row.at_ms)}</span>
              {row.snippet && <small>{row.snippet}</small>}
            </button>
          ))}
          {!found.length && !problem && <Empty title={t("No conversation matches")} level={3} />}
          {id !== null && canDebug && (
            <>
              <h3 className="label">
                {t("Events of")}{" "}<ConversationName id={id} />
              </h3>
              {!text.trim() && <p className="muted">{tx("Type to search {x} events.", { x: events?.length ?? t("its") })}</p>}
              {rows.map((row) => (
                <div key={row.seq} className="hitrow">
                  <button type="button" className="hit" onClick={() => openEvent(row)}>
                    <b>{kindText(row.kind)}</b>
                    <code>
                      <span className="tech">{tx("seq {seq},", { seq: row.seq })}{" "}</span>{tx("turn {turn}", { turn: row.turn })}
                    </code>
                    <span />
                    <small>{row.line}</small>
                  </button>
                  <AskWhy subject={row.subject} name={row.subject} turn={Math.max(1, row.turn)} />
                </div>
              ))}
              {text.trim() && events && !rows.length && <p className="muted">{t("No event matches.")}</p>}
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
