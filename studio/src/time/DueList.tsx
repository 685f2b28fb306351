import type { DueView, OfferView, TimeView } from "../api/types";
import { useNow } from "../app/clock";
import { AskWhy } from "../ask/AskWhy";
import { useConversationId, useScope } from "../data/hooks";
import { sendTurn } from "../data/sending";
import { dateTimeText } from "../panel/format";
import { Icon } from "../ui/Icon";
import { firesAt, heldText, momentText, spanText } from "./words";
import { inWords } from "../data/names";
import { t, tx } from "../i18n/t";

/** What comes due, the next first: when, what then happens, why it waits, and a button that does not wait. */
export function DueList({ view }: { view: TimeView }) {
  const now = useNow(1000);
  return (
    <div className="pad">
      <ol className="due">
        {view.offers.map((one) => (
          <Offer key={one.scope} offer={one} />
        ))}
        {view.due.map((one) => (
          <Due key={`${one.kind} ${one.name} ${one.node} ${one.due_ms ?? ""}`} due={one} now={now} zone={view.time_zone} />
        ))}
      </ol>
    </div>
  );
}

function Due({ due, now, zone }: { due: DueView; now: number; zone: string }) {
  const held = heldText(due);
  return (
    <li data-due={due.name}>
      <When ms={firesAt(due)} now={now} zone={zone} />
      <Icon name="clock" />
      <span>
        <b>{due.subject ? <AskWhy subject={due.subject}>{due.title}</AskWhy> : due.title}</b>
        <p>{[due.does, due.because].filter(Boolean).join("; ")}</p>
        {held && (
          <p className="held">
            {due.due_ms !== null && due.due_ms < now ? t("due {due_ms}, ", { due_ms: momentText(due.due_ms, now, zone) }) : ""}
            {held}
          </p>
        )}
      </span>
      <FireNow due={due} />
    </li>
  );
}

/** A scope that is proposed: its buttons are in the chat. */
function Offer({ offer }: { offer: OfferView }) {
  return (
    <li data-offer={offer.scope}>
      <span className="t">{offer.is_open ? t("open now") : t("waits")}</span>
      <Icon name="bell" />
      <span>
        <b>
          <AskWhy subject={offer.subject}>{tx("Offer: {title}", { title: offer.title })}</AskWhy>
        </b>
        <p>
          “{offer.opener}”{offer.by !== "node" && t(", by the schedule {by}", { by: inWords(offer.by) })}
        </p>
        <p className="held">{offer.is_open ? t("waits for a yes; lapses after one other turn") : t("is asked as soon as nothing else is")}</p>
      </span>
    </li>
  );
}

function When({ ms, now, zone }: { ms: number | null; now: number; zone: string }) {
  if (ms === null) return <span className="t" />;
  return (
    <span className="t" title={t("{ms}, by your clock", { ms: dateTimeText(ms) })}>
      {momentText(ms, now, zone)}
      <small>{spanText(ms, now)}</small>
    </span>
  );
}

/** Fires what is due without waiting; it takes a turn. */
function FireNow({ due }: { due: DueView }) {
  const id = useConversationId();
  const mayFire = useScope("admin") && due.can_fire;
  if (!mayFire || id === null) return null;
  return (
    <button type="button" className="btn" aria-label={t("Fire now: {title}", { title: due.title })} onClick={() => void sendTurn(id, { timer: { transition: due.name } }, t("{title} came due", { title: due.title }))}>
      {t("Fire now")}
    </button>
  );
}
