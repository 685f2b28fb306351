import { useEffect, useMemo, useRef, useState } from "react";
import { useConversationId, useFlow, useTurnTrace } from "../data/hooks";
import { usePosition } from "../data/position";
import { inWords } from "../data/names";
import { moveTo } from "../data/route";
import { fieldsRead } from "../panel/decision/candidates";
import { viewAt } from "../panel/decision/views";
import { Button } from "../ui/Button";
import { copyText } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { clearDraft, setDraft, useDraft, valueOfText } from "./draft";
import { ForkButton } from "./ForkButton";
import { JudgeAll } from "./JudgeAll";
import { changedRules, rulesOf } from "./rules";
import { RuleInputs } from "./RuleInputs";
import { useWhatIfAnswer, isEmptyQuestion, type Question } from "./useWhatIfAnswer";
import { ValueInputs } from "./ValueInputs";
import { WhatIfResults, WouldBe } from "./WhatIfResults";
import "./whatif.css";
import { t, tx } from "../i18n/t";

/** Judges stored decisions again with other values or guards, on a copy: nothing is saved, no model is called. */
export function WhatIfPanel() {
  const id = useConversationId() ?? "";
  const position = usePosition();
  const trace = useTurnTrace();
  const flow = useFlow();
  const draft = useDraft();
  const view = trace.data ? viewAt(trace.data, position.seq) : null;
  const rules = useMemo(() => rulesOf(view, flow.data), [view, flow.data]);
  const fields = trace.data?.state.values ?? [];
  const types = new Map(fields.map((field) => [field.field, field.type]));
  const read = useMemo(() => new Set(view ? fieldsRead(view.decision) : []), [view]);
  const question: Question = {
    conversation: id,
    turn: position.turn,
    isWhole: draft.isWhole,
    values: Object.fromEntries(Object.entries(draft.values).map(([field, text]) => [field, valueOfText(text, types.get(field) ?? "")])),
    rules: changedRules(draft.rules, rules),
  };
  const answer = useWhatIfAnswer(question);
  const problems = answer.result?.problems ?? [];
  const command = answer.result?.command ?? "";
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="wi" aria-labelledby="whatif-title">
      <header>
        <div className="wititle">
          <h2 id="whatif-title" tabIndex={-1} ref={title}>
            <Icon name="fork" />
            {tx("What if, at turn {turn}", { turn: position.turn })}
          </h2>
          <Button onClick={() => moveTo({ whatIf: false })}>{t("Close")}</Button>
        </div>
        <p>{t("Judges a copy of the stored state. Nothing is saved and no model is called.")}</p>
      </header>
      <div className="body" aria-busy={trace.isOld}>
        {trace.problem && <Refusal problem={trace.problem} />}
        {!trace.data && !trace.problem && <Loading label={t("Loading the state")} />}
        {trace.data && (
          <>
            {!isEmptyQuestion(question) && <WouldBe result={answer.result} seq={view?.decision.seq ?? null} />}
            <ValueInputs fields={fields} read={read} infos={flow.data?.fields ?? []} values={draft.values} problems={problems} />
            <RuleInputs rules={rules} texts={draft.rules} problems={problems} />
            <Range isWhole={draft.isWhole} turn={position.turn} />
            {answer.problem && <Refusal problem={answer.problem} />}
            {isEmptyQuestion(question) ? (
              <p className="muted">{t("Change a value or a guard: the decisions are judged again at once.")}</p>
            ) : (
              <WhatIfResults result={answer.result} isJudging={answer.isJudging} seq={view?.decision.seq ?? null} />
            )}
            {!isEmptyQuestion(question) && problems.length === 0 && flow.data && <JudgeAll key={JSON.stringify([question.values, question.rules])} flow={flow.data.flow.name} title={flow.data.flow.title || inWords(flow.data.flow.name)} question={question} />}
            <div className="acts">
              <ForkButton id={id} turn={position.turn} />
              <Button onClick={clearDraft} disabled={isEmptyQuestion(question)}>
                {t("Reset")}
              </Button>
              <CopyCommand command={answer.isJudging ? "" : command} />
            </div>
          </>
        )}
      </div>
    </section>
  );
}

function CopyCommand({ command }: { command: string }) {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    await copyText(command);
    setCopied(command);
  };
  const isCopied = command !== "" && copied === command;
  return (
    <Button look="quiet" icon={isCopied ? "check" : "copy"} onClick={() => void copy()} disabled={!command} title={commandTitle(command)}>
      {isCopied ? t("Copied") : t("Copy as command")}
    </Button>
  );
}

function commandTitle(command: string): string {
  if (!command) return t("A command needs a question without mistakes, and a store that is a file");
  return command.includes(" --store ") ? "turnwise what-if, for a terminal" : "turnwise what-if, for a terminal where TURNWISE_STORE names the store";
}

/** How much is judged again: this turn, or every turn of the conversation. */
function Range({ isWhole, turn }: { isWhole: boolean; turn: number }) {
  return (
    <div className="seg" role="group" aria-label={t("Judge again")}>
      <button type="button" aria-pressed={!isWhole} onClick={() => setDraft({ isWhole: false })}>
        {tx("turn {turn}", { turn })}
      </button>
      <button type="button" aria-pressed={isWhole} onClick={() => setDraft({ isWhole: true })}>
        {t("whole conversation")}
      </button>
    </div>
  );
}
