import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useHighlight } from "../data/layout";

const NEAR = 120;

type Place = { turn: number; isLive: boolean; content: string };

/** What a reader does who scrolls. */
const SCROLLING = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Show a turn: the turns before it too, as far as there is room for all of it. */
function show(log: HTMLElement, turn: number): void {
  const section = log.querySelector<HTMLElement>(`[data-turn="${turn}"]`);
  if (!section) return;
  const top = Math.min(log.clientHeight * 0.38, Math.max(0, log.clientHeight - Math.ceil(section.getBoundingClientRect().height)));
  log.scrollTop += section.getBoundingClientRect().top - log.getBoundingClientRect().top - top;
}

/**
 * Keep the end in view while the reader is there, and bring the turn of the position into view when the position
 * changes, also while what is around it still loads. A reader who scrolled is not moved. The first child of `log` holds all of its content.
 */
export function useScroll(log: RefObject<HTMLDivElement | null>, { turn, isLive, content }: Place): void {
  const isAtEnd = useRef(true);
  const last = useRef({ turn: -1, isLive: true });
  const held = useRef(0);
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const onScroll = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && last.current.isLive) element.scrollTop = element.scrollHeight;
      else if (held.current) show(element, held.current);
    });
    const letGo = () => {
      held.current = 0;
    };
    for (const kind of SCROLLING) element.addEventListener(kind, letGo, { passive: true });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => {
      element.removeEventListener("scroll", onScroll);
      for (const kind of SCROLLING) element.removeEventListener(kind, letGo);
      observer.disconnect();
    };
  }, [log]);
  const highlight = useHighlight();
  useEffect(() => {
    if (highlight) held.current = 0; // its words are brought into view instead
  }, [highlight]);
  useLayoutEffect(() => {
    const element = log.current;
    if (!element) return;
    const hasMoved = last.current.turn !== turn || last.current.isLive !== isLive;
    const becameLive = isLive && !last.current.isLive;
    last.current = { turn, isLive };
    if (isLive) {
      held.current = 0;
      if (isAtEnd.current || becameLive) {
        element.scrollTop = element.scrollHeight;
        isAtEnd.current = true;
      }
      return;
    }
    if (!hasMoved) return;
    held.current = turn;
    show(element, turn);
  }, [log, turn, isLive, content]);
}
