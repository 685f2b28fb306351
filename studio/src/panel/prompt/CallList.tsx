import { callStatus } from "../../data/statusWords";
import { AskWhy } from "../../ask/AskWhy";
import type { CallView } from "../../api/types";
import { Icon } from "../../ui/Icon";
import type { IconName } from "../../ui/icons";
import { countText, durationText } from "../format";
import { Block } from "../state/Block";
import { t, tx } from "../../i18n/t";

const ICONS: Record<CallView["status"], IconName> = {
  returned: "held",
  answered: "held",
  failed: "error",
  refused: "blocked",
  waiting: "clock",
  unknown: "unknown",
};

/** The calls of tools in the turn: arguments, result or refusal, and time. */
export function CallList({ calls }: { calls: readonly CallView[] }) {
  return (
    <Block title={t("Calls")} about={countText(calls.length, "call")}>
      <ul className="calls">
        {calls.map((call) => (
          <li key={`${call.id} ${call.seq}`}>
            <p>
              <Icon name={ICONS[call.status]} />
              <AskWhy subject={`call ${call.id}`}>
                <code>
                  <b>{call.tool}</b>
                </code>
              </AskWhy>
              <span className={call.status === "failed" || call.status === "refused" ? "no" : "soft"}>{callStatus(call.status)}</span>
              <span className="muted">
                {tx("seq {seq}", { seq: call.seq })}
                {call.took_ms !== null && `, ${durationText(call.took_ms)}`}
              </span>
            </p>
            <Json label={t("arguments")} data={call.arguments} />
            {call.error || call.reason ? (
              <p className="no">{call.error || call.reason}</p>
            ) : (
              call.status !== "waiting" && <Json label={t("result")} data={call.result} />
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}

function Json({ label, data }: { label: string; data: unknown }) {
  const text = JSON.stringify(data ?? null, null, 2);
  return (
    <div className="jsonrow">
      <span className="muted">{label}</span>
      <pre tabIndex={text.length > 400 ? 0 : undefined}>{text}</pre>
    </div>
  );
}
