import type { Problem } from "../api/problem";
import type { SubjectCandidate } from "../api/types";
import { useRef, useState, type FormEvent } from "react";
import { useFlow, useTurnTrace } from "../data/hooks";
import { Button } from "../ui/Button";
import { ConversationPicker } from "./ConversationPicker";
import { questionOf, subjectsOf } from "./names";
import { askWhy, formatQuestion, useFocusInForm, type Question } from "./question";
import { useSubjectWords } from "./subjects";
import { useTitles } from "../data/titles";
import { t, tx } from "../i18n/t";

const QUICK: readonly [string, string][] = [
  ["", t("this turn")],
  ["the question", t("this question")],
  ["the conversation", t("what it waits for")],
  ["the end", t("the end")],
  ["the model", t("the model")],
  ["the person", t("a person")],
];

const KINDS: readonly [Question["kind"], string][] = [
  ["why", t("Why")],
  ["to", t("How to get to")],
  ["against", t("Compare")],
];

const ask = (question: Question) => askWhy(formatQuestion(question));

/** The kind of the question, and the fields for it. */
export function AskForm({ id, question, kind, onKind }: { id: string; question: Question; kind: Question["kind"]; onKind: (kind: Question["kind"]) => void }) {
  const element = useRef<HTMLDivElement>(null);
  useFocusInForm(element);
  return (
    <div className="askhead" ref={element}>
      <div className="seg" role="group" aria-label={t("Kind of question")}>
        {KINDS.map(([one, label]) => (
          <button key={one} type="button" aria-pressed={kind === one} onClick={() => onKind(one)}>
            {label}
          </button>
        ))}
      </div>
      {kind === "why" && <Subject now={question.kind === "why" ? question.subject : ""} />}
      {kind === "to" && <Target now={question.kind === "to" ? question.node : ""} />}
      {kind === "against" && <ConversationPicker key={formatQuestion(question)} id={id} now={question.kind === "against" ? question : null} onPick={(conversation, turn) => ask({ kind: "against", conversation, turn })} />}
    </div>
  );
}

/** A name, a turn or a question in words; the names of the flow are suggested. */
function Subject({ now }: { now: string }) {
  const words = useSubjectWords()(now);
  const [text, setText] = useState(words);
  const [shown, setShown] = useState(words);
  if (shown !== words) {
    setShown(words);
    setText(words);
  }
  const names = useNames();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    ask({ kind: "why", subject: said === words ? now : (names.find(({ title }) => title === said)?.subject ?? said) });
  };
  return (
    <>
      <form className="askform" onSubmit={submit}>
        <label>
          <span>{t("A name, a turn, or a question in words")}</span>
          <input type="text" list="ask-names" value={text} onChange={(event) => setText(event.target.value)} placeholder={[...names.slice(0, 1).map(({ title }) => title), "7", t("why did it not ask …")].join(", ")} autoComplete="off" spellCheck={false} />
        </label>
        <Button type="submit" look="solid">
          {t("Ask")}
        </Button>
        <datalist id="ask-names">
          {names.map(({ subject, title }) => (
            <option key={subject} value={title} />
          ))}
        </datalist>
      </form>
      <p className="quick">
        {QUICK.map(([subject, words]) => (
          <button key={words} type="button" aria-pressed={subject === now} onClick={() => ask({ kind: "why", subject })}>
            {words}
          </button>
        ))}
      </p>
    </>
  );
}

/** Something that can be asked about: its id, what it is called, and the question. */
type Named = { name: string; title: string; subject: string };

/** What can be asked about: the parts of the flow, and its tools. Of two that are called the same it is the first. */
function useNames(): Named[] {
  const titles = useTitles();
  const subjects = subjectsOf(useFlow().data);
  const tools = (useTurnTrace().data?.tools ?? []).map(({ name }) => ({ kind: "tool" as const, name }));
  const found = new Map<string, Named>();
  for (const one of [...subjects, ...tools]) {
    const name = one.name ?? "";
    const title = one.kind === "field" ? titles.field(name) : one.kind === "node" ? titles.node(name) : one.kind === "transition" ? titles.transition(name) : titles.other(name);
    if (!found.has(title)) found.set(title, { name, title, subject: questionOf(one) });
  }
  return [...found.values()];
}

/** A question that may be about several things: each is a chip that asks about it. */
export function Unclear({ candidates }: { candidates: readonly SubjectCandidate[] }) {
  const words = useSubjectWords();
  return (
    <section role="alert" className="notfound" aria-labelledby="ask-unclear">
      <h2 id="ask-unclear">{t("What is the question about?")}</h2>
      <ul className="offers">
        {candidates.map(({ subject, title, because }) => (
          <li key={subject}>
            <button type="button" className="chip" onClick={() => askWhy(subject)}>
              <b>{words(subject)}</b> {title && <span className="title">{title}</span>}
              <span className="because muted">{because}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A question that names nothing: what was not found, and what can be asked about, beginning with what is named there. */
export function NotFound({ problem, hasNames }: { problem: Problem; hasNames: boolean }) {
  const said = problem.detail || problem.title;
  const isNear = (name: string) => Number(said.includes(`'${name}'`));
  const names = useNames().sort((one, other) => isNear(other.name) - isNear(one.name));
  return (
    <div role="alert" className="notfound">
      <b>{tx("No answer: {said}", { said })}</b>
      {hasNames && (
        <p className="targets">
          {names.slice(0, MOST_NAMES).map(({ subject, title }) => (
            <button key={subject} type="button" className="chip" onClick={() => askWhy(subject)}>
              {title}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

const MOST_NAMES = 24;

/** The nodes of the flow: a press searches the ways there. */
function Target({ now }: { now: string }) {
  const nodes = subjectsOf(useFlow().data).filter((one) => one.kind === "node");
  const titles = useTitles();
  return (
    <div className="targets" role="group" aria-label={t("The node to get to")}>
      <p className="muted">{t("Choose a step: the answer says what leads there from here, and what could be said or done.")}</p>
      {nodes.map(({ name = "" }) => (
        <button key={name} type="button" className="chip" aria-pressed={name === now} onClick={() => ask({ kind: "to", node: name })}>
          {titles.node(name)}
        </button>
      ))}
    </div>
  );
}
