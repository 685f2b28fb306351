import { useState } from "react";
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

/** The prompts of the turn and what they differ in, the tools that were offered or not, their calls, cost and time. */
export function PromptTab({ trace }: { trace: TurnTrace }) {
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
        <Block title="Prompt sent">
          <p className="muted">
            No model was called in this turn. <code>{trace.state.node}</code> needs none, or answered with a fixed text. <AskWhy subject="the model" name="No model was called" />
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
      title="Prompt sent"
      about={`call ${number} of ${count}${canCompare && isDiff ? ", compared with the call before" : ""}`}
      action={<CopyButton label="Copy the prompt" text={() => prompt.text} />}
    >
      <div className="acts tight">
        {count > 1 && (
          <span className="seg" role="group" aria-label="Calls of this turn">
            {Array.from({ length: count }, (_, index) => (
              <button key={index} type="button" aria-pressed={index === number - 1} onClick={() => onSelect(index)} aria-label={`Call ${index + 1}`}>
                {index + 1}
              </button>
            ))}
          </span>
        )}
        {canCompare && (
          <span className="seg" role="group" aria-label="Show">
            <button type="button" aria-pressed={isDiff} onClick={() => setDiff(true)}>
              Difference
            </button>
            <button type="button" aria-pressed={!isDiff} onClick={() => setDiff(false)}>
              Full text
            </button>
          </span>
        )}
        <Proof prompt={prompt} />
        <AskWhy subject="the model" name="This prompt" />
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
      {prompt.is_proved ? "This is the text that was sent" : "The recorded hash is another one"}
      <code className="muted">{prompt.hash}</code>
    </span>
  );
}

function CostAndTime({ calls }: { calls: readonly ModelCallView[] }) {
  if (!calls.length) return null;
  const [into, out, cost, ms] = [sum(calls, "tokens_in"), sum(calls, "tokens_out"), sum(calls, "cost"), sum(calls, "took_ms")];
  return (
    <Block title="Cost and time" about={countText(calls.length, "model call")}>
      <dl className="kv flat">
        <dt>Tokens</dt>
        <dd>{into === null && out === null ? "unknown, the model reports none" : `${into ?? "?"} in, ${out ?? "?"} out`}</dd>
        <dt>Time</dt>
        <dd>{ms === null ? "unknown" : `${durationText(ms)} in the model`}</dd>
        <dt>Cost</dt>
        <dd>{cost === null ? "unknown, this model has no price" : costText(cost)}</dd>
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
        <code>{call.model || "unknown model"}</code>
        <span className="muted">in {call.node}</span>
        {call.took_ms !== null && <span className="muted">{durationText(call.took_ms)}</span>}
        {call.error && <span className="no">{call.error}</span>}
      </dd>
    </>
  );
}
