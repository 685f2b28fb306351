import type { DecisionView } from "../../api/types";
import { namesOf, splitAtNames, splitVerdict } from "../decision/names";

/** The verdict line of a decision, word for word: what happened as a headline, and why below it. */
export function VerdictHeadline({ view }: { view: DecisionView }) {
  const { decision, headline, seam } = view;
  const names = namesOf(decision);
  const { head, rest } = splitVerdict(decision, headline);
  const hasMoved = seam.outcome === "moved" || seam.outcome === "ended";
  const isStay = head.startsWith("stayed") || head.startsWith("held") || head.startsWith("blocked") || head.startsWith("ended");
  return (
    <div className={hasMoved ? "verdict went" : "verdict"}>
      <h2>
        <Named text={isStay ? head.charAt(0).toUpperCase() + head.slice(1) : head} names={names} />
      </h2>
      {rest && (
        <p>
          <Named text={rest} names={names} />
        </p>
      )}
    </div>
  );
}

/** A sentence with names in monospace. */
export function Named({ text, names }: { text: string; names: readonly string[] }) {
  return splitAtNames(text, names).map((part, at) => (part.isName ? <code key={at}>{part.text}</code> : <span key={at}>{part.text}</span>));
}
