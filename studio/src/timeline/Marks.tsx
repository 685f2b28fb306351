// The marks on the timeline: one per decision, and a diamond per commit.

import { memo } from "react";
import type { FrameInfo } from "../api/types";
import type { Position } from "../data/position";
import { Icon } from "../ui/Icon";
import { markOf } from "../ui/OutcomeMark";
import { t } from "../i18n/t";
import { beadsOf, type ScopeSign } from "./beads";
import { isAct, lastUpTo, type Decision } from "./decode";
import type { Score } from "./score";

interface Props {
  readonly geometry: Score;
  readonly position: Position;
  readonly seq: number;
  readonly frames: readonly FrameInfo[];
}

/** The lane that the path takes at a position where it moves. */
const laneFrom = ({ track }: Score, seq: number): number => track.moves.find((move) => move[0] === seq)?.[2] ?? -1;

/** The visible signs of scopes that were opened and closed. */
function signsOf(geometry: Score, frames: readonly FrameInfo[]): ScopeSign[] {
  const scopes = frames.filter((frame) => frame.id > 0 && frame.status !== "undone");
  const all = scopes.flatMap((frame) => [{ name: "in" as const, seq: frame.id }, ...(frame.closed_seq ? [{ name: "out" as const, seq: frame.closed_seq }] : [])]);
  return all.map((one) => ({ ...one, lane: laneFrom(geometry, one.seq) })).filter((one) => one.lane >= 0 && geometry.isVisible(one.seq));
}

/** The marks of the visible turns. Those behind the playhead are plain, those after it are pale. */
export const Marks = memo(function Marks({ geometry, position, seq, frames }: Props) {
  const { track } = geometry;
  const [first, last] = geometry.range();
  const decisions = track.decisions.slice(lastUpTo(track.decisions, first - 1) + 1, lastUpTo(track.decisions, last) + 1);
  const isMinor = (one: Decision): boolean => !one.candidates.length && !isAct(one);
  const minor = decisions.filter(isMinor);
  const beads = beadsOf(decisions.filter((one) => !isMinor(one)), (one) => geometry.x(one.seq), (one) => geometry.y(one.lane), position.seq, signsOf(geometry, frames));
  const commits = track.commits.filter((commit) => commit >= first && commit <= last);
  return (
    <>
      {minor.map((decision) => (
        <span key={decision.seq} className="mk minor" style={{ left: geometry.x(decision.seq), top: geometry.y(decision.lane) }} />
      ))}
      {beads.map(({ shown: decision, sign, count, x, y }) => {
        if (!decision) {
          return (
            <span key={sign?.seq} className="mk" aria-hidden="true" style={{ left: x, top: y }}>
              {sign && <Icon name={sign.name} />}
            </span>
          );
        }
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
            <Icon name={sign ? sign.name : isAct(decision) ? "person" : markOf(decision.mark, decision.hasMoved)} />
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
