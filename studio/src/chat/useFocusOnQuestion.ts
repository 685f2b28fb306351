import { useEffect, useRef, type RefObject } from "react";
import { act } from "../data/actions";

/** Where a button was pressed by keyboard and is gone, focus goes to the first button of the next question, to the message field where it has none, or at the end to the transcript. */
export function useFocusOnQuestion(log: RefObject<HTMLElement | null>, openSeq: number, rest: "busy" | "resting" | "ended"): void {
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
    if (rest === "busy" || !isKeyboard.current) return;
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body || (focused instanceof HTMLButtonElement && focused.disabled);
    if (!isLost) return;
    if (openSeq) log.current?.querySelector<HTMLElement>(".opts .opt:enabled, .choose button:enabled")?.focus();
    else if (rest === "ended") log.current?.focus();
    else act("focus-message");
  }, [log, openSeq, rest]);
}
