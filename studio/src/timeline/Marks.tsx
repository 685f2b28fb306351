// The marks on the timeline: one per decision, and a diamond per commit.

import { memo } from "react";
import type { Position } from "../data/position";
import { Icon } from "../ui/Icon";
import { markOf } from "../ui/OutcomeMark";
import { t } from "../i18n/t";
import { beadsOf } from "./beads";
import { isAct, lastUpTo, type Decision } from "./decode";
import type { Score } from "./score";

interface Props {
  readonly geometry: Score;
  readonly position: Position;
  readonly seq: number;
}

/** The marks of the visible turns. Those behind the playhead are plain, those after it are pale. */
export const Marks = memo(function Marks({ geometry, position, seq }: Props) {
  const { track } = geometry;
  const [first, last] = geometry.range();
  const decisions = track.decisions.slice(lastUpTo(track.decisions, first - 1) + 1, lastUpTo(track.decisions, last) + 1);
  const isMinor = (one: Decision): boolean => !one.candidates.length && !isAct(one);
  const minor = decisions.filter(isMinor);
  const beads = beadsOf(decisions.filter((one) => !isMinor(one)), (one) => geometry.x(one.seq), (one) => geometry.y(one.lane), position.seq);
  const commits = track.commits.filter((commit) => commit >= first && commit <= last);
  return (
    <>
      {minor.map((decision) => (
        <span key={decision.seq} className="mk minor" style={{ left: geometry.x(decision.seq), top: geometry.y(decision.lane) }} />
      ))}
      {beads.map(({ shown: decision, count, x, y }) => {
        const isCurrent = decision.seq === position.seq;
        return (
          <button
            key={decision.seq}
            type="button"
            tabIndex={-1}
            className={`mk ${decision.seq > seq ? "after" : ""}`}
            style={{ left: x, top: y }}
            aria-current={isCurrent || undefined}
            aria-label={t("Turn {n}, {text}", { n: decision.turn, text: decision.text }) + (count > 1 ? `, ${t("one of {n} decisions here", { n: count })}` : "")}
            onClick={() => position.goToSeq(decision.seq)}
          >
            <Icon name={isAct(decision) ? "person" : markOf(decision.mark, decision.hasMoved)} />
            {count > 1 && (
              <span className="many" aria-hidden="true">
                {count}
              </span>
            )}
          </button>
        );
      })}
      {commits.map((commit) => (
        <i key={commit} className="cm" style={{ left: geometry.x(commit) }} />
      ))}
    </>
  );
});
