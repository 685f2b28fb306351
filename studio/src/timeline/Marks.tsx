// The marks on the timeline: one per decision, and a diamond per commit.

import { memo } from "react";
import type { Position } from "../data/position";
import { Icon } from "../ui/Icon";
import { markOf } from "../ui/OutcomeMark";
import { isAct, lastUpTo } from "./decode";
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
  const commits = track.commits.filter((commit) => commit >= first && commit <= last);
  return (
    <>
      {decisions.map((decision) => {
        const at = { left: geometry.x(decision.seq), top: geometry.y(decision.lane) };
        if (!decision.candidates.length && !isAct(decision)) return <span key={decision.seq} className="mk minor" style={at} />;
        const isCurrent = decision.seq === position.seq;
        return (
          <button
            key={decision.seq}
            type="button"
            tabIndex={-1}
            className={`mk ${decision.seq > seq ? "after" : ""}`}
            style={at}
            aria-current={isCurrent || undefined}
            aria-label={`Turn ${decision.turn}, ${decision.text}`}
            onClick={() => position.goToSeq(decision.seq)}
          >
            <Icon name={isAct(decision) ? "person" : markOf(decision.mark, decision.target >= 0 || decision.text.startsWith("ended"))} />
          </button>
        );
      })}
      {commits.map((commit) => (
        <i key={commit} className="cm" style={{ left: geometry.x(commit) }} />
      ))}
    </>
  );
});
