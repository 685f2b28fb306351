import type { Answer, Considered } from "../api/types";
import { NeedChip, needText } from "../panel/why/CandidateFacts";
import { AskName } from "./AskWhy";

const MOST = 4;

/** What would have to be different: the values with which a transition would have held. Each can be tried in what-if. */
export function Needs({ answer }: { answer: Answer }) {
  const found = needing(answer);
  if (!found.length) return null;
  return (
    <section aria-labelledby="ask-needs">
      <h3 className="label" id="ask-needs">
        What would have to be different
      </h3>
      <ul className="needs">
        {found.slice(0, MOST).map((one) => (
          <li key={one.id}>
            <span>
              <AskName subject={`transition ${one.id}`}>
                <code>{one.id}</code>
              </AskName>{" "}
              would hold with
            </span>
            {(one.needs ?? []).map((set) => (
              <NeedChip key={needText(set)} set={set} />
            ))}
            {(one.in_words ?? []).map((words) => (
              <span key={words} className="chip">
                {words}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The transitions that did not hold: the one that was asked about, those that lead to a node, or all of a turn without a move. */
export function needing({ subject, decisions = [] }: Pick<Answer, "subject" | "decisions">): Considered[] {
  const isAbout = (one: Considered) =>
    subject.kind === "transition" || subject.kind === "timer" ? one.id === subject.name : subject.kind !== "node" || one.target === subject.name;
  const last = new Map<string, Considered>();
  if (subject.kind === "turn" && decisions.some((decision) => decision.taken)) return [];
  for (const decision of decisions) {
    for (const one of decision.candidates ?? []) if (isAbout(one)) last.set(one.id, one);
  }
  return [...last.values()].filter((one) => one.outcome !== "taken" && (one.needs?.length || one.in_words?.length));
}
