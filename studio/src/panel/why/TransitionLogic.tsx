import { AskWhy } from "../../ask/AskWhy";
import { useSettings } from "../../data/settings";
import type { Considered, DecisionView } from "../../api/types";
import { Icon } from "../../ui/Icon";
import { countText } from "../format";
import { evaluationOf, actionText, MOMENT_WORDS, opensItself, otherMoments, transitionText, type MomentGroup } from "../decision/candidates";
import { Section } from "../Section";
import { CandidateCard } from "./CandidateCard";
import { ConditionWords } from "./conditions";
import { useTitles } from "../../data/titles";
import { t, tn } from "../../i18n/t";

/** Every candidate of a decision in the order of judging, and the rules of other moments on the same state. */
export function TransitionLogic({ view }: { view: DecisionView }) {
  const titles = useTitles();
  const { decision } = view;
  const candidates = decision.candidates ?? [];
  const { text, isMove } = transitionText(decision, titles.node);
  const { isTechnical } = useSettings();
  const decisive = candidates.filter((candidate) => opensItself(candidate, decision, view.nearest));
  const others = decisive.length ? candidates.filter((candidate) => !decisive.includes(candidate)) : [];
  const isFolded = others.length > 0 && !isTechnical;
  const cards = (some: readonly Considered[]) => (
    <ConditionWords value={view.conditions}>
      {some.map((candidate) => (
        <CandidateCard
          key={`${decision.seq} ${candidate.id}`}
          candidate={candidate}
          decision={decision}
          history={view.histories[candidate.id]}
          isOpen={opensItself(candidate, decision, view.nearest)}
          isCompared={view.is_compared}
        />
      ))}
    </ConditionWords>
  );
  const groups = otherMoments(evaluationOf(view).evaluatedRules, view.moments, decision.moment);
  return (
    <Section id="logic" title={t("Transition Logic")} aside={text} isGreen={isMove} isOpen>
      <p className="moment">
        <b className="tech">{decision.moment}</b>
        {MOMENT_WORDS[decision.moment] ?? ""}, {countText(candidates.length, "candidate")}
        {candidates.length > 1 && !isFolded ? t(" in the order of judging") : ""}
      </p>
      {cards(isFolded ? decisive : candidates)}
      {isFolded && (
        <details className="folded rest" key={decision.seq}>
          <summary>{tn(others.length, "1 other rule that was judged", "{n} other rules, in the order of judging")}</summary>
          {cards(others)}
        </details>
      )}
      {groups.length > 0 ? groups.map((group) => <OtherMoment key={group.moment} group={group} />) : <NoOthers view={view} />}
    </Section>
  );
}

/** Rules that another moment judges. Whether they hold now is shown, but nothing was decided with it. */
function OtherMoment({ group }: { group: MomentGroup }) {
  const titles = useTitles();
  const isTimer = group.moment === "timer";
  return (
    <>
      <p className="moment">
        <b className="tech">{group.moment}</b>
        {MOMENT_WORDS[group.moment] ?? ""}, {t("not judged now; on the same state, for display only")}
      </p>
      {group.rules.map((rule) => (
        <div key={rule.id} className="oc oth">
          <Icon name={isTimer ? "clock" : rule.passed ? "held" : "none"} className={isTimer ? "muted" : ""} />
          <span>
            <b>{rule.result.target ? `→ ${titles.node(rule.result.target)}` : rule.result.action === "transition" ? t("→ end") : actionText({ action: rule.result.action, target: "" }, titles.node)}</b> <code className="tech">{rule.id}</code>{" "}
            <span className="muted">
              {rule.description}
              {rule.fields.length > 0 && <code className="tech"> ({rule.fields.join(", ")})</code>}
            </span>
          </span>
          <span className="grow" />
          <AskWhy subject={`${isTimer ? "timer" : "transition"} ${rule.id}`} name={titles.other(rule.id)} />
          <span className="muted nowrap">{isTimer ? t("waits for its time") : rule.passed ? t("would hold") : t("does not hold")}</span>
        </div>
      ))}
    </>
  );
}

function NoOthers({ view }: { view: DecisionView }) {
  const { decision } = view;
  const other = decision.moment === "before" ? "after" : "before";
  if (evaluationOf(view).rawCode) return null;
  return (
    <p className="moment">
      <b className="tech">{other}</b>
      {MOMENT_WORDS[other]}, {t("no rules")}
    </p>
  );
}
