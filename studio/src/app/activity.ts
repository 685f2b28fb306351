import { t } from "../i18n/t";
import { useRef } from "react";
import { useSending } from "../data/conversations";
import { useConversation, useConversationId } from "../data/hooks";
import { serverNow } from "../data/serverTime";

/** What the open conversation does at this moment, before its next result is stored. */
export type Activity = { words: string; since: number };

/** Whether a model is writing or a message is being worked on, and since when; `null` while it rests. */
export function useActivity(): Activity | null {
  const conversation = useConversation();
  const sending = useSending(useConversationId());
  const last = useRef<Activity | null>(null);
  const isSending = sending !== null && !sending.problem;
  const words = conversation?.drafts.length ? t("model is writing") : isSending ? (sending.attempt > 1 ? t("sending") : t("working")) : null;
  if (words === null) last.current = null;
  else if (last.current?.words !== words) last.current = { words, since: serverNow() };
  return last.current;
}
