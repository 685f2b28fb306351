// The whole path of a long conversation in a thin strip, with the visible window. Dragging over it moves the position.

import { useMemo, useRef, type PointerEvent } from "react";
import type { Position } from "../data/position";
import type { Track } from "./decode";
import { overviewPath, stays, type TurnWindow } from "./score";
import { follow } from "./useScrub";

const WIDTH = 1000;
const HEIGHT = 12;

interface Props {
  readonly track: Track;
  readonly window: TurnWindow;
  /** The index of the turn at the position. */
  readonly index: number;
  readonly position: Position;
}

/** The strip below the score. The slider does the same by keyboard, so the strip is for pointers only. */
export function Overview({ track, window, index, position }: Props) {
  const path = useMemo(() => overviewPath(track, stays(track), track.lanes.length, WIDTH, HEIGHT), [track]);
  const count = Math.max(1, track.turns.length);
  const latest = useRef(position);
  latest.current = position;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const strip = event.currentTarget;
    follow(strip, event.nativeEvent, (x) => {
      const turn = track.turns[Math.min(count - 1, Math.max(0, Math.floor((x / strip.clientWidth) * count)))];
      if (turn && turn.number !== latest.current.turn) latest.current.go(turn.number);
    });
  };
  const percent = (turns: number) => `${(turns / count) * 100}%`;
  return (
    <div className="overview" aria-hidden="true" onPointerDown={onPointerDown}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" focusable="false">
        <path d={path} />
      </svg>
      <i className="win" style={{ left: percent(window.start), width: percent(window.count) }} />
      <i className="now" style={{ left: percent(index + 0.5) }} />
    </div>
  );
}
