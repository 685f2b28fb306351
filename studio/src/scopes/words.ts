// The words for frames: who opened them, what is left of their limits, what they saved.

import type { FrameInfo } from "../api/types";
import { inWords, outcomeInWords } from "../data/names";
import { countText } from "../panel/format";
import { t } from "../i18n/t";

const plain = (id: string): string => (id.split("/").at(-1) ?? id).replaceAll("_", " ");

/** The name of a frame for people; retention may have erased which scope it was. */
export const nameOf = ({ id, title, scope }: Pick<FrameInfo, "id" | "title" | "scope">): string => title || (scope && inWords(scope.split("/").at(-1) ?? scope)) || (id ? t("Erased scope") : t("main"));

/** What is left of the limits of an open frame: `6 turns, 1,200 tokens left`; empty where it has none. */
export function leftWords({ turns, max_turns, tokens, max_tokens }: FrameInfo): string {
  const left = (used: number, most: number | null, noun: "turn" | "token") => (most === null ? [] : [countText(Math.max(0, most - used), noun)]);
  const words = [...left(turns, max_turns, "turn"), ...left(tokens, max_tokens, "token")];
  return words.length ? t("{x} left", { x: words.join(", ") }) : "";
}

/** Who opened a scope, as the rest of a sentence: `the user asked for it`. */
export function openedWords({ by, transition, tool }: FrameInfo): string {
  switch (by) {
    case "user":
      return t("the user asked for it");
    case "tool":
      return t("the model called {x}", { x: tool ? plain(tool) : t("its tool") });
    case "call":
      return transition ? t("{transition} called it", { transition: plain(transition) }) : t("a transition called it");
    case "program":
      return t("the program opened it");
    case "offer":
      return t("the user took the offer");
    default:
      return transition ? t("{transition} led to it", { transition: plain(transition) }) : t("its node was entered");
  }
}

/** The turns of a frame: `turns 4 to 7`. */
export function turnsWords({ opened_turn, closed_turn }: Pick<FrameInfo, "opened_turn" | "closed_turn">, last: number): string {
  const until = closed_turn ?? Math.max(opened_turn, last);
  if (until === opened_turn) return t("turn {until}", { until });
  return t("turns {opened_turn} {x} {until}", { opened_turn, x: until === opened_turn + 1 ? t("and") : t("to"), until });
}

/** What a closed scope saved in the requests after it: `412 tokens saved in 3 later requests (an estimate)`. */
export function savedWords({ tokens_saved, later_requests, is_estimate }: Pick<FrameInfo, "tokens_saved" | "later_requests" | "is_estimate">): string {
  if (tokens_saved === null || !later_requests) return "";
  return t("{tokens_saved} saved in {later_requests}{x}", { tokens_saved: countText(tokens_saved, "token"), later_requests: countText(later_requests, "later request"), x: is_estimate && tokens_saved ? t(" (an estimate)") : "" });
}

/** How a frame stands: `closed: completed`, `open, waits for the survey`. */
export function standingWords(frame: FrameInfo, inside: FrameInfo | undefined): string {
  if (frame.status === "closed") return t("closed: {outcome}", { outcome: outcomeInWords(frame.outcome) });
  return inside ? t("open, waits for {inside}", { inside: nameOf(inside) }) : t("open");
}
