import "./instead.css";
import type { FrameInfo, Message, TurnTrace } from "../../api/types";
import { useFrames, useOpenFrames } from "../../data/frames";
import { useConversation } from "../../data/hooks";
import { useTitles } from "../../data/titles";
import { scopeAround } from "../../graph/level";
import { nameOf, savedWords } from "../../scopes/words";
import { countText, shorten } from "../format";
import { Section } from "../Section";
import { t, tx } from "../../i18n/t";

/** How many of the words inside are shown, and how much of each. */
const [SHOWN, LONGEST] = [3, 120];

/** The scope that was closed last in a frame before the end of a turn: the model outside reads its summary. */
export function closedBefore(frames: readonly FrameInfo[], around: number, turn: number): FrameInfo | undefined {
  const closed = frames.filter((frame) => frame.parent === around && frame.status === "closed" && frame.closed_turn !== null && frame.closed_turn <= turn);
  return closed.sort((a, b) => (a.closed_seq ?? 0) - (b.closed_seq ?? 0)).at(-1);
}

/** What was said inside of a frame, and inside of the scopes in it. */
export function wordsInside(messages: readonly Message[], frames: readonly FrameInfo[], id: number): readonly Message[] {
  const ids = new Set([id]);
  for (const frame of frames) if (ids.has(frame.parent ?? -1)) ids.add(frame.id);
  return messages.filter((message) => ids.has(message.frame) && !message.is_undone && !message.closes && message.by !== "tool" && message.by !== "system");
}

/** What the model of this turn was sent instead of the words inside of the last scope: nothing where no model read of one. */
export function SentInstead({ trace }: { trace: TurnTrace }) {
  const frames = useFrames();
  const around = useOpenFrames().at(-1);
  const messages = useConversation()?.messages ?? [];
  const titles = useTitles();
  const closed = around && closedBefore(frames, around.id, trace.turn);
  const prompt = around && trace.prompts.findLast(({ node, purpose }) => purpose === "reply" && scopeAround(node) === around.scope);
  if (!closed || !prompt) return null;
  const inside = wordsInside(messages, frames, closed.id);
  const saved = savedWords(closed);
  return (
    <Section id="instead" title={t("Sent instead of {closed}", { closed: nameOf(closed) })} aside={t("to the model of {node}", { node: titles.node(prompt.node) })} isOpen>
      <div className="pad sectbody">
        <div className="instead">
          <div className="gone">
            <h4>{tx("stays inside: {length}", { length: countText(inside.length, "message") })}</h4>
            {inside.slice(0, SHOWN).map((message) => (
              <p key={message.seq}>
                <span>{message.by === "user" || message.by === "button" ? t("user") : message.speaker.split("/").at(-1)}</span>
                {message.is_erased ? <i>{t("erased")}</i> : shorten(message.text, LONGEST)}
              </p>
            ))}
            {inside.length > SHOWN && <p className="rest">{tx("{length} more", { length: inside.length - SHOWN })}</p>}
          </div>
          <div className="got">
            <h4>{t("sent: 1 summary")}</h4>
            <p>{closed.summary}</p>
          </div>
        </div>
        {saved && <p className="muted">{saved}.</p>}
      </div>
    </Section>
  );
}
