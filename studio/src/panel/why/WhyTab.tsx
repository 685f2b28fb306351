import type { DecisionView, TurnTrace } from "../../api/types";
import { useConversation } from "../../data/hooks";
import { usePosition } from "../../data/position";
import { judgedViews } from "../decision/views";
import { PromptParts } from "../prompt/PromptParts";
import { Section } from "../Section";
import { FieldTable, isChangedIn } from "../state/FieldTable";
import { doingWords } from "./doing";
import { DecisionSwitcher } from "./DecisionSwitcher";
import { MetaLine } from "./MetaLine";
import { Notices } from "./Notices";
import { FormLedger } from "../ledger/FormLedger";
import { SentInstead } from "./SentInstead";
import { TransitionLogic } from "./TransitionLogic";
import { VerdictHeadline } from "./VerdictHeadline";
import { useTitles } from "../../data/titles";
import { t, tn } from "../../i18n/t";
import { activityText, verdictLine, verdictWords } from "../../i18n/texts";

/** Why the conversation moved or stayed: the verdict, the candidates, the state and the prompt of the turn. */
export function WhyTab({ trace, view }: { trace: TurnTrace; view: DecisionView | null }) {
  const position = usePosition();
  const views = judgedViews(trace);
  const select = (seq: number) => {
    const at = position.decisions.findIndex((seam) => seam.seq === seq);
    position.go(trace.turn, at < 0 ? undefined : at + 1);
  };
  return (
    <>
      <DecisionSwitcher turn={trace.turn} views={views} selected={view} onSelect={select} />
      {view ? <VerdictHeadline trace={trace} view={view} /> : <NothingJudged trace={trace} act={position.seam?.moment === "person" ? verdictLine(position.seam) : ""} />}
      {!view && <LastDecision before={trace.turn} />}
      <MetaLine trace={trace} view={view} />
      <Notices trace={trace} view={view} />
      <FormLedger trace={trace} />
      {view && <TransitionLogic view={view} />}
      <SentInstead trace={trace} />
      <CurrentState trace={trace} />
      <FullInstructions trace={trace} view={view} />
    </>
  );
}

function NothingJudged({ trace, act }: { trace: TurnTrace; act: string }) {
  const titles = useTitles();
  if (act) {
    return (
      <div className="verdict">
        <h2>{act}</h2>
        <p>{t("A person did this. No transition was judged in this turn.")}</p>
      </div>
    );
  }
  const doing = trace.events.some((one) => one.kind === "undone") ? "" : doingWords(trace, null);
  const moved = trace.events.find((one) => one.kind === "moved");
  if (moved) {
    return (
      <div className="verdict went">
        <h2>{t("Moved to {target}", { target: titles.node(trace.state.node) })}</h2>
        <p>{t("This move was decided in an earlier turn, and waited for this message.")}</p>
      </div>
    );
  }
  return (
    <div className="verdict">
      <h2>
        {doing || restedWords(trace, titles.node(trace.state.node))}
      </h2>
      <p>{trace.nothing_judged || t("No transition was judged in this turn.")}</p>
    </div>
  );
}

/** Leads from a turn in which nothing was judged to the decision that led to it. */
function LastDecision({ before }: { before: number }) {
  const { go } = usePosition();
  const seam = useConversation()?.seams.findLast(({ turn, moment }) => turn < before && moment !== "person");
  if (!seam) return null;
  const { headline, reason } = verdictWords(seam);
  return (
    <button type="button" className="lastdecision" onClick={() => go(seam.turn)}>
      <small>{t("The last decision, in turn {turn}", { turn: seam.turn })}</small>
      <b>{activityText(seam.activity) || headline}</b>
      {reason && <span>{reason}</span>}
    </button>
  );
}

/** How a turn without a judging came to rest in its node. */
const restedWords = ({ events }: TurnTrace, node: string): string => (events.some((one) => one.kind === "undone") ? t("Back in {node}", { node }) : t("Stayed in {node}", { node }));

function CurrentState({ trace }: { trace: TurnTrace }) {
  const known = trace.state.values.filter((value) => value.is_known).length;
  const changed = trace.state.values.filter((value) => isChangedIn(trace.state, value)).length;
  const aside = tn(known, "1 value", "{n} values") + (changed ? `, ${tn(changed, "1 changed", "{n} changed")}` : "");
  return (
    <Section id="state" title={t("Current State")} aside={aside}>
      <div className="pad sectbody">
        <FieldTable state={trace.state} />
      </div>
    </Section>
  );
}

function FullInstructions({ trace, view }: { trace: TurnTrace; view: DecisionView | null }) {
  const prompt = trace.prompts.findLast((one) => one.node === view?.decision.node) ?? trace.prompts.at(-1);
  const messages = prompt?.parts.filter((part) => part.part === "transcript").length ?? 0;
  const offered = trace.tools.filter((tool) => tool.is_offered).length;
  const aside = prompt
    ? [tn(prompt.parts.length - messages, "1 part", "{n} parts"), tn(messages, "1 message", "{n} messages"), tn(offered, "1 tool", "{n} tools")].join(", ")
    : t("no call in this turn");
  return (
    <Section id="instructions" title={t("Full Instructions (Sent to LLM)")} aside={aside}>
      <div className="pad sectbody">
        {prompt ? (
          <PromptParts prompt={prompt} isDiff={false} />
        ) : (
          <p className="muted">{t("No model was called in this turn.")}</p>
        )}
      </div>
    </Section>
  );
}
