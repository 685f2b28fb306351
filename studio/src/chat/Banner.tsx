import { useConversation } from "../data/hooks";
import { usePosition } from "../data/position";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";

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
        <span className="hw">Chat, graph, state and panel stand here; new turns do not move you.</span>
      </span>
      <span className="grow" />
      <Button onClick={position.goLive}>Go to live</Button>
    </div>
  );
}
