import { useState } from "react";
import type { Considered, Decision, WhatIfDecision, WhatIfResult } from "../api/types";
import { usePosition } from "../data/position";
import { useSettings } from "../data/settings";
import { useTitles } from "../data/titles";
import { actionText, byText, outcomeWord, shownOutcome, transitionText } from "../panel/decision/candidates";
import { namesOf } from "../panel/decision/names";
import { countText } from "../panel/format";
import { Named, reasonOf } from "../panel/why/VerdictHeadline";
import { OUTCOME_CLASS, OutcomeMark } from "../ui/OutcomeMark";
import { t, tx } from "../i18n/t";

const FIRST = 8;

type Props = { result: WhatIfResult | null; isJudging: boolean; seq: number | null };

/** The decisions that were judged again: how many would differ, and each candidate before and after. */
export function WhatIfResults({ result, isJudging, seq }: Props) {
  const [most, setMost] = useState(FIRST);
  if (!result) return isJudging ? <p className="muted">{t("Judging again")}</p> : null;
  if (result.problems.length > 0) return <p className="muted">{tx("Nothing was judged: correct the {x} above.", { x: result.problems.length === 1 ? t("problem") : t("problems") })}</p>;
  const shown = ordered(result.decisions, seq);
  return (
    <div aria-busy={isJudging}>
      <div role="status">
        <h3>{summary(result)}</h3>
      </div>
      {shown.slice(0, most).map((decision) => (
        <JudgedAgain key={decision.seq} judged={decision} />
      ))}
      {shown.length > most && (
        <button type="button" className="btn" onClick={() => setMost(most + 20)}>
          {tx("Show {x} more", { x: Math.min(20, shown.length - most) })}
        </button>
      )}
      <p className="muted">
        {t("Each decision is judged alone. What would have followed is not simulated.")}
        {result.skipped > 0 && t(" {skipped} skipped: the flow no longer has the node.", { skipped: countText(result.skipped, "decision") })}
      </p>
    </div>
  );
}

/** What the decision at the position would come to, in view while the values are changed. */
export function WouldBe({ result, seq }: Pick<Props, "result" | "seq">) {
  const titles = useTitles();
  const one = result && !result.problems.length ? ordered(result.decisions, seq)[0] : undefined;
  if (!one) return null;
  return (
    <p className="wouldbe" aria-hidden="true">
      {one.differs ? t("would be: {line}", { line: outcomeOf(one.would, titles.node) }) : t("would come out the same")}
    </p>
  );
}

const summary = ({ judged, differs }: WhatIfResult): string =>
  t("{decisions} judged, {x} would come out differently", { decisions: countText(judged, "decision"), x: differs === 0 ? t("none") : differs });

/** Decisions that differ come first, and among them the one of the position. */
function ordered(decisions: readonly WhatIfDecision[], seq: number | null): WhatIfDecision[] {
  const rank = (one: WhatIfDecision): number => (one.seq === seq ? 0 : one.differs ? 1 : 2);
  const isShown = (one: WhatIfDecision): boolean => one.differs || one.seq === seq;
  return decisions.filter(isShown).sort((a, b) => rank(a) - rank(b) || a.seq - b.seq);
}

function JudgedAgain({ judged }: { judged: WhatIfDecision }) {
  const position = usePosition();
  const titles = useTitles();
  const { isTechnical } = useSettings();
  const { was, would, turn, seq } = judged;
  return (
    <div className="again">
      <p className="soft">
        <button type="button" className="link" onClick={() => position.goToSeq(seq)}>
          {isTechnical ? tx("turn {turn}, seq {seq}", { turn, seq }) : tx("turn {turn}", { turn })}
        </button>
        , {titles.node(was.node)} <span className="tech">{was.moment}</span>:{" "}
        <b>{isTechnical ? <Named text={would.line} names={namesOf(would)} because={reasonOf(would)} /> : outcomeOf(would, titles.node)}</b>
      </p>
      {judged.replaced.length > 0 && (
        <p className="muted">
          {tx("The reason of {x} still describes the stored guard.", { x: judged.replaced.map(titles.transition).join(", ") })}
        </p>
      )}
      <Outcomes was={was} would={would} />
    </div>
  );
}

/** What a decision would come to: `→ Profiler: old enough`, or that nothing would move. */
function outcomeOf(decision: Decision, title: (node: string) => string): string {
  const { text, isMove } = transitionText(decision, title);
  return [text, isMove ? reasonOf(decision) : ""].filter(Boolean).join(": ");
}

function Outcomes({ was, would }: { was: Decision; would: Decision }) {
  const titles = useTitles();
  if (!was.candidates?.length) return null;
  const pairs = was.candidates.map((before) => {
    const after = would.candidates?.find((one) => one.id === before.id) ?? before;
    return { before, after, isSame: after.outcome === before.outcome };
  });
  return (
    <table className="wd" aria-label={t("Outcomes before and after")}>
      <thead>
        <tr>
          <th scope="col">{t("candidate")}</th>
          <th scope="col">{t("was")}</th>
          <th scope="col">{t("would be")}</th>
        </tr>
      </thead>
      <tbody>
        {[...pairs.filter(({ isSame }) => !isSame), ...pairs.filter(({ isSame }) => isSame)].map(({ before, after, isSame }) => (
            <tr key={before.id}>
              <td className="f">{actionText(before, titles.node)} <code className="tech">{before.id}</code></td>
              <td>
                <OutcomeBox candidate={before} decision={was} className={isSame ? "oc same" : "oc"} />
              </td>
              <td>{isSame ? <span className="muted same">{t("the same")}</span> : <OutcomeBox candidate={after} decision={would} className="oc would" />}</td>
            </tr>
        ))}
      </tbody>
    </table>
  );
}

function OutcomeBox({ candidate, decision, className }: { candidate: Considered; decision: Decision; className: string }) {
  const outcome = shownOutcome(candidate, decision);
  const by = candidate.outcome === "outranked" ? byText(candidate) : "";
  return (
    <div className={className}>
      <OutcomeMark outcome={outcome} isSilent />
      <span className={OUTCOME_CLASS[outcome]}>{outcomeWord(candidate, decision)}</span>
      {by && <small title={by}>{by}</small>}
    </div>
  );
}
