import { Link } from "../app/Link";
import { span } from "../app/words";
import { useNow } from "../app/clock";
import { useRouteTo } from "../data/hooks";
import { useList } from "../data/list";
import { StatusLine } from "../list/StatusLine";
import "../list/list.css";
import { ConversationName } from "../ui/ConversationName";
import { t } from "../i18n/t";

/** The conversations that changed last. */
export function Recent() {
  const { byId } = useList();
  const routeTo = useRouteTo();
  const now = useNow(10_000);
  const rows = Object.values(byId)
    .sort((a, b) => b.at_ms - a.at_ms)
    .slice(0, 6);
  if (!rows.length) return null;
  return (
    <section className="recent" aria-labelledby="recent">
      <h2 id="recent">{t("Go on")}</h2>
      <div>
        {rows.map((row) => (
          <Link key={row.id} className="conv" to={routeTo(row)}>
            <span className="n"><ConversationName id={row.id} /></span>
            <span className="t">{span(now - row.at_ms)}</span>
            <StatusLine summary={row} />
          </Link>
        ))}
      </div>
    </section>
  );
}
