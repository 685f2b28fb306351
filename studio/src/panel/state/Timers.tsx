import { AskWhy } from "../../ask/AskWhy";
import type { StateView, TimerView } from "../../api/types";
import { useNow } from "../../app/clock";
import { useConversationId, useFlow, useScope } from "../../data/hooks";
import { usePosition } from "../../data/position";
import { sendTurn } from "../../data/sending";
import { Icon } from "../../ui/Icon";
import { dateTimeText, durationText } from "../format";
import { Block } from "./Block";
import { inWords } from "../../data/names";
import { useSettings } from "../../data/settings";
import { useTitles } from "../../data/titles";
import { t, tx } from "../../i18n/t";

/** The end of the wait for a person: no transition, but the outcome `timeout` that the node then judges. */
const PERSON_TIMEOUT = "person timeout";

/** The timers that are armed. At the live position an administrator can fire one without waiting. */
export function Timers({ state }: { state: StateView }) {
  const idle = useIdleTimers(state.timers);
  const nameOf = useTimerName();
  if (!state.timers.length && !idle.length) return null;
  return (
    <Block title={t("Timers")} about={state.timers.length ? t("Fire now takes a turn in this conversation") : t("none is armed")}>
      {state.timers.length > 0 && (
        <ol className="stack">
          {state.timers.map((timer) => (
            <Timer key={`${timer.transition} ${timer.due_ms}`} timer={timer} />
          ))}
        </ol>
      )}
      {idle.length > 0 && (
        <ul className="idle" aria-label={t("Timers that are not armed")}>
          {idle.map((name) => (
            <li key={name}>
              <AskWhy subject={`timer ${name}`}>
                <span title={name}>{nameOf(name)}</span>{" "}{t("is not armed")}
              </AskWhy>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

/** The timers of the flow that are not armed. */
function useIdleTimers(armed: readonly TimerView[]): string[] {
  const flow = useFlow().data;
  const names = new Set(flow?.graph.edges.filter((edge) => edge.moment === "timer").map((edge) => edge.transition));
  for (const timer of armed) names.delete(timer.transition);
  return [...names];
}

/** What timers are called: their names in words, or as they stand in the document where technical details are shown. */
function useTimerName(): (name: string) => string {
  const { isTechnical } = useSettings();
  return isTechnical ? (name) => name : inWords;
}

function Timer({ timer }: { timer: TimerView }) {
  const id = useConversationId();
  const titles = useTitles();
  const nameOf = useTimerName();
  const { isLive } = usePosition();
  const graph = useFlow().data?.graph;
  const edge = graph?.edges.find((one) => one.moment === "timer" && one.transition === timer.transition);
  const staysHere = graph?.nodes.some(({ id: at, kind }) => kind === "stay" && at === edge?.target) ?? false;
  const canFire = useScope("admin") && isLive;
  return (
    <li>
      <Icon name="clock" />
      <span>
        <AskWhy subject={`timer ${timer.transition}`}>
          <b title={timer.transition}>{nameOf(timer.transition)}</b>
          {timer.transition === PERSON_TIMEOUT ? t(" in {node}", { node: titles.node(timer.node) }) : staysHere ? `: ${t("stays")}` : ` → ${timer.target ? titles.node(timer.target) : t("end")}`}
        </AskWhy>
        <br />
        <Due timer={timer} isLive={isLive} /> {timer.because && <span className="muted">{timer.because}</span>}
      </span>
      <span className="grow" />
      {canFire && (
        <button type="button" className="btn" onClick={() => id && void sendTurn(id, { timer: { transition: timer.transition } }, t("{title} came due", { title: inWords(timer.transition) }))} aria-label={t("Fire now: {transition}", { transition: nameOf(timer.transition) })}>
          {t("Fire now")}
        </button>
      )}
    </li>
  );
}

function Due({ timer, isLive }: { timer: TimerView; isLive: boolean }) {
  const now = useNow(1000);
  const left = timer.due_ms - now;
  if (!isLive) return <span className="muted">{tx("due {due_ms}", { due_ms: dateTimeText(timer.due_ms) })}</span>;
  return (
    <span className="muted" title={dateTimeText(timer.due_ms)}>
      {left > 0 ? t("in {x}", { x: durationText(Math.max(1000, left)) }) : t("due now")}
    </span>
  );
}
