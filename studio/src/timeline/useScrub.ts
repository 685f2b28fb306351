// Scrubbing: dragging over the timeline moves the position to the nearest decision.

import { useCallback, useRef, type PointerEvent } from "react";
import type { Position } from "../data/position";
import type { Score } from "./score";

/** A handler for `pointerdown`. It follows the pointer until it is released, at most once per frame. */
export function useScrub(geometry: Score, position: Position): (event: PointerEvent<HTMLElement>) => void {
  const latest = useRef({ geometry, position });
  latest.current = { geometry, position };
  return useCallback((event: PointerEvent<HTMLElement>) => {
    const field = event.currentTarget.closest<HTMLElement>(".field");
    const isMark = event.target instanceof Element && event.target.closest("button") !== null;
    if (event.button !== 0 || !field || isMark) return;
    event.preventDefault();
    event.stopPropagation();
    field.querySelector<HTMLElement>("[role=slider]")?.focus({ preventScroll: true });
    follow(field, event.nativeEvent, (x) => {
      const { geometry: score, position: now } = latest.current;
      const nearest = score.nearest(x);
      if (nearest && nearest.seq !== now.seq) now.goToSeq(nearest.seq);
    });
  }, []);
}

/** Report where the pointer is along an element, until it is released. */
export function follow(element: HTMLElement, first: globalThis.PointerEvent, report: (x: number) => void): void {
  const left = element.getBoundingClientRect().left;
  let x = first.clientX - left;
  let frame = 0;
  const run = () => {
    frame = 0;
    report(x);
  };
  const move = (event: globalThis.PointerEvent) => {
    x = event.clientX - left;
    frame ||= requestAnimationFrame(run);
  };
  const end = () => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    cancelAnimationFrame(frame);
    report(x);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  report(x);
}
