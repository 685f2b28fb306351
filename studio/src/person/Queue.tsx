// The conversations that wait for a person, with the time that each has waited.

import { useId, useMemo } from "react";
import type { ConversationSummary } from "../api/types";
import { useNow } from "../app/clock";
import { Link } from "../app/Link";
import { span } from "../app/words";
import { useQueue } from "../data/hooks";
import { useList } from "../data/list";
import { operatorName } from "../data/operator";
import { conversationRoute } from "../data/route";
import { ConversationName } from "../ui/ConversationName";
import { Icon } from "../ui/Icon";
import { inQueue } from "./inQueue";
import { t, tn } from "../i18n/t";

/** The queue, folded below the rest of the panel. */
export function Queue({ current, isOpen = false }: { current: string; isOpen?: boolean }) {
  const queue = useQueue();
  const { byId } = useList();
  const now = useNow(1000);
  const all = useMemo(() => inQueue(queue.data ?? [], byId), [queue.data, byId]);
  const waiting = all.filter((one) => !one.person?.operator);
  const taken = all.filter((one) => one.person?.operator);
  const longest = waiting[0]?.person?.since_ms;
  return (
    <details className="sect queue" open={isOpen || undefined}>
      <summary>
        <Icon name="chev" className="chev" />
        {t("Queue")}
        <span className="r">
          {[longest === undefined ? t("nobody waits") : tn(waiting.length, "1 waits, longest {duration}", "{n} wait, longest {duration}", { duration: span(now - longest) }), taken.length ? t("{n} with a person", { n: taken.length }) : ""].filter(Boolean).join(" · ")}
        </span>
      </summary>
      <Group title={t("Waiting")} rows={waiting} current={current} now={now} />
      <Group title={t("With a person")} rows={taken} current={current} now={now} />
      {!all.length && <p className="muted none">{t("A conversation appears here when its flow hands over to a person, or a person takes it over.")}</p>}
    </details>
  );
}

function Group({ title, rows, current, now }: { title: string; rows: readonly ConversationSummary[]; current: string; now: number }) {
  const id = useId();
  if (!rows.length) return null;
  return (
    <>
      <h3 className="label" id={id}>
        {title}
      </h3>
      <ul aria-labelledby={id}>
        {rows.map(({ id: name, node, person }) => (
          <li key={name}>
            <Link to={conversationRoute(name)} className="waiting" aria-current={name === current ? "page" : undefined}>
              <Icon name="person" className={person?.operator ? "muted" : ""} />
              <span className="n">
                <ConversationName id={name} />
              </span>
              <span className="t">{person?.operator ? `${operatorName(person)}, ${span(now - (person.taken_ms ?? person.since_ms))}` : span(now - (person?.since_ms ?? now))}</span>
              <span className="s">{[person?.queue, person?.about].filter(Boolean).join(": ") || node}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
