import type { ReactNode } from "react";
import type { DecisionView, ModelCallView, TurnTrace } from "../../api/types";
import { useOpenFrames } from "../../data/frames";
import { useTitles } from "../../data/titles";
import { nameOf } from "../../scopes/words";
import { costText, dateTimeText, durationText } from "../format";
import { t } from "../../i18n/t";

/** Node, moment, model, tokens, cost and time of a turn, in one line. */
export function MetaLine({ trace, view }: { trace: TurnTrace; view: DecisionView | null }) {
  const titles = useTitles();
  const calls = trace.model_calls;
  const models = [...new Set(calls.map((call) => call.model).filter(Boolean))];
  const cost = sum(calls, "cost");
  const inside = useOpenFrames().slice(1).at(-1);
  const hasFailed = calls.length > 0 && calls.every((call) => call.error);
  return (
    <div className="meta">
      <Item name={t("node")}>{titles.node(view?.decision.node ?? trace.state.node)}</Item>
      {inside && <Item name={t("inside")}>{nameOf(inside)}</Item>}
      {view && <span className="tech">{t("moment")}{" "}<code>{view.decision.moment}</code></span>}
      {calls.length === 0 ? <span>{t("no model call")}</span> : hasFailed ? <span className="no">{t("model call failed")}</span> : models.length ? <Item name={t("model")}>{models.join(", ")}</Item> : <span>{t("a model without a name")}</span>}
      {tokenText(calls) !== "unknown" && !hasFailed && <Item name={t("tokens")}>{tokenText(calls)}</Item>}
      {cost !== null && <Item name={t("cost")}>{costText(cost)}</Item>}
      <span title={dateTimeText(view?.decision.at_ms ?? trace.at_ms)}>
        {t("time")}{" "}<code>{durationText(trace.took_ms)}</code>
      </span>
    </div>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      {name} <code>{children}</code>
    </span>
  );
}

/** Returns `292 + 27`: tokens in and out, of all calls. */
export function tokenText(calls: readonly ModelCallView[]): string {
  const into = sum(calls, "tokens_in");
  const out = sum(calls, "tokens_out");
  return into === null && out === null ? "unknown" : `${into ?? "?"} + ${out ?? "?"}`;
}

/** Returns the sum of what is known, and `null` where nothing is. */
export function sum(calls: readonly ModelCallView[], key: "tokens_in" | "tokens_out" | "cost" | "took_ms"): number | null {
  const known = calls.map((call) => call[key]).filter((value) => value !== null);
  return known.length ? known.reduce((total, value) => total + value, 0) : null;
}
