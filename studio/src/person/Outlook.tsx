// What would happen on giving back: the candidates with their outcomes.

import type { Decision, GiveBackPreview } from "../api/types";
import { MOMENT_WORDS } from "../panel/decision/candidates";
import { useTitles } from "../data/titles";
import { Icon } from "../ui/Icon";
import { OUTCOME_CLASS, OUTCOME_WORD } from "../ui/OutcomeMark";
import { t } from "../i18n/t";

/** What is shown of a decision. A node may judge a moment twice, before and after it speaks, with the same outcomes. */
const lookOf = ({ node, moment, candidates }: Decision): string => JSON.stringify([node, moment, candidates?.map(({ id, outcome }) => [id, outcome])]);

/** The candidates that would be judged, in their order. */
export function Outlook({ preview }: { preview: GiveBackPreview }) {
  const titles = useTitles();
  const judged = preview.decisions.filter((decision) => decision.candidates?.length);
  const decisions = judged.filter((decision, at) => at === 0 || lookOf(decision) !== lookOf(judged[at - 1] as Decision));
  if (!decisions.length) return <p className="muted small">{t("Nothing would be judged.")}</p>;
  return (
    <>
      {decisions.map((decision, place) => (
        <div key={place}>
          {decisions.length > 1 && (
            <p className="moment">
              <b>{titles.node(decision.node)}</b> {MOMENT_WORDS[decision.moment] ?? decision.moment}
            </p>
          )}
          {(decision.candidates ?? []).map((candidate) => (
            <div key={candidate.id} className={`oc ${candidate.outcome === "taken" ? "would" : ""}`}>
              <Icon name={candidate.outcome} />
              <span className="ocwhat">
                <b>→ {candidate.target ? titles.node(candidate.target) : candidate.action}</b> {candidate.because} <code className="tech">{candidate.id}</code>
              </span>
              <span className="grow" />
              <span className={OUTCOME_CLASS[candidate.outcome]}>{candidate.outcome === "taken" ? t("would be taken") : OUTCOME_WORD[candidate.outcome]}</span>
            </div>
          ))}
        </div>
      ))}
    </>
  );
}
