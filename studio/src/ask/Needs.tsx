import type { Answer, Considered, Subject } from "../api/types";
import { usePosition } from "../data/position";
import { useTitles } from "../data/titles";
import { NeedChip, needText } from "../panel/why/CandidateFacts";
import { actionText } from "../panel/decision/candidates";
import { AskName } from "./AskWhy";
import { placeOf } from "./question";
import { t } from "../i18n/t";

const MOST = 4;

/** What would have to be different: the values with which a transition would have held. Each can be tried in what-if. */
export function Needs({ answer }: { answer: Answer }) {
  const found = needing(answer);
  const { turn: here } = usePosition();
  const titles = useTitles();
  if (!found.length) return null;
  return (
    <section aria-labelledby="ask-needs">
      <h3 className="label" id="ask-needs">
        {t("What would have to be different")}
      </h3>
      <ul className="needs">
        {found.slice(0, MOST).map(({ one, turn }) => (
          <li key={one.id}>
            <span>
              <AskName subject={`transition ${one.id}`}>
                {actionText(one, titles.node)}
              </AskName>{" "}
              {t("would hold with")}
            </span>
            {(one.needs ?? []).map((set) => (
              <NeedChip key={needText(set)} set={set} place={turn === here ? {} : placeOf(turn)} />
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

type Needing = { one: Considered; turn: number };

/** Subjects that are about where the conversation moves, so that any transition of the turn counts. */
const MOVING: ReadonlySet<Subject["kind"]> = new Set<Subject["kind"]>(["turn", "message", "conversation", "end"]);

/** The transitions that did not hold: the one that was asked about, those that lead to a node, or all of a turn without a move. */
export function needing({ subject: { kind, name }, decisions = [] }: Pick<Answer, "subject" | "decisions">): Needing[] {
  const isAbout = (one: Considered) => (kind === "transition" || kind === "timer" ? one.id === name : kind === "node" ? one.target === name : MOVING.has(kind));
  const last = new Map<string, Needing>();
  if (MOVING.has(kind) && decisions.some((decision) => decision.taken)) return [];
  for (const { candidates = [], turn } of decisions) {
    for (const one of candidates) if (isAbout(one)) last.set(one.id, { one, turn });
  }
  return [...last.values()].filter(({ one }) => one.outcome !== "taken" && (one.needs?.length || one.in_words?.length));
}
