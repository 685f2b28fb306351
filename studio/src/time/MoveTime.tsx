import { useState } from "react";
import { asProblem, type Problem } from "../api/problem";
import type { DueView } from "../api/types";
import { useMe, useScope } from "../data/hooks";
import { serverNow } from "../data/serverTime";
import { Refusal } from "../ui/Refusal";
import { moveClock } from "./clock";
import { firesAt, firesByItself } from "./words";
import { t } from "../i18n/t";

const HOUR = 3_600_000;

/** Moves the clock of a demonstration forward: what is due then fires, in all of its conversations. */
export function MoveTime({ due }: { due: readonly DueView[] }) {
  const canMove = useScope("admin");
  const hasClock = useMe().data?.has_demo_clock ?? false;
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isMoving, setMoving] = useState(false);
  if (!canMove || !hasClock) return null;
  const next = Math.min(...due.flatMap((one) => (firesByItself(one) ? [firesAt(one) ?? Infinity] : [])));
  const move = (ms: number) => {
    setProblem(null);
    setMoving(true);
    moveClock(ms)
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setMoving(false));
  };
  return (
    <div className="forward">
      <div role="group" aria-label={t("Move the time of this demonstration forward")} aria-busy={isMoving}>
        <span aria-hidden="true">{t("Move the time forward")}</span>
        <button type="button" className="btn" disabled={isMoving} onClick={() => move(HOUR)}>
          {t("1 hour")}
        </button>
        <button type="button" className="btn" disabled={isMoving} onClick={() => move(24 * HOUR)}>
          {t("1 day")}
        </button>
        <button type="button" className="btn" disabled={isMoving || !Number.isFinite(next)} onClick={() => move(Math.max(1000, next - serverNow() + 1000))}>
          {t("to what is next")}
        </button>
      </div>
      {problem && <Refusal problem={problem} />}
    </div>
  );
}
