// The playhead: a slider over the decisions of the conversation. Its value text is the verdict.

import type { KeyboardEvent, PointerEvent } from "react";
import type { Position } from "../data/position";
import type { Decision } from "./decode";
import type { Score } from "./score";
import { sliderText } from "./words";
import { t } from "../i18n/t";
import { verdictLine } from "../i18n/texts";

interface Props {
  readonly geometry: Score;
  readonly position: Position;
  readonly selected: Decision | null;
  readonly seq: number;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
}

/** What each key does; with Shift the arrows go by turns. */
export function moveByKey(event: Pick<KeyboardEvent, "key" | "shiftKey">, position: Position): boolean {
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (by !== undefined) {
    if (event.shiftKey) position.stepTurn(by);
    else position.step(by);
    return true;
  }
  if (event.key === "PageUp" || event.key === "PageDown") position.stepTurn(event.key === "PageUp" ? 10 : -10);
  else if (event.key === "Home") position.goFirst();
  else if (event.key === "End") position.goLive();
  else return false;
  return true;
}

/** The line at the position, with its handle. */
export function Playhead({ geometry, position, selected, seq, onPointerDown }: Props) {
  const own = selected?.turn === position.turn && selected.seq === position.seq ? selected : null;
  return (
    <span
      className="head"
      role="slider"
      tabIndex={0}
      aria-label={t("Position in the conversation")}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, position.lastTurn)}
      aria-valuenow={Math.max(1, position.turn)}
      aria-valuetext={sliderText(position.turn, own, position.seam ? verdictLine(position.seam) : "")}
      style={{ left: geometry.x(seq) }}
      onPointerDown={onPointerDown}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !moveByKey(event, position)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
