import { useNow } from "../app/clock";
import { span } from "../app/words";
import { useConversation, useScope } from "../data/hooks";
import { setLayout, useLayout } from "../data/layout";
import { usePosition } from "../data/position";
import { operatorName } from "../data/operator";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";

/** Says that a person is in charge, or waited for. */
export function PersonBanner() {
  const person = useConversation()?.summary?.person;
  const isAllowed = useScope("operator");
  const { isPersonOpen } = useLayout();
  const now = useNow(10_000);
  if (!person) return null;
  return (
    <div className="banner person">
      <Icon name="person" />
      <span>
        <b>{person.operator ? `${operatorName(person)} has been in charge for ${span(now - (person.taken_ms ?? person.since_ms))}.` : `This conversation waits for a person${person.queue ? ` in the queue ${person.queue}` : ""}.`}</b>{" "}
        <span className="hw">No model is called and nothing is judged until {operatorName(person) || "a person"} gives it back.</span>
      </span>
      <span className="grow" />
      {isAllowed && !isPersonOpen && <Button onClick={() => setLayout({ isPersonOpen: true, pane: "why" })}>{person.operator ? "Give back" : "Take over"}</Button>}
    </div>
  );
}

/** Says that the position is not live, and how many turns came since. */
export function Banner() {
  const position = usePosition();
  const conversation = useConversation();
  if (position.isLive) return conversation?.isCut ? <p className="banner">Earlier messages are no longer stored.</p> : null;
  return (
    <div className="banner">
      <Icon name="clock" />
      <span>
        <b>
          Turn {position.turn} of {position.lastTurn}.
        </b>{" "}
        <span className="hw">Everything stands here; new turns do not move you.</span>
      </span>
      <span className="grow" />
      <Button onClick={position.goLive}>Go to live</Button>
    </div>
  );
}
