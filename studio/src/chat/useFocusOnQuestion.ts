import { useEffect, useRef, type RefObject } from "react";

/** Where a button was pressed by keyboard and is gone, focus goes to the first button of the next question. */
export function useFocusOnQuestion(log: RefObject<HTMLElement | null>, openSeq: number): void {
  const isKeyboard = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      isKeyboard.current = event.key === "Enter" || event.key === " ";
    };
    const onPointer = () => {
      isKeyboard.current = false;
    };
    addEventListener("keydown", onKey, true);
    addEventListener("pointerdown", onPointer, true);
    return () => {
      removeEventListener("keydown", onKey, true);
      removeEventListener("pointerdown", onPointer, true);
    };
  }, []);
  useEffect(() => {
    if (!openSeq || !isKeyboard.current) return;
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body || (focused instanceof HTMLButtonElement && focused.disabled);
    if (isLost) log.current?.querySelector<HTMLElement>(".opts .opt:enabled, .choose button:enabled")?.focus();
  }, [log, openSeq]);
}
