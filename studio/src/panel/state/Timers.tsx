import type { StateView, TimerView } from "../../api/types";
import { useNow } from "../../app/clock";
import { useConversationId, useScope } from "../../data/hooks";
import { usePosition } from "../../data/position";
import { sendTurn } from "../../data/sending";
import { Icon } from "../../ui/Icon";
import { dateTimeText, durationText } from "../format";
import { Block } from "./StateTab";

/** The timers that are armed. At the live position an administrator can fire one without waiting. */
export function Timers({ state }: { state: StateView }) {
  if (!state.timers.length) return null;
  return (
    <Block title="Timers" about="Fire now takes a turn in this conversation">
      <ol className="stack">
        {state.timers.map((timer) => (
          <Timer key={`${timer.transition} ${timer.due_ms}`} timer={timer} />
        ))}
      </ol>
    </Block>
  );
}

function Timer({ timer }: { timer: TimerView }) {
  const id = useConversationId();
  const { isLive } = usePosition();
  const canFire = useScope("admin") && isLive;
  return (
    <li>
      <Icon name="clock" />
      <span>
        <code>
          <b>{timer.transition}</b> → {timer.target || "end"}
        </code>
        <br />
        <Due timer={timer} isLive={isLive} /> {timer.because && <span className="muted">{timer.because}</span>}
      </span>
      <span className="grow" />
      {canFire && (
        <button type="button" className="btn" onClick={() => id && void sendTurn(id, { timer: { transition: timer.transition } }, `${timer.transition} came due`)} aria-label={`Fire ${timer.transition} now`}>
          Fire now
        </button>
      )}
    </li>
  );
}

function Due({ timer, isLive }: { timer: TimerView; isLive: boolean }) {
  const now = useNow(1000);
  const left = timer.due_ms - now;
  if (!isLive) return <span className="muted">due {dateTimeText(timer.due_ms)}</span>;
  return (
    <span className="muted" title={dateTimeText(timer.due_ms)}>
      {left > 0 ? `in ${durationText(Math.max(1000, left))}` : "due now"}
    </span>
  );
}
