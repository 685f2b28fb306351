import { useEffect, useRef } from "react";
import type { Message } from "../api/types";
import { announce } from "../data/announce";
import { useTitles } from "../data/titles";
import { isInside, scopeAround } from "../graph/level";
import { t } from "../i18n/t";

/** What a screen reader says of new messages: the replies, and where a scope was opened or closed. */
export function spokenWords(messages: readonly Message[], after: number, title: (scope: string) => string): string {
  const spoken: string[] = [];
  let scope = "";
  let closed = "";
  for (const message of messages) {
    if (message.by === "user" || message.by === "button" || !message.text) continue;
    const words = message.closes ? t("{speaker} closed: {note}. {text}", { speaker: title(message.speaker), note: message.note, text: message.text }) : `${placeWords(scope, scopeAround(message.speaker), closed, title)}${message.text}`;
    if (message.seq > after) spoken.push(words);
    if (message.closes) closed = message.speaker;
    else if (message.by === "text" || message.by === "model") [scope, closed] = [scopeAround(message.speaker), ""];
  }
  return spoken.join("\n");
}

/** Says that what comes is inside of another scope than what was said before. */
function placeWords(before: string, scope: string, closed: string, title: (scope: string) => string): string {
  if (scope === before || (closed && closed === before)) return "";
  return scope && !isInside(before, scope) ? t("Inside {scope}: ", { scope: title(scope) }) : t("{before} closed. ", { before: title(before) });
}

/** Speak replies when they are complete. */
export function useFinishedReplies(messages: readonly Message[], isLoaded: boolean): void {
  const titles = useTitles();
  const spoken = useRef<number | null>(null);
  useEffect(() => {
    if (!isLoaded) return;
    const last = messages.at(-1)?.seq ?? 0;
    const words = spoken.current === null ? "" : spokenWords(messages, spoken.current, titles.node);
    if (words) announce(words);
    spoken.current = Math.max(spoken.current ?? 0, last);
  }, [messages, isLoaded, titles]);
}
