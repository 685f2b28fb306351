import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useNow } from "../app/clock";
import { Link } from "../app/Link";
import { span } from "../app/words";
import { useConversationId, useRouteTo } from "../data/hooks";
import { useConversationData } from "../data/conversations";
import { FILTERS, type Filter } from "../data/filter";
import { setLayout } from "../data/layout";
import { hasOlder, isComplete, loadList, loadPage, nextOf, totalOf, useList } from "../data/list";
import { Button } from "../ui/Button";
import { ConversationName } from "../ui/ConversationName";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { Icon } from "../ui/Icon";
import { groupByFlow } from "./filter";
import { StatusLine } from "./StatusLine";
import type { ConversationSummary } from "../api/types";
import "./list.css";
import { t, tx } from "../i18n/t";

/** How long to wait for the next letter before the server is asked for a text. */
const TYPING_MS = 200;

/** The conversations by flow, with node and status. */
export function ConversationList() {
  const list = useList();
  const { byId, isLoaded, problem } = list;
  const [text, setText] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const scrolled = useRef<HTMLDivElement>(null);
  const open = useConversationData(useConversationId())?.summary;
  const all = useMemo(() => Object.values(open && !byId[open.id] ? { ...byId, [open.id]: open } : byId), [byId, open]);
  const groups = useMemo(() => groupByFlow(all, filter, text), [all, filter, text]);
  const words = text.trim();
  const question = { filter, text: words.length < 2 ? "" : words };
  const next = nextOf(list, question);
  const isPartial = hasOlder(list, question);
  const mustLoad = isLoaded && !problem && next === undefined && (question.text !== "" || !isComplete(list));
  useEffect(() => {
    if (!mustLoad) return;
    const timer = setTimeout(() => void loadPage({ filter, text: question.text }), question.text ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [mustLoad, filter, question.text]);
  const isListed = open !== null && open !== undefined && isLoaded;
  useEffect(() => {
    if (isListed) scrolled.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [isListed, open?.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...(scrolled.current?.querySelectorAll<HTMLElement>("a.conv") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const target = links[Math.min(links.length - 1, Math.max(0, at + step))];
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <>
      <div className="lhead" onKeyDown={onKeyDown}>
        <div className="row">
          <h2>{t("Conversations")}</h2>
          <Button look="quiet" icon="plus" label={t("New conversation")} onClick={() => setLayout({ dialog: "new" })} />
        </div>
        <input type="search" placeholder={t("Filter by name, node or text")} aria-label={t("Filter conversations")} value={text} onChange={(event) => setText(event.target.value)} />
        <div className="filters" role="group" aria-label={t("Show")}>
          {FILTERS.map(([name, label]) => (
            <button key={name} type="button" aria-pressed={filter === name} onClick={() => setFilter(name)}>
              {label} {totalOf(list, name)}
            </button>
          ))}
        </div>
      </div>
      <div className="lscroll" tabIndex={0} role="region" aria-label={t("List of conversations")} ref={scrolled} onKeyDown={onKeyDown}>
        {problem && <Refusal problem={problem} onRetry={() => void loadList()} />}
        {isLoaded && !all.length && <Empty title={t("No conversations yet")}>{t("Press + to begin one.")}</Empty>}
        {isLoaded && all.length > 0 && !groups.length && !isPartial && <Empty title={t("None of them matches")}>{tx("Change the filter to see the other {list}.", { list: totalOf(list, "all") })}</Empty>}
        {groups.map(({ flow, title, rows }) => (
          <section key={flow} aria-label={title}>
            <div className="grp" title={flow}>
              <h3>{title}</h3>
              <span>{next === null || isComplete(list) ? rows.length : `${rows.length}+`}</span>
            </div>
            {rows.map((row) => (
              <Row key={row.id} summary={row} hasSnippet={text.trim().length > 1} />
            ))}
          </section>
        ))}
        {!isLoaded && !problem && <Loading label={t("Loading the conversations")} shape={[34, 34, 34, 34]} />}
        {isPartial && <p className="older" role="status">{groups.length ? t("Older conversations are not searched yet.") : t("None so far. Older conversations are not searched yet.")}</p>}
        {typeof next === "string" && (
          <button type="button" className="more" onClick={() => void loadPage(question)}>
            {isPartial ? t("Search on") : t("Show more")}
          </button>
        )}
      </div>
    </>
  );
}

function Row({ summary, hasSnippet }: { summary: ConversationSummary; hasSnippet: boolean }) {
  const open = useConversationId();
  const routeTo = useRouteTo();
  const now = useNow(10_000);
  const isWriting = (useConversationData(summary.id)?.drafts.length ?? 0) > 0;
  const age = now - summary.at_ms;
  return (
    <Link className="conv" to={routeTo(summary)} aria-current={open === summary.id ? "page" : undefined} onClick={() => setLayout({ pane: "chat", hasDrawer: false, isPersonOpen: false })}>
      <span className="n">
        {summary.marks.includes("fork") && <Icon name="fork" />}
        <ConversationName id={summary.id} name={summary.name} />
      </span>
      <time className="t" dateTime={new Date(summary.at_ms).toISOString()}>
        {age < 2000 ? t("now") : span(age)}
      </time>
      <StatusLine summary={summary} isWriting={isWriting} />
      {hasSnippet && summary.snippet && <span className="snippet">{summary.snippet}</span>}
    </Link>
  );
}
