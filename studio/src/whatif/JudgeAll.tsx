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

const SHOWN = 12;

type Found = Pick<WhatIfPage, "conversations" | "total" | "judged" | "differs" | "changed" | "skipped">;

/** Asks the question of all conversations of the flow, some at a time, and counts. */
export function JudgeAll({ flow, question }: { flow: string; question: Question }) {
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
        <Button onClick={() => running.current?.abort()}>Stop</Button>
      ) : (
        <Button onClick={() => void judge()}>
          Judge all conversations of <code>{flow}</code>
        </Button>
      )}
      {problem && <Refusal problem={problem} />}
      {found && isRunning && <progress max={Math.max(found.total, found.conversations)} value={found.conversations} aria-label="Conversations judged" />}
      {found && (
        <p role="status">
          {found.conversations} of {countText(Math.max(found.total, found.conversations), "conversation")}, {countText(found.judged, "decision")}: {found.differs === 0 ? "none" : found.differs} would come out differently
          {found.changed.length > 0 && `, in ${countText(found.changed.length, "conversation")}`}
          {found.skipped > 0 && `; ${found.skipped} skipped, their version of the flow differs`}
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
                turn {one.turn}, {countText(one.differs, "decision")}
              </span>
            </li>
          ))}
          {found.changed.length > SHOWN && <li className="muted">and {found.changed.length - SHOWN} more</li>}
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
