import type { Decision, DecisionView, TurnTrace } from "../../api/types";
import { useLedger } from "../../data/hooks";
import { t, tx } from "../../i18n/t";
import { verdictWords } from "../../i18n/texts";
import { doingWords, waitsForRules } from "./doing";
import { namesOf, splitAtNames } from "../decision/names";

/**
 * What a decision came to as a headline, and why below it. Where nothing was chosen and a question stayed open, the
 * headline is what the conversation does; the rules follow where they wait for the same. The line of the engine, with its ids, is a technical detail.
 */
export function VerdictHeadline({ trace, view }: { trace: TurnTrace; view: DecisionView }) {
  const { decision, seam } = view;
  const { headline, reason } = verdictWords(seam);
  const hasMoved = seam.outcome === "moved" || seam.outcome === "ended";
  const doing = doingWords(trace, view);
  const hasRules = !doing || waitsForRules(trace, view);
  return (
    <div className={hasMoved ? "verdict went" : "verdict"}>
      <h2>{doing || headline}</h2>
      {doing && <AskedAgain trace={trace} />}
      {doing && hasRules && <p>{headline}</p>}
      {hasRules && reason && <p>{reason}</p>}
      <p className="tech engine" lang="en" aria-label={t("The line of the engine")}>
        <Named text={decision.line} names={namesOf(decision)} because={reasonOf(decision)} />
      </p>
    </div>
  );
}

/** Says which words of this turn were no answer to the open question, and why. */
function AskedAgain({ trace }: { trace: TurnTrace }) {
  const ledger = useLedger(trace.turn, trace.state.form !== null);
  const refused = ledger?.rows.find((row) => row.state === "refused" && row.turn === trace.turn && row.field === trace.state.form?.asked);
  if (!ledger || !refused?.words) return null;
  return <p>{tx("Asked again: {words}. {note}", { words: <q lang={ledger.language}>{refused.words}</q>, note: refused.note })}</p>;
}

/** The words of the flow's author for the transition that was taken. */
export const reasonOf = ({ candidates = [], taken }: Decision): string => candidates.find((one) => one.id === taken)?.because ?? "";

/** A sentence with names in monospace, but not in the words of the flow's author. An arrow stays on the line of its target. */
export function Named({ text, names, because = "" }: { text: string; names: readonly string[]; because?: string }) {
  const at = because ? text.lastIndexOf(because) : -1;
  const end = at + because.length;
  const parts = at < 0 ? splitAtNames(text, names) : [...splitAtNames(text.slice(0, at), names), { text: because, isName: false }, ...splitAtNames(text.slice(end), names)];
  return parts.map((part, at) => {
    if (!part.isName) return <span key={at}>{parts[at + 1]?.isName ? part.text.replace(/→ $/, "") : part.text}</span>;
    if (!parts[at - 1]?.text.endsWith("→ ")) return <code key={at}>{part.text}</code>;
    return (
      <span key={at} className="nowrap">
        → <code>{part.text}</code>
      </span>
    );
  });
}
