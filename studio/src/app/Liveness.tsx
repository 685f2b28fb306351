import { useConversation } from "../data/hooks";
import { reconnect, useConnection } from "../data/live";
import { operatorName } from "../data/operator";
import { Icon } from "../ui/Icon";
import { useActivity } from "./activity";
import { useNow } from "./clock";
import { span, waitWords } from "./words";
import { headlineOf } from "../i18n/texts";
import { t, tx } from "../i18n/t";

/** What the conversation waits for and since when, or how the connection is. */
export function Liveness() {
  const connection = useConnection();
  const conversation = useConversation();
  const now = useNow(1000);
  const activity = useActivity();
  const summary = conversation?.summary;
  if (connection.status === "waiting" || (connection.status === "connecting" && connection.wasLost)) {
    return (
      <span className="live" role="status">
        <i className="dot off" />
        <span title={t("Everything up to this position is here")}>
          {tx("Reconnecting, attempt {x}", { x: Math.max(1, connection.attempt) })}
          <span className="hide">{t(", seq")}{" "}{conversation?.lastSeq ?? 0}</span>
        </span>
        <button type="button" className="linkish" onClick={reconnect}>
          {t("Try now")}
        </button>
      </span>
    );
  }
  if (connection.wasLost && connection.status === "open") {
    return (
      <span className="live" role="status">
        <i className="dot" />
        <span>
          {tx("Connected, {received} {x} received", { received: connection.received, x: connection.received === 1 ? t("event") : t("events") })}
        </span>
      </span>
    );
  }
  if (!summary) return null;
  if (summary.status === "person" && summary.person) {
    const { queue, since_ms, taken_ms } = summary.person;
    const operator = operatorName(summary.person);
    return (
      <span className="live">
        <Icon name="person" />
        <Lasting words={operator ? t("{operator} is in charge", { operator }) : t("Waits for a person in {queue}", { queue })} since={operator ? (taken_ms ?? since_ms) : since_ms} now={now} />
      </span>
    );
  }
  if (activity) {
    return (
      <span className="live">
        <i className="dot" />
        <Lasting words={activity.words} since={activity.since} now={now} />
      </span>
    );
  }
  const isOver = summary.status === "ended" || summary.status === "failed";
  const plain = isOver ? headlineOf(summary) : waitWords(summary);
  const since = isOver ? null : summary.since_ms || summary.at_ms;
  return (
    <span className="live">
      <i className={isOver ? "dot over" : "dot"} />
      <Lasting className="headline" words={headlineOf(summary) || plain} since={since} now={now} />
      <Lasting className="inshort" words={plain} since={since} now={now} />
    </span>
  );
}

/** What lasts, and for how long: where there is not enough room, the words are cut, and the time is not. */
function Lasting({ className, words, since, now }: { className?: string; words: string; since: number | null; now: number }) {
  return (
    <span className={className} title={words}>
      <span className="cut">{words}</span>
      {since !== null && <span className="since">{`, ${span(now - since)}`}</span>}
    </span>
  );
}
