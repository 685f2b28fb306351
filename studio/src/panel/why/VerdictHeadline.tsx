import type { DecisionView } from "../../api/types";
import { namesOf, splitAtNames, splitVerdict } from "../decision/names";

/** The verdict line of a decision, word for word: what happened as a headline, and why below it. */
export function VerdictHeadline({ view }: { view: DecisionView }) {
  const { decision, headline, seam } = view;
  const names = namesOf(decision);
  const { head, rest } = splitVerdict(decision, headline);
  const reason = decision.candidates?.find((candidate) => candidate.id === decision.taken)?.because ?? "";
  const because = rest.startsWith(reason) ? reason : ""; // the words of the flow's author: a name in them is a word
  const hasMoved = seam.outcome === "moved" || seam.outcome === "ended";
  const isStay = head.startsWith("stayed") || head.startsWith("held") || head.startsWith("blocked") || head.startsWith("ended");
  return (
    <div className={hasMoved ? "verdict went" : "verdict"}>
      <h2>
        <Named text={isStay ? head.charAt(0).toUpperCase() + head.slice(1) : head} names={names} />
      </h2>
      {rest && (
        <p>
          {because}
          <Named text={rest.slice(because.length)} names={names} />
        </p>
      )}
    </div>
  );
}

/** A sentence with names in monospace. An arrow stays on the line of its target. */
export function Named({ text, names }: { text: string; names: readonly string[] }) {
  const parts = splitAtNames(text, names);
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
