import { useEffect, type RefObject } from "react";
import type { Point } from "./lines";
import { moved, pinched, zoomed, type View } from "./viewport";

/** A pointer that moves less far is pressed, and drags nothing. */
const SLACK = 4;
/** How far a turn of the wheel by one line moves, and how fast the wheel zooms. */
const [LINE, SPEED] = [20, 0.006];

/** Move the view with the pointer, the wheel or a finger; zoom with two fingers, or the wheel with Ctrl. */
export function usePanZoom(frame: RefObject<HTMLElement | null>, change: (next: (now: View) => View) => void): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const pointers = new Map<number, Point>();
    let isDragged = false;
    const placeOf = (event: MouseEvent): Point => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const size = event.deltaMode ? LINE : 1;
      const at = placeOf(event);
      if (event.ctrlKey || event.metaKey) change((now) => zoomed(now, 2 ** (-event.deltaY * size * SPEED), at));
      else change((now) => moved(now, { x: -event.deltaX * size, y: -event.deltaY * size }));
    };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      pointers.set(event.pointerId, placeOf(event));
    };
    const onMove = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      const now = placeOf(event);
      if (!before || (!isDragged && Math.hypot(now.x - before.x, now.y - before.y) < SLACK)) return;
      if (!isDragged) element.setPointerCapture(event.pointerId); // so that the part below is not pressed
      isDragged = true;
      element.classList.add("dragged");
      pointers.set(event.pointerId, now);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      change((view) => (other ? pinched(view, [before, other], [now, other]) : moved(view, { x: now.x - before.x, y: now.y - before.y })));
    };
    const onUp = (event: PointerEvent) => {
      pointers.delete(event.pointerId);
      if (pointers.size) return;
      isDragged = false;
      element.classList.remove("dragged");
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    for (const kind of ["pointerup", "pointercancel"] as const) element.addEventListener(kind, onUp);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
      for (const kind of ["pointerup", "pointercancel"] as const) element.removeEventListener(kind, onUp);
    };
  }, [frame, change]);
}
