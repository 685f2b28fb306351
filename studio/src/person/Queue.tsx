// The conversations that wait for a person, with the time that each has waited.

import { useMemo } from "react";
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

/** Those who wait, the longest first, and those with a person. The list is live; the queue has those beyond its first page. */
export function inQueue(queue: readonly ConversationSummary[], list: Readonly<Record<string, ConversationSummary>>): ConversationSummary[] {
  const known = new Map(queue.map((one) => [one.id, one]));
  for (const one of Object.values(list)) {
    if ((known.get(one.id)?.seq ?? -1) <= one.seq) known.set(one.id, one);
  }
  return [...known.values()].filter((one) => one.person).sort((a, b) => Number(Boolean(a.person?.operator)) - Number(Boolean(b.person?.operator)) || (a.person?.since_ms ?? 0) - (b.person?.since_ms ?? 0));
}

/** The queue, folded below the rest of the panel. */
export function Queue({ current, isOpen = false }: { current: string; isOpen?: boolean }) {
  const queue = useQueue();
  const { byId } = useList();
  const now = useNow(5000);
  const all = useMemo(() => inQueue((queue.data ?? []).map((one) => one.conversation), byId), [queue.data, byId]);
  const waiting = all.filter((one) => !one.person?.operator);
  const longest = waiting[0]?.person?.since_ms;
  return (
    <details className="sect queue" open={isOpen || undefined}>
      <summary>
        <Icon name="chev" className="chev" />
        Queue
        <span className="r">{longest === undefined ? "nobody waits" : `${waiting.length} ${waiting.length === 1 ? "waits" : "wait"}, longest ${span(now - longest)}`}</span>
      </summary>
      <ul>
        {all.map((one) => (
          <li key={one.id}>
            <Link to={conversationRoute(one.id)} className="waiting" aria-current={one.id === current ? "page" : undefined}>
              <Icon name="person" className={one.person?.operator ? "muted" : ""} />
              <span className="n"><ConversationName id={one.id} /></span>
              <span className="t">{one.person?.operator ? `with ${operatorName(one.person)}` : span(now - (one.person?.since_ms ?? now))}</span>
              <span className="s">
                {[one.person?.queue, one.person?.about].filter(Boolean).join(": ") || one.node}
              </span>
            </Link>
          </li>
        ))}
        {!all.length && <li className="muted none">A conversation appears here when its flow hands over to a person, or a person takes it over.</li>}
      </ul>
    </details>
  );
}
