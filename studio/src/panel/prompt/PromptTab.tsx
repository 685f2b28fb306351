import { useState } from "react";
import { useTitles } from "../../data/titles";
import { AskWhy } from "../../ask/AskWhy";
import type { ModelCallView, PromptView, TurnTrace } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { Icon } from "../../ui/Icon";
import { costText, countText, durationText } from "../format";
import { Block } from "../state/Block";
import { sum } from "../why/MetaLine";
import { CallList } from "./CallList";
import { PromptParts } from "./PromptParts";
import { ToolList } from "./ToolList";
import { t, tx } from "../../i18n/t";

/** The prompts of the turn and what they differ in, the tools that were offered or not, their calls, cost and time. */
export function PromptTab({ trace }: { trace: TurnTrace }) {
  const titles = useTitles();
  const [wanted, setWanted] = useState<string | null>(null);
  const at = Math.max(
    0,
    trace.prompts.findIndex((prompt) => prompt.effect === wanted),
  );
  const shown = wanted === null ? trace.prompts.length - 1 : at;
  const prompt = trace.prompts[shown];
  return (
    <>
      {prompt ? (
        <SentPrompt prompt={prompt} number={shown + 1} count={trace.prompts.length} call={trace.model_calls.find((call) => call.effect === prompt.effect)} onSelect={(index) => setWanted(trace.prompts[index]?.effect ?? null)} />
      ) : (
        <Block title={t("Prompt sent")}>
          <p className="muted">
            {tx("No model was called in this turn. {node} needs none, or answered with a fixed text.", { node: <b>{titles.node(trace.state.node)}</b> })}{" "}<AskWhy subject="the model" name={t("No model was called")} />
          </p>
        </Block>
      )}
      <ToolList tools={trace.tools} />
      {trace.calls.length > 0 && <CallList calls={trace.calls} />}
      <CostAndTime calls={trace.model_calls} />
    </>
  );
}

type Props = { prompt: PromptView; number: number; count: number; call: ModelCallView | undefined; onSelect: (index: number) => void };

function SentPrompt({ prompt, number, count, call, onSelect }: Props) {
  const [isDiff, setDiff] = useState(true);
  const canCompare = Boolean(prompt.previous_parts);
  return (
    <Block
      title={t("Prompt sent")}
      about={`call ${number} of ${count}${canCompare && isDiff ? t(", compared with the call before") : ""}`}
      action={<CopyButton label={t("Copy the prompt")} text={() => prompt.text} />}
    >
      <div className="acts tight">
        {count > 1 && (
          <span className="seg" role="group" aria-label={t("Calls of this turn")}>
            {Array.from({ length: count }, (_, index) => (
              <button key={index} type="button" aria-pressed={index === number - 1} onClick={() => onSelect(index)} aria-label={t("Call {index}", { index: index + 1 })}>
                {index + 1}
              </button>
            ))}
          </span>
        )}
        {canCompare && (
          <span className="seg" role="group" aria-label={t("Show")}>
            <button type="button" aria-pressed={isDiff} onClick={() => setDiff(true)}>
              {t("Difference")}
            </button>
            <button type="button" aria-pressed={!isDiff} onClick={() => setDiff(false)}>
              {t("Full text")}
            </button>
          </span>
        )}
        <Proof prompt={prompt} />
        <AskWhy subject="the model" name={t("This prompt")} />
      </div>
      <PromptParts key={`${prompt.effect} ${isDiff}`} prompt={prompt} isDiff={canCompare && isDiff} />
      {call?.error && (
        <p className="no">
          <Icon name="error" /> {call.error}
        </p>
      )}
    </Block>
  );
}

/** Whether the prompt, made again from the journal, has the hash that was recorded when it was sent. */
function Proof({ prompt }: { prompt: PromptView }) {
  if (!prompt.hash) return null;
  return (
    <span className="proof">
      <Icon name={prompt.is_proved ? "held" : "unknown"} />
      {prompt.is_proved ? t("This is the text that was sent") : t("The recorded hash is another one")}
      <code className="muted">{prompt.hash}</code>
    </span>
  );
}

function CostAndTime({ calls }: { calls: readonly ModelCallView[] }) {
  if (!calls.length) return null;
  const [into, out, cost, ms] = [sum(calls, "tokens_in"), sum(calls, "tokens_out"), sum(calls, "cost"), sum(calls, "took_ms")];
  return (
    <Block title={t("Cost and time")} about={countText(calls.length, "model call")}>
      <dl className="kv flat">
        <dt>{t("Tokens")}</dt>
        <dd>{into === null && out === null ? t("unknown, the model reports none") : t("{x} in, {x2} out", { x: into ?? "?", x2: out ?? "?" })}</dd>
        <dt>{t("Time")}</dt>
        <dd>{ms === null ? t("not known") : t("{ms} in the model", { ms: durationText(ms) })}</dd>
        <dt>{t("Cost")}</dt>
        <dd>{cost === null ? t("unknown, this model has no price") : costText(cost)}</dd>
        {calls.map((call) => (
          <Attempt key={call.effect} call={call} />
        ))}
      </dl>
    </Block>
  );
}

function Attempt({ call }: { call: ModelCallView }) {
  return (
    <>
      <dt>{call.purpose}</dt>
      <dd>
        <code>{call.model || t("unknown model")}</code>
        <span className="muted">{tx("in {node}", { node: useTitles().node(call.node) })}</span>
        {call.took_ms !== null && <span className="muted">{durationText(call.took_ms)}</span>}
        {call.error && <span className="no">{call.error}</span>}
      </dd>
    </>
  );
}
