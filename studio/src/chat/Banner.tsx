import { useNow } from "../app/clock";
import { NotLive } from "../app/NotLive";
import { span } from "../app/words";
import { useConversation, useScope } from "../data/hooks";
import { setLayout, useLayout } from "../data/layout";
import { useOperator } from "../data/operator";
import { usePosition } from "../data/position";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { t } from "../i18n/t";

/** Says that a person is in charge, or waited for. */
export function PersonBanner() {
  const { person, shown, isMine } = useOperator();
  const isAllowed = useScope("operator");
  const { isPersonOpen } = useLayout();
  const now = useNow(1000);
  if (!person) return null;
  return (
    <div className="banner person">
      <Icon name="person" />
      <span>
        <b>{person.operator ? t("{shown} has been in charge for {now}.", { shown, now: span(now - (person.taken_ms ?? person.since_ms)) }) : t("This conversation has waited for a person{x} for {now}.", { x: person.queue ? t(" in the queue {queue}", { queue: person.queue }) : "", now: span(now - person.since_ms) })}</b>{" "}
        <span className="hw">{person.operator ? t("No model is called and nothing is judged until {shown} gives it back.", { shown }) : t("Messages are passed on, and not understood, until a person has given it back.")}</span>
      </span>
      <span className="grow" />
      {isAllowed && <Button className={isPersonOpen ? "only-narrow" : ""} onClick={() => setLayout({ isPersonOpen: true, pane: "why" })}>{isMine ? t("Give back") : t("Take over")}</Button>}
    </div>
  );
}

/** Says that the position is not live, and how many turns came since. */
export function Banner() {
  const position = usePosition();
  const conversation = useConversation();
  if (position.isLive) return conversation?.isCut ? <p className="banner">{t("Earlier messages are no longer stored.")}</p> : null;
  return (
    <NotLive>
      <span className="hw">{t("Chat, graph, state and panel show it as it was then.")}</span>
    </NotLive>
  );
}
