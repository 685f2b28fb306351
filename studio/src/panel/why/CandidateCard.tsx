import { AskWhy } from "../../ask/AskWhy";
import { useState } from "react";
import type { Considered, Decision, EdgeHistory } from "../../api/types";
import { Icon } from "../../ui/Icon";
import { OUTCOME_CLASS, OutcomeMark } from "../../ui/OutcomeMark";
import { Pill } from "../../ui/Pill";
import { CodeBlock } from "../code/CodeBlock";
import { actionText, byText, outcomeWord, readTexts, shownOutcome } from "../decision/candidates";
import { shorten } from "../format";
import { useTitles } from "../../data/titles";
import { CandidateFacts } from "./CandidateFacts";
import { useConditions } from "./conditions";
import { GuardTable } from "./GuardTable";
import { ofServer } from "../../i18n/texts";
import { t } from "../../i18n/t";

const NO_GUARD = {
  not_judged: t("It was not judged, so no values were read."),
  erased: t("Retention erased the values that it read. The outcome is kept."),
  none: t("It has no guard, so it always holds."),
};

/** `isCompared`: an earlier judging is known, so that what changed since is known. */
type Props = { candidate: Considered; decision: Decision; history: EdgeHistory | undefined; isOpen: boolean; isCompared: boolean };

/** A transition that was judged: its outcome in one line, and unfolded everything that led to the outcome. */
export function CandidateCard({ candidate, decision, history, isOpen, isCompared }: Props) {
  const [open, setOpen] = useState(isOpen);
  const titles = useTitles();
  const by = byText(candidate);
  const hasRead = Boolean(candidate.code ?? candidate.verdict);
  const state = guardState(candidate, decision);
  const outcome = shownOutcome(candidate, decision);
  return (
    <div className="candask">
      <details className={`cand o-${outcome}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)} data-candidate={candidate.id}>
        <summary>
          <OutcomeMark outcome={outcome} isSilent />
          <span className="c1">
            <b>{actionText(candidate, titles.node)}</b>
            <code className="tech">{candidate.id}</code>
            {candidate.is_mirror && <Pill>{t("mirror")}</Pill>}
            {candidate.code && <Pill>{t("code")}</Pill>}
            {decision.moment === "timer" && (
              <Pill>
                <Icon name="clock" />
                {t("timer")}
              </Pill>
            )}
            {candidate.level === "flow" && <Pill>{decision.node.includes("/") ? t("whole scope") : t("whole flow")}</Pill>}
            {candidate.level === "enter" && <Pill>{t("enter when")}</Pill>}
          </span>
          <span className={`word ${OUTCOME_CLASS[outcome]}`}>{outcomeWord(candidate, decision)}</span>
          <Reason candidate={candidate} />
          {by && <span className={candidate.outcome === "blocked" ? "c2 no" : "c2"} lang={candidate.outcome === "blocked" ? ofServer() : undefined}>{by}</span>}
        </summary>
        {open && (
          <div className="cbody">
            {candidate.code && <CodeBlock code={candidate.code} transition={candidate.id} />}
            {!hasRead && <p className="muted">{NO_GUARD[state]}</p>}
            {candidate.verdict && <GuardTable verdict={candidate.verdict} label={t("Guard of {id}", { id: titles.other(candidate.id) })} />}
            <CandidateFacts candidate={candidate} history={history} isCompared={isCompared && candidate.outcome !== "not_reached" && (hasRead || state !== "erased")} />
          </div>
        )}
      </details>
      <AskWhy subject={`transition ${candidate.id}`} name={titles.other(candidate.id)} />
    </div>
  );
}

/** Returns why a candidate has no tree: it was not judged, its values were erased, or it has no guard. */
function guardState(candidate: Considered, decision: Decision): keyof typeof NO_GUARD {
  if (candidate.outcome === "not_reached") return "not_judged";
  const lacksTree = (one: Considered): boolean => !one.code && !one.verdict && (one.outcome === "false" || one.outcome === "unknown");
  return (decision.candidates ?? []).some(lacksTree) ? "erased" : "none";
}

/** The reason of a transition, and while the card is folded the values that it read. */
function Reason({ candidate }: { candidate: Considered }) {
  const conditions = useConditions();
  const reads = readTexts(candidate, conditions.name);
  return (
    <span className="c2">
      {candidate.because || t("no reason given")}
      {reads.length > 0 && (
        <span className="f">
          {" ("}
          {reads.map((text, at) => (
            <span key={text}>
              {at > 0 && ", "}
              <code>{shorten(text, 48)}</code>
            </span>
          ))}
          {")"}
        </span>
      )}
    </span>
  );
}
