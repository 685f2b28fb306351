import { AskWhy } from "../../ask/AskWhy";
import type { StateView } from "../../api/types";
import { useFrames } from "../../data/frames";
import { inChargeWords, operatorName } from "../../data/operator";
import { usePosition } from "../../data/position";
import { useTitles } from "../../data/titles";
import { leftWords, nameOf } from "../../scopes/words";
import { Icon } from "../../ui/Icon";
import { Pill } from "../../ui/Pill";
import { durationText } from "../format";
import { t, tx } from "../../i18n/t";

/** Whether the machine is in charge: neither is the conversation over, nor does a person have it. */
const isRunning = (state: StateView): boolean => state.person === null && state.status["type"] === "waiting";

export const stackWords = (state: StateView): string =>
  isRunning(state) ? t("the first one is in charge") : state.person ? t("{person}; the first one goes on after that", { person: inChargeWords(state.person) }) : t("nothing is in charge");

/** The frames that are open, the one in charge first. */
export function Stack({ state }: { state: StateView }) {
  const titles = useTitles();
  const nodes = state.stack.length ? state.stack : [state.node];
  const frames = nodes.map((node, depth) => ({ node, id: state.frames[depth] ?? 0 })).reverse();
  return (
    <ol className="stack">
      {frames.map(({ node, id }, at) => (
        <li key={`${at} ${node}`} className={at === 0 ? "topf" : ""}>
          <AskWhy subject={`node ${node}`}>
            <b title={node}>{titles.node(node)}</b>
          </AskWhy>
          {at === 0 && state.visits[node] ? <span className="muted">{tx("visit {node}", { node: state.visits[node] })}</span> : null}
          {at > 0 && <span className="muted">{t("goes on when the one above closes")}</span>}
          <span className="grow" />
          {at === 0 && isRunning(state) && <Pill tone="here">{t("in charge")}</Pill>}
          {id > 0 && <Limits id={id} />}
        </li>
      ))}
      {state.person && (
        <li>
          <Icon name="person" />
          <AskWhy subject="the person">
            <b>{operatorName(state.person) || t("waits for a person")}</b>
          </AskWhy>
          {state.person.queue && <span className="muted">{tx("queue {queue}", { queue: state.person.queue })}</span>}
          <span className="grow" />
          {state.person.operator && <Pill tone="here">{t("in charge")}</Pill>}
        </li>
      )}
    </ol>
  );
}

/** What goes into a scope and comes back, and what is left of its limits. */
function Limits({ id }: { id: number }) {
  const frame = useFrames().find((one) => one.id === id);
  const { isLive } = usePosition();
  if (!frame) return null;
  const passed = [...(frame.inherits.length ? [t("inherits {inherits}", { inherits: frame.inherits.join(", ") })] : []), ...(frame.returns ? [t("returns {returns}", { returns: frame.returns })] : [])];
  const idle = frame.idle_ms === null ? [] : [t("closes after {duration} without a word", { duration: durationText(frame.idle_ms) })];
  const words = [t("inner conversation {name}", { name: nameOf(frame) }), isLive ? leftWords(frame) : "", ...idle, ...passed];
  return <span className="muted limits">{words.filter(Boolean).join(" · ")}</span>;
}
