import { useState } from "react";
import { useConversationId } from "../data/hooks";
import { useRoute } from "../data/route";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import { AnswerView } from "./AnswerView";
import { AskForm, NotFound, Unclear } from "./AskForm";
import { isComplete, parseQuestion } from "./question";
import { useAnswer } from "./useAnswer";
import "./ask.css";
import { t } from "../i18n/t";

/** Ask why about anything that has a name, which ways lead to a node, or where two conversations differ. */
export function AskTab() {
  const id = useConversationId() ?? "";
  const route = useRoute();
  const text = route.page === "conversation" ? route.ask : "";
  const question = parseQuestion(text);
  const [chosen, setChosen] = useState({ text, kind: question.kind });
  const kind = chosen.text === text ? chosen.kind : question.kind;
  const canAsk = isComplete(question) && kind === question.kind;
  const { data, problem, isOld } = useAnswer();
  return (
    <div className="ask">
      <AskForm id={id} question={question} kind={kind} onKind={(next) => setChosen({ text, kind: next })} />
      {canAsk && problem?.status === 422 && (problem.candidates.length > 0 ? <Unclear candidates={problem.candidates} /> : <NotFound problem={problem} hasNames={kind === "why"} />)}
      {canAsk && problem && problem.status !== 422 && <LoadRefusal problem={problem} loads="why:" />}
      {canAsk && !problem && !data && <Loading label={t("Looking for the reason")} />}
      {canAsk && !problem && data && (
        <div aria-busy={isOld}>
          <AnswerView id={id} answered={data} />
        </div>
      )}
    </div>
  );
}
