import { useEffect, useRef, type ReactNode } from "react";
import type { Answer, Fact } from "../api/types";
import { usePosition } from "../data/position";
import { Icon } from "../ui/Icon";
import { AskName } from "./AskWhy";
import { Comparison } from "./Comparison";
import { Chain, FactLine, FactText, FactTurn, Source, TurnLink, type Frame } from "./FactLine";
import { distinct, textsOf } from "./facts";
import { questionOf } from "./names";
import { Needs } from "./Needs";
import { answerHasFocus, formatQuestion, useFocusWanted } from "./question";
import { useSubjectWords } from "./subjects";
import type { Answered } from "./useAnswer";
import { Usual } from "./Usual";
import { Ways } from "./Ways";
import { t } from "../i18n/t";

/** An answer in both voices: what happened and its causes for the auditor, one sentence for the user. */
export function AnswerView({ id, answered: { answer, question } }: { id: string; answered: Answered }) {
  const text = formatQuestion(question);
  const facts = distinct(answer.facts);
  const frame: Frame = { subject: answer.subject, turn: answer.turn };
  const first = facts[0];
  const words = useSubjectWords();
  if (!first) return null;
  return (
    <article className="answer" lang={answer.language ?? "en"} aria-label={answer.read_as} data-first={first.kind}>
      <p className="readas muted">
        <ReadAs answer={answer} />
      </p>
      {question.kind === "to" && first.kind === "way" ? (
        <Ways id={id} facts={facts} turn={answer.turn} heading={(words) => <First text={text}>{words}</First>} />
      ) : (
        <First text={text}>
          <FactText fact={first} frame={frame} /> {question.kind === "why" && <FactTurn fact={first} frame={frame} />} <Source source={first.source} />
        </First>
      )}
      {answer.plain && (
        <p className="plain">
          <span className="label">{t("To the user")}</span> “{answer.plain}”
        </p>
      )}
      {question.kind === "why" && <Usual key={`${answer.read_as} ${answer.seq}`} id={id} subject={question.subject} answer={answer} />}
      {question.kind === "against" ? <Comparison id={id} facts={facts} /> : question.kind === "why" && <Reasons answer={answer} first={first} others={facts.slice(1)} frame={frame} />}
      {(answer.also ?? []).length > 0 && (
        <p className="muted">
          {t("You may also ask about")}{" "}
          {answer.also?.map((one, at) => (
            <span key={questionOf(one)}>
              {at > 0 && ", "}
              <AskName subject={questionOf(one)}>{words(questionOf(one))}</AskName>
            </span>
          ))}
        </p>
      )}
      {(answer.erased ?? []).filter((words) => !textsOf(facts).includes(words)).map((words) => (
        <p key={words} className="erasednote">
          <Icon name="unknown" /> {words}
        </p>
      ))}
    </article>
  );
}

/** How the question was read. The turn that it is about is a way there, where the page shows another one. */
function ReadAs({ answer: { read_as, turn } }: { answer: Answer }) {
  const { turn: here } = usePosition();
  const at = t("turn {turn}", { turn });
  if (turn === here || !read_as.endsWith(at)) return read_as;
  return (
    <span>
      {read_as.slice(0, -at.length)}
      <TurnLink turn={turn} />
    </span>
  );
}

/** The answer in one sentence; it takes the focus when it was asked for by a click or a key. */
function First({ text, children }: { text: string; children: ReactNode }) {
  const element = useRef<HTMLHeadingElement>(null);
  const wanted = useFocusWanted();
  useEffect(() => {
    if (wanted !== text) return;
    answerHasFocus();
    element.current?.closest(".pscroll")?.scrollTo({ top: 0 });
    element.current?.focus({ preventScroll: true });
  }, [wanted, text]);
  return (
    <h2 className="first" ref={element} tabIndex={-1}>
      {children}
    </h2>
  );
}

const MOST_OPEN = 4;

/** What caused the first fact, what would have to be different, and what else is known. */
function Reasons({ answer, first, others, frame }: { answer: Answer; first: Fact; others: readonly Fact[]; frame: Frame }) {
  return (
    <>
      {(first.causes?.length ?? 0) > 0 && (
        <section aria-labelledby="ask-because">
          <h3 className="label" id="ask-because">
            {t("Because")}
          </h3>
          <Chain fact={first} frame={{ ...frame, turn: first.turn || frame.turn }} />
        </section>
      )}
      <Needs answer={answer} />
      {others.length > 0 && (
        <details className="others" open={others.length <= MOST_OPEN} key={`${answer.read_as}`}>
          <summary>
            <Icon name="chev" className="chev" />
            <h3 className="label">{t("What else")}</h3> <span className="muted">{others.length}</span>
          </summary>
          <ol>
            {others.map((fact, at) => (
              <li key={at}>
                <FactLine fact={fact} frame={frame} />
                <Chain fact={fact} frame={{ ...frame, turn: fact.turn || frame.turn }} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
