import { useState, type FormEvent } from "react";
import { useConversationId, useFlow } from "../data/hooks";
import { usePosition } from "../data/position";
import { invalidate } from "../data/resource";
import { useRoute } from "../data/route";
import { Button } from "../ui/Button";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { AnswerView } from "./AnswerView";
import { askWhy, parseQuestion, type Question } from "./question";
import { subjectsOf } from "./subjects";
import { useAnswer } from "./useAnswer";
import "./ask.css";

const QUICK: readonly [string, string][] = [
  ["", "this turn"],
  ["question", "this question"],
  ["conversation", "what it waits for"],
  ["end", "the end"],
  ["model", "the model"],
  ["person", "a person"],
];

const KINDS: readonly [Question["kind"], string][] = [
  ["why", "Why"],
  ["to", "Ways to a node"],
  ["against", "Compare"],
];

/** Ask why about anything that has a name, which ways lead to a node, or where two conversations differ. */
export function AskTab() {
  const id = useConversationId() ?? "";
  const route = useRoute();
  const position = usePosition();
  const text = route.page === "conversation" ? route.ask : "";
  const question = parseQuestion(text);
  const { data, problem, isOld } = useAnswer(id, question, position.turn);
  const [kind, setKind] = useState<Question["kind"]>(question.kind);
  const [shown, setShown] = useState(text);
  if (shown !== text) {
    setShown(text);
    setKind(question.kind);
  }
  const isComplete = question.kind !== "to" ? question.kind !== "against" || question.conversation !== "" || question.turn !== null : question.node !== "";
  return (
    <div className="ask">
      <div className="seg" role="group" aria-label="Kind of question">
        {KINDS.map(([one, label]) => (
          <button key={one} type="button" aria-pressed={kind === one} onClick={() => setKind(one)}>
            {label}
          </button>
        ))}
      </div>
      <AskForm key={`${kind} ${text}`} kind={kind} question={question} />
      {isComplete && problem && <Refusal problem={problem} {...(problem.status >= 500 || problem.status === 0 ? { onRetry: () => invalidate("why:") } : {})} />}
      {isComplete && !problem && !data && <Loading label="Looking for the reason" />}
      {isComplete && !problem && data && (
        <div aria-busy={isOld} aria-live="polite">
          <AnswerView id={id} answer={data} question={question} />
        </div>
      )}
    </div>
  );
}

function AskForm({ kind, question }: { kind: Question["kind"]; question: Question }) {
  const flow = useFlow();
  const subjects = subjectsOf(flow.data);
  const [text, setText] = useState(question.kind !== kind ? "" : question.kind === "why" ? question.subject : question.kind === "to" ? question.node : question.conversation);
  const [turn, setTurn] = useState(question.kind === "against" && question.turn ? String(question.turn) : "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (kind === "why") askWhy(words);
    else if (kind === "to") askWhy(`to:${words}`);
    else if (words || turn) askWhy(`against:${words}${turn ? `#${turn}` : ""}`);
  };
  const label = { why: "A name, a turn, or a question in words", to: "The node", against: "The other conversation; empty: this one" }[kind];
  const names = kind === "why" ? subjects.map((one) => one.name) : kind === "to" ? subjects.filter((one) => one.kind === "node").map((one) => one.name) : [];
  return (
    <>
      <form className="askform" onSubmit={submit}>
        <label>
          <span>{label}</span>
          <input list="ask-names" value={text} onChange={(event) => setText(event.target.value)} placeholder={kind === "why" ? "user.age, expert, 7, why did it not ask …" : ""} autoComplete="off" spellCheck={false} />
        </label>
        {kind === "against" && (
          <label className="short">
            <span>Its turn</span>
            <input inputMode="numeric" pattern="[0-9]*" value={turn} onChange={(event) => setTurn(event.target.value.replace(/\D/g, ""))} placeholder="last" />
          </label>
        )}
        <Button type="submit" look="solid">
          Ask
        </Button>
        <datalist id="ask-names">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </form>
      {kind === "why" && (
        <p className="quick">
          {QUICK.map(([subject, words]) => (
            <button key={words} type="button" onClick={() => askWhy(subject)}>
              {words}
            </button>
          ))}
        </p>
      )}
    </>
  );
}
