import { useMemo } from "react";
import { setHighlight } from "../data/layout";
import type { Fact, Subject } from "../api/types";
import { Link } from "../app/Link";
import { href, conversationRoute } from "../data/route";
import { useConversation, useFlow } from "../data/hooks";
import { AskName } from "./AskWhy";
import { chainOf, isOfUser } from "./facts";
import { piecesOf, questionOf, subjectsOf, withPunctuation } from "./names";
import { showTurn } from "./question";
import { t, tx } from "../i18n/t";
import { hasTitles } from "../i18n/texts";
import { useTitles } from "../data/titles";

export type Frame = {
  /** What the answer is about; its name is no link. */
  subject: Subject;
  /** The turn of what a fact is shown with; a fact of another turn has a link there. */
  turn: number;
  /** The conversation of the facts, where it is not the open one. */
  elsewhere?: string;
};

/** A fact in words: each name in it stands out, and asks on. */
export function FactText({ fact, frame }: { fact: Fact; frame: Frame }) {
  const flow = useFlow().data;
  const names = useMemo(() => subjectsOf(flow), [flow]);
  const titles = useTitles();
  const pieces = piecesOf(fact.text, fact.about ?? [], frame.subject, names, String(fact.values?.["because"] ?? ""), hasTitles() ? titles : undefined);
  return withPunctuation(pieces).map(({ text, isName, subject, before, after }, at) =>
    subject && !frame.elsewhere ? (
      <span key={at} className="glue">
        {before}
        <AskName subject={questionOf(subject)} turn={fact.turn || undefined}>
          <code>{text}</code>
        </AskName>
        {after}
      </span>
    ) : isName ? (
      <span key={at}>
        {before}
        <code>{text}</code>
        {after}
      </span>
    ) : (
      <span key={at}>{text}</span>
    ),
  );
}

/** A turn by its number: it moves the playhead there and marks a message, or opens another conversation there. */
export function TurnLink({ turn, elsewhere, message = 0 }: { turn: number; elsewhere?: string | undefined; message?: number }) {
  if (elsewhere) {
    return (
      <Link className="atturn" to={{ ...conversationRoute(elsewhere), turn }}>
        {tx("turn {turn}", { turn })}
      </Link>
    );
  }
  const go = () => {
    showTurn(turn);
    if (message) setHighlight({ seq: message, start: 0, end: Infinity });
  };
  return (
    <button type="button" className="atturn" onClick={go} aria-label={t("Go to turn {turn}", { turn })}>
      {tx("turn {turn}", { turn })}
    </button>
  );
}

/** The turn of a fact, where it is another one than that of what it is shown with; of a message always. */
export function FactTurn({ fact, frame }: { fact: Fact; frame: Frame }) {
  const message = isOfUser(fact) ? (fact.seq ?? 0) : 0;
  if (!fact.turn || (fact.turn === frame.turn && !message)) return null;
  return <TurnLink turn={fact.turn} elsewhere={frame.elsewhere} message={message} />;
}

/** The place in the flow that a fact refers to. */
export function Source({ source }: { source: string | undefined }) {
  const flow = useConversation()?.summary?.flow;
  const [, file, line] = /([^/\\]+):(\d+):\d+$/.exec(source ?? "") ?? [];
  if (!file || !flow) return null;
  return (
    <a className="source" href={`${href({ page: "flow", flow })}#L${line}`}>
      <code>
        {file}:{line}
      </code>
    </a>
  );
}

/** A fact in a line, with its turn where that is another one, and its place in the flow. */
export function FactLine({ fact, frame }: { fact: Fact; frame: Frame }) {
  return (
    <p className="factline" data-kind={fact.kind}>
      <span className="text">
        <FactText fact={fact} frame={frame} />
      </span>{" "}
      <FactTurn fact={fact} frame={frame} /> <Source source={fact.source} />
    </p>
  );
}

const MOST = 8;

function Branches({ branches, frame, turn = frame.turn }: { branches: readonly Fact[]; frame: Frame; turn?: number | undefined }) {
  return (
    <ul aria-label={t("Each of these")}>
      {branches.map((branch, at) => (
        <li key={at}>
          <FactLine fact={branch} frame={{ ...frame, turn }} />
          <Chain fact={branch} frame={{ ...frame, turn: branch.turn || frame.turn }} />
        </li>
      ))}
    </ul>
  );
}

/** What caused a fact, as a chain that can be walked: a step each, and a branch for each of several causes. */
export function Chain({ fact, frame }: { fact: Fact; frame: Frame }) {
  const { steps, branches } = chainOf(fact);
  if (!steps.length && !branches.length) return null;
  const turns = [fact, ...steps].map((one) => one.turn || frame.turn);
  return (
    <ol className="chain">
      {steps.map((step, at) => (
        <li key={at}>
          <FactLine fact={step} frame={{ ...frame, turn: turns[at] ?? frame.turn }} />
        </li>
      ))}
      {branches.length > 0 && (
        <li className="branches">
          <Branches branches={branches.slice(0, MOST)} frame={frame} turn={turns.at(-1)} />
          {branches.length > MOST && (
            <details>
              <summary className="linkish">{tx("{length} more", { length: branches.length - MOST })}</summary>
              <Branches branches={branches.slice(MOST)} frame={frame} turn={turns.at(-1)} />
            </details>
          )}
        </li>
      )}
    </ol>
  );
}
