import type { ReactNode } from "react";
import type { Considered, EdgeHistory, JudgingChange, Need } from "../../api/types";
import { useConversation, useFlow } from "../../data/hooks";
import { useTitles } from "../../data/titles";
import { SourceLink } from "../../source/SourceLink";
import { openWhatIf } from "../../whatif/draft";
import { OUTCOME_WORD, type Outcome } from "../../ui/OutcomeMark";
import { isMissing, valueText } from "../format";
import { useConditions } from "./conditions";
import { t, tn } from "../../i18n/t";

/** What is known about a candidate beside its guard: missing values, ways to make it hold, changes, source, history. */
export function CandidateFacts({ candidate, history, isCompared }: { candidate: Considered; history: EdgeHistory | undefined; isCompared: boolean }) {
  const titles = useTitles();
  const conditions = useConditions();
  const { missing = [], needs = [], in_words: words = [], changed = [], failure } = candidate;
  return (
    <>
      <dl className="kv">
        {failure && (
          <Fact term={t("Failed")}>
            <span className="no plain">
              {failure.reason}
              {failure.at && <code> {failure.at}</code>}
            </span>
          </Fact>
        )}
        {missing.length > 0 && (
          <Fact term={t("Not known")}>
            {missing.map((name) => (
              <span key={name} className="chip miss">
                {titles.field(name)}
              </span>
            ))}
          </Fact>
        )}
        {needs.length > 0 && (
          <Fact term={t("Would hold with")}>
            {needs.map((set) => (
              <NeedChip key={needText(set)} set={set} />
            ))}
          </Fact>
        )}
        {words.length > 0 && (
          <Fact term={t("Would need")}>
            {words.map((text) => (
              <span key={text} className="chip">
                {conditions.text(text)}
              </span>
            ))}
          </Fact>
        )}
        {isCompared && (
          <Fact term={t("Changed since last")}>
            {changed.length > 0 ? changed.map((change) => <ChangeChip key={change.name} change={change} />) : <span className="muted plain">{t("nothing that it reads")}</span>}
          </Fact>
        )}
      </dl>
      <Foot candidate={candidate} history={history} />
    </>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A set of changes in one line; `title` names fields. */
export const needText = (set: readonly Need[], title: (field: string) => string = (field) => field): string =>
  set.map((need) => `${title(need.field)} = ${isMissing(need.value) ? t("(nothing)") : valueText(need.value)}`).join(", ");

/** A set of changes that would make the guard hold. A press opens what-if with these values, at the position or at another place. */
export function NeedChip({ set, place }: { set: readonly Need[]; place?: Parameters<typeof openWhatIf>[1] }) {
  const text = needText(set, useTitles().field);
  return (
    <button type="button" className="chip need" onClick={() => openWhatIf(Object.fromEntries(set.map((need) => [need.field, need.value])), place)}>
      {text}
      <span className="go">{t("try")}</span>
    </button>
  );
}

function ChangeChip({ change }: { change: JudgingChange }) {
  const conditions = useConditions();
  return (
    <span className="chip">
      {change.name === "outcome" ? t("outcome") : conditions.name(change.name)} <s>{wordOf(change.before)}</s>
      <span aria-hidden="true">→</span>
      <span className="sr">{t("became")}</span>
      {wordOf(change.now)}
    </span>
  );
  function wordOf(value: unknown): string {
    return change.name === "outcome" ? OUTCOME_WORD[value as Outcome] : valueText(value);
  }
}

/** Source, priority, and how often the transition was judged and taken. */
function Foot({ candidate, history }: { candidate: Considered; history: EdgeHistory | undefined }) {
  const flow = useConversation()?.summary?.flow;
  const own = useFlow().data?.flow.file;
  const place = (candidate.source ?? "").replace(/:\d+$/, "");
  const line = /:(\d+)$/.exec(place)?.[1];
  const name = place.split("/").at(-1);
  return (
    <div className="cfoot">
      {name && (flow && line ? <SourceLink flow={flow} file={place.slice(0, -line.length - 1)} line={Number(line)} isOwn={own === place.slice(0, -line.length - 1)} /> : <span>{name}</span>)}
      <span>{t("priority")}{" "}{candidate.priority ?? 100}</span>
      {history && <span>{historyText(history)}</span>}
    </div>
  );
}

const historyText = ({ judged, taken }: EdgeHistory): string =>
  judged === 0 ? t("never judged so far") : tn(judged, "judged 1 time in all conversations, taken {taken}", "judged {n} times in all conversations, taken {taken}", { taken });
