import { useEffect } from "react";
import { api } from "../api/calls";
import { Link } from "../app/Link";
import { useNow } from "../app/clock";
import { span } from "../app/words";
import { useScope } from "../data/hooks";
import { invalidate, useResource } from "../data/resource";
import { conversationRoute } from "../data/route";
import { ConversationName } from "../ui/ConversationName";
import { Icon } from "../ui/Icon";
import { SendAgain } from "./Deliveries";
import "./time.css";
import { t, tx } from "../i18n/t";

const MOST = 8;

/** The deliveries of all conversations that were given up, for operators; nothing where there are none. */
export function FailedDeliveries() {
  const mayLook = useScope("operator");
  const { data } = useResource(mayLook ? "failed-deliveries" : null, api.failedDeliveries);
  const now = useNow(10_000);
  useEffect(() => invalidate("failed-deliveries"), []); // what was known may be old
  const failed = data?.deliveries ?? [];
  if (!failed.length) return null;
  const isMore = failed.length > MOST || data?.next !== null;
  return (
    <section className="undelivered" aria-labelledby="undelivered">
      <h2 id="undelivered">
        {t("Deliveries that failed")}{" "}<small>{isMore ? t("the last {MOST}", { MOST: Math.min(MOST, failed.length) }) : failed.length}</small>
      </h2>
      <ul>
        {failed.slice(-MOST).map((one) => (
          <li key={one.id}>
            <Icon name="error" />
            <span>
              <Link to={{ ...conversationRoute(one.conversation), tab: "time" }}>
                <ConversationName id={one.conversation} />
              </Link>
              , {tx("{now} ago:", { now: span(now - one.at_ms) })}{" "}{one.error || t("given up")}
            </span>
            <SendAgain delivery={{ ...one, about: one.conversation }} onSent={() => invalidate("failed-deliveries")} />
          </li>
        ))}
      </ul>
    </section>
  );
}
