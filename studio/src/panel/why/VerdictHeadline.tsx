import type { Decision, DecisionView, TurnTrace } from "../../api/types";
import { useLedger } from "../../data/hooks";
import { tx } from "../../i18n/t";
import { ofServer } from "../../i18n/texts";
import { doingWords } from "./doing";
import { namesOf, splitAtNames, splitVerdict } from "../decision/names";

/**
 * The verdict line of a decision, word for word: what happened as a headline, and why below it. Where nothing was chosen
 * and a question stayed open, the headline is what the conversation does.
 */
export function VerdictHeadline({ trace, view }: { trace: TurnTrace; view: DecisionView }) {
  const { decision, headline, seam } = view;
  const names = namesOf(decision);
  const { head, rest } = splitVerdict(decision, headline);
  const reason = reasonOf(decision);
  const hasMoved = seam.outcome === "moved" || seam.outcome === "ended";
  const isStay = head.startsWith("stayed") || head.startsWith("held") || head.startsWith("blocked") || head.startsWith("opened") || head.startsWith("ended");
  const happened = isStay ? head.charAt(0).toUpperCase() + head.slice(1) : head;
  const doing = doingWords(trace, view);
  if (doing) {
    return (
      <div className="verdict">
        <h2>{doing}</h2>
        <AskedAgain trace={trace} />
        <p lang={ofServer()}>
          <Named text={rest ? `${happened}: ${rest}` : happened} names={names} because={reason} />
        </p>
      </div>
    );
  }
  return (
    <div className={hasMoved ? "verdict went" : "verdict"}>
      <h2 lang={ofServer()}>
        <Named text={happened} names={names} />
      </h2>
      {rest && (
        <p lang={ofServer()}>
          <Named text={rest} names={names} because={reason} />
        </p>
      )}
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
