import type { FrameInfo } from "../api/types";
import { goToLevel } from "../graph/useStanding";

/** Go to an open frame: in the graph to its level, in the chat to its beginning. */
export function goToFrame(frame: FrameInfo, isGraph: boolean): void {
  if (isGraph) return goToLevel(frame.scope);
  const place = document.querySelector<HTMLElement>(frame.id ? `[data-frame="${frame.id}"]` : ".chat");
  const fold = place?.querySelector<HTMLElement>("[aria-expanded]");
  if (fold?.getAttribute("aria-expanded") === "false") fold.click();
  place?.scrollIntoView({ block: "start" });
  (fold ?? place)?.focus({ preventScroll: true });
}
