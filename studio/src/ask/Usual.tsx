import { useState } from "react";
import { api } from "../api/calls";
import type { Answer, Subject } from "../api/types";
import { useResource } from "../data/resource";
import { LoadRefusal } from "../ui/Refusal";
import { t } from "../i18n/t";

const COUNTED: ReadonlySet<Subject["kind"]> = new Set<Subject["kind"]>(["transition", "node", "tool", "timer", "field"]);

/** In how many conversations it was so, in one line. All conversations are read for it, so only when somebody wants it. */
export function Usual({ id, subject, answer }: { id: string; subject: string; answer: Answer }) {
  const [isWanted, setWanted] = useState(false);
  const { data, problem } = useResource(isWanted ? `usual:${id}#${subject}#${answer.turn}#${answer.seq}` : null, () => api.why(id, { subject, turn: answer.turn, usual: true }));
  if (!COUNTED.has(answer.subject.kind)) return null;
  if (problem) return <LoadRefusal problem={problem} loads="usual:" />;
  if (!isWanted) {
    return (
      <p className="usual">
        <button type="button" className="linkish" onClick={() => setWanted(true)}>
          {t("How usual is this?")}
        </button>
      </p>
    );
  }
  return (
    <p className="usual" role="status">
      {data ? data.facts.find((fact) => fact.kind === "usual")?.text : t("Counting in all conversations")}
    </p>
  );
}
