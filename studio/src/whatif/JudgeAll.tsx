import { useEffect, useRef, useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { WhatIfPage } from "../api/types";
import { Link } from "../app/Link";
import { conversationRoute } from "../data/route";
import { countText } from "../panel/format";
import { Button } from "../ui/Button";
import { ConversationName } from "../ui/ConversationName";
import { Refusal } from "../ui/Refusal";
import type { Question } from "./useWhatIfAnswer";
import { t, tx } from "../i18n/t";

const SHOWN = 12;

type Found = Pick<WhatIfPage, "conversations" | "total" | "judged" | "differs" | "changed" | "skipped">;

/** Asks the question of all conversations of the flow, some at a time, and counts. */
export function JudgeAll({ flow, title, question }: { flow: string; title: string; question: Question }) {
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const judge = async () => {
    const abort = new AbortController();
    running.current = abort;
    setProblem(null);
    setRunning(true);
    let sum: Found = { conversations: 0, total: 0, judged: 0, differs: 0, changed: [], skipped: 0 };
    let after: string | null = "";
    try {
      while (after !== null && !abort.signal.aborted) {
        const page: WhatIfPage = await api.whatIfAll(flow, { values: question.values, rules: question.rules, after }, abort.signal);
        sum = added(sum, page);
        setFound(sum);
        after = page.next;
      }
    } catch (error) {
      if (!abort.signal.aborted) setProblem(asProblem(error));
    }
    setRunning(false);
  };
  return (
    <div className="judgeall">
      {isRunning ? (
        <Button onClick={() => running.current?.abort()}>{t("Stop")}</Button>
      ) : (
        <Button onClick={() => void judge()}>
          {t("Judge all conversations of")}{" "}<b>{title}</b>
        </Button>
      )}
      {problem && <Refusal problem={problem} />}
      {found && isRunning && <progress max={Math.max(found.total, found.conversations)} value={found.conversations} aria-label={t("Conversations judged")} />}
      {found && (
        <p role="status">
          {tx("{conversations} of {total}, {judged}: {x} would come out differently", { conversations: found.conversations, total: countText(Math.max(found.total, found.conversations), "conversation"), judged: countText(found.judged, "decision"), x: found.differs === 0 ? t("none") : found.differs })}
          {found.changed.length > 0 && t(", in {length}", { length: countText(found.changed.length, "conversation") })}
          {found.skipped > 0 && t("; {skipped} skipped, their version of the flow differs", { skipped: found.skipped })}
        </p>
      )}
      {found && found.changed.length > 0 && (
        <ul>
          {found.changed.slice(0, SHOWN).map((one) => (
            <li key={one.conversation}>
              <Link to={{ ...conversationRoute(one.conversation), turn: one.turn }}>
                <ConversationName id={one.conversation} />
              </Link>{" "}
              <span className="muted">
                {tx("turn {turn},", { turn: one.turn })}{" "}{countText(one.differs, "decision")}
              </span>
            </li>
          ))}
          {found.changed.length > SHOWN && <li className="muted">{tx("and {length} more", { length: found.changed.length - SHOWN })}</li>}
        </ul>
      )}
    </div>
  );
}

const added = (sum: Found, page: WhatIfPage): Found => ({
  conversations: sum.conversations + page.conversations,
  total: page.total,
  judged: sum.judged + page.judged,
  differs: sum.differs + page.differs,
  changed: [...sum.changed, ...page.changed],
  skipped: sum.skipped + page.skipped,
});
