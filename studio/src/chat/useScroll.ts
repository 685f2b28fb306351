import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

const NEAR = 120;

type Place = { turn: number; isLive: boolean; content: string };

/**
 * Keep the end in view while the reader is there, and bring the turn of the position into view when the position
 * changes. A reader who scrolled up is not moved. The first child of `log` holds all of its content.
 */
export function useScroll(log: RefObject<HTMLDivElement | null>, { turn, isLive, content }: Place): void {
  const isAtEnd = useRef(true);
  const last = useRef({ turn: -1, isLive: true });
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const onScroll = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && last.current.isLive) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => {
      element.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, [log]);
  useLayoutEffect(() => {
    const element = log.current;
    if (!element) return;
    const hasMoved = last.current.turn !== turn || last.current.isLive !== isLive;
    const becameLive = isLive && !last.current.isLive;
    last.current = { turn, isLive };
    if (isLive) {
      if (isAtEnd.current || becameLive) {
        element.scrollTop = element.scrollHeight;
        isAtEnd.current = true;
      }
      return;
    }
    const section = hasMoved ? element.querySelector<HTMLElement>(`[data-turn="${turn}"]`) : null;
    if (section) element.scrollTop += section.getBoundingClientRect().top - element.getBoundingClientRect().top - element.clientHeight * 0.38;
  }, [log, turn, isLive, content]);
}
