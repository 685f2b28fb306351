import type { Answer, Fact, Subject } from "../api/types";
import { moveTo } from "../data/route";
import { CopyButton } from "../ui/CopyButton";
import { askWhy, type Question } from "./question";
import { TryWay } from "./TryWay";

/** An answer in both voices: one sentence for the person, and every fact with what caused it. */
export function AnswerView({ id, answer, question }: { id: string; answer: Answer; question: Question }) {
  const [first, ...rest] = distinct(answer.facts);
  if (!first) return null;
  const others = rest.filter((fact) => fact.kind !== "values_differ");
  const values = rest.filter((fact) => fact.kind === "values_differ");
  return (
    <article className="answer" aria-label={answer.read_as}>
      <p className="readas muted">
        {answer.read_as}
        <CopyButton label="Copy this answer as JSON" text={() => answer} />
      </p>
      <FactView fact={first} turn={answer.turn} subject={answer.subject} isFirst />
      {question.kind === "to" && <TryWay id={id} fact={first} />}
      {answer.plain && (
        <p className="plain">
          <span className="muted">to the user: </span>“{answer.plain}”
        </p>
      )}
      {values.length > 0 && <Differences facts={values} />}
      {others.length > 0 && (
        <ol className="others" aria-label="What else">
          {others.map((fact, at) => (
            <li key={`${fact.kind} ${fact.seq ?? 0} ${at}`}>
              <FactView fact={fact} turn={answer.turn} subject={answer.subject} />
              {question.kind === "to" && <TryWay id={id} fact={fact} />}
            </li>
          ))}
        </ol>
      )}
      {(answer.also ?? []).map((one) => (
        <p key={`${one.kind} ${one.name ?? ""}`} className="muted">
          {one.name} is also a {one.kind}: <Ask subject={one} />
        </p>
      ))}
      {(answer.erased ?? []).map((text) => (
        <p key={text} className="erasednote">
          {text}
        </p>
      ))}
    </article>
  );
}

/** The values in which two conversations differ, side by side; each is a question. */
function Differences({ facts }: { facts: readonly Fact[] }) {
  const names = facts[0]?.values ?? {};
  return (
    <table className="st sides" aria-label="Values that differ">
      <thead>
        <tr>
          <th scope="col">field</th>
          <th scope="col">{String(names["one"])}</th>
          <th scope="col">{String(names["other"])}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map((fact) => {
          const { field, value, theirs, decides } = fact.values ?? {};
          return (
            <tr key={String(field)} className={decides ? "chg" : ""}>
              <td>
                <Ask subject={{ kind: "field", name: String(field) }} />
                {decides ? <small>{String(decides)}</small> : null}
              </td>
              <td>{String(value)}</td>
              <td>{String(theirs)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The facts without those that stand further up already. */
export function distinct(facts: readonly Fact[], seen = new Set<string>()): Fact[] {
  return facts.flatMap((fact) => {
    const key = `${fact.kind} ${fact.seq ?? 0} ${fact.text}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...fact, causes: distinct(fact.causes ?? [], seen) }];
  });
}

/** A fact, the names in it to ask on, and below it what caused it. */
function FactView({ fact, turn, subject, isFirst = false }: { fact: Fact; turn: number; subject: Subject; isFirst?: boolean }) {
  const about = (fact.about ?? []).filter((one) => !isSame(one, subject) && !["turn", "conversation", "message"].includes(one.kind));
  const causes = fact.causes ?? [];
  return (
    <div className={isFirst ? "fact first" : "fact"} data-kind={fact.kind}>
      <p>
        <span className="text">{fact.text}</span>
        {fact.turn ? (
          <button type="button" className="atturn" onClick={() => moveTo({ turn: fact.turn ?? null, decision: null })} aria-label={`Show turn ${fact.turn}`} aria-current={fact.turn === turn ? "true" : undefined}>
            turn {fact.turn}
          </button>
        ) : null}
        {fact.source && <code className="muted source">{fact.source}</code>}
      </p>
      {about.length > 0 && (
        <p className="asks">
          {about.slice(0, 4).map((one) => (
            <Ask key={`${one.kind} ${one.name ?? ""}`} subject={one} />
          ))}
        </p>
      )}
      {causes.length > 0 && (
        <ol className="causes" aria-label="because of">
          {causes.map((cause, at) => (
            <li key={`${cause.kind} ${cause.seq ?? 0} ${at}`}>
              <FactView fact={cause} turn={turn} subject={subject} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const isSame = (one: Subject, other: Subject) => one.kind === other.kind && (one.name ?? "") === (other.name ?? "");

function Ask({ subject }: { subject: Subject }) {
  const text = `${subject.kind} ${subject.name ?? ""}`.trim();
  return (
    <button type="button" className="askwhy" onClick={() => askWhy(text)} aria-label={`Ask why: ${text}`}>
      {subject.name && Number.isNaN(Number(subject.name)) ? subject.name : text}
    </button>
  );
}
