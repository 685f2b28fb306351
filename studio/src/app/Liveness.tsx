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
        <span>{operator ? t("{operator} is in charge, {now}", { operator, now: span(now - (taken_ms ?? since_ms)) }) : t("Waits for a person in {queue}, {now}", { queue, now: span(now - since_ms) })}</span>
      </span>
    );
  }
  if (activity) {
    return (
      <span className="live">
        <i className="dot" />
        <span title={activity.words}>
          {activity.words}, {span(now - activity.since)}
        </span>
      </span>
    );
  }
  const isOver = summary.status === "ended" || summary.status === "failed";
  const plain = isOver ? headlineOf(summary) : waitWords(summary);
  const since = isOver ? "" : `, ${span(now - (summary.since_ms || summary.at_ms))}`;
  return (
    <span className="live">
      <i className={isOver ? "dot over" : "dot"} />
      <span className="headline" title={headlineOf(summary)}>{(headlineOf(summary) || plain) + since}</span>
      <span className="inshort">{plain + since}</span>
    </span>
  );
}
