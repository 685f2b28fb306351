/** What the cards of candidates show: words, order, which are open, and the rows of other moments. */

import type { Considered, Decision, DecisionView, EvaluatedRule, EvaluatedRules, TransitionEval } from "../../api/types";
import { isMissing, valueText } from "../format";
import { markOf, OUTCOME_WORD, type Outcome } from "../../ui/OutcomeMark";
import { operandsOf } from "./tree";
import { inWords } from "../../data/names";
import { t } from "../../i18n/t";
import { byWords } from "./by";

export const MOMENT_WORDS: Record<string, string> = {
  before: t("Before the step works"),
  after: t("After the step has worked"),
  tool: t("After a tool was used"),
  calls: t("After all calls of a reply"),
  error: t("After something failed"),
  timer: t("When a timer has come due"),
  event: t("When an event of another system came"),
  choice: t("When the model chooses"),
};

const ACTIONS: Readonly<Record<string, string>> = { end: t("→ end"), stay: t("stays"), block: t("blocks the reply"), return: t("closes the inner conversation"), call: t("opens an inner conversation") };

/** Returns what a candidate does, for its heading: `→ Profiler`, `stays`. `title` names nodes. */
export function actionText(candidate: { readonly action: string; readonly target?: string }, title: (node: string) => string): string {
  if (candidate.target) return `→ ${title(candidate.target)}`;
  return ACTIONS[candidate.action] ?? candidate.action;
}

/** Whether a candidate was taken and kept its node in charge: the own `enter_when` of the node. */
const keepsNode = ({ id, level, target }: Considered, decision: Decision): boolean => id === decision.taken && level === "enter" && target === decision.node;

/** Returns the outcome that a card shows: an `enter_when` that keeps its node holds, and moves nothing. */
export const shownOutcome = (candidate: Considered, decision: Decision): Outcome => markOf(candidate.outcome, !keepsNode(candidate, decision));

/** Returns the word for an outcome; a planned move is made with the next message. */
export function outcomeWord(candidate: Considered, decision: Decision): string {
  if (candidate.planned && candidate.outcome === "taken") return t("planned");
  return OUTCOME_WORD[shownOutcome(candidate, decision)];
}

/** Returns who outranked a candidate, why it was not reached, or what blocked it, as a phrase. */
export function byText(candidate: Considered): string {
  if (!candidate.by) return "";
  const isName = candidate.outcome === "outranked" && !candidate.is_mirror && !candidate.by.includes(" ");
  return isName ? t("by {name}", { name: inWords(candidate.by) }) : byWords(candidate.by);
}

/** Returns the values behind the reason of a folded card: `Age = 48`, `Gender not known`. `title` names values. */
export function readTexts(candidate: Considered, title: (name: string) => string): string[] {
  if (candidate.code) {
    return Object.entries(candidate.code.reads ?? {}).map(([name, value]) => readText(title(name), value));
  }
  return operandsOf(candidate.verdict).map((operand) => readText(title(operand.name), operand.value));
}

/** Returns the names of all values that the candidates of a decision read. */
export function fieldsRead(decision: Decision): string[] {
  const names = (decision.candidates ?? []).flatMap((candidate) => [
    ...operandsOf(candidate.verdict).map((operand) => operand.name),
    ...Object.keys(candidate.code?.reads ?? {}),
    ...(candidate.missing ?? []),
  ]);
  return [...new Set(names)];
}

const readText = (name: string, value: unknown): string =>
  isMissing(value) ? t("{name} not known", { name }) : `${name} = ${valueText(value)}`;

/** Returns whether a card is open at first: taken, in error, blocked, nearest, or the only one. */
export function opensItself(candidate: Considered, decision: Decision, nearest: string): boolean {
  if (candidate.outcome === "taken" || candidate.outcome === "error" || candidate.outcome === "blocked") return true;
  return candidate.id === nearest || (decision.candidates ?? []).length === 1;
}

/** Returns how the header of *Transition Logic* ends: `✓ → Profiler`, `✓ opens Survey`, or `(No transition)`. */
export function transitionText(decision: Decision, title: (node: string) => string): { text: string; isMove: boolean } {
  const taken = (decision.candidates ?? []).find((candidate) => candidate.id === decision.taken);
  if (taken?.action === "call") return { text: taken.target ? t("✓ opens {target}", { target: title(taken.target) }) : t("✓ opens an inner conversation"), isMove: true };
  if (!taken || (taken.action !== "to" && taken.action !== "end")) return { text: t("(No transition)"), isMove: false };
  if (taken.planned) return { text: t("→ {target}, with the next message", { target: title(taken.target ?? "") }), isMove: false };
  if (keepsNode(taken, decision)) return { text: t("(No transition)"), isMove: false };
  return { text: taken.target ? `✓ → ${title(taken.target)}` : t("✓ → end"), isMove: true };
}

/** Returns the payload of `debug_transition_eval` that belongs to a decision. */
export const evaluationOf = (view: DecisionView): Partial<TransitionEval> => view.evaluation;

export interface MomentGroup {
  moment: string;
  rules: EvaluatedRule[];
}

/** Returns the rules of the moments that this decision did not judge, by moment. */
export function otherMoments(
  rules: EvaluatedRules | null | undefined,
  moments: Record<string, string>,
  judged: string,
): MomentGroup[] {
  const found = new Map<string, EvaluatedRule[]>();
  const add = (rule: EvaluatedRule, fallback: string): void => {
    const moment = moments[rule.id] ?? fallback;
    if (moment === judged) return;
    found.set(moment, [...(found.get(moment) ?? []), rule]);
  };
  rules?.pre.forEach((rule) => add(rule, "before"));
  rules?.post.forEach((rule) => add(rule, "after"));
  return [...found].map(([moment, group]) => ({ moment, rules: group }));
}
