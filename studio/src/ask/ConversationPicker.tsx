import { Icon } from "../ui/Icon";
import { StatusLine } from "../list/StatusLine";
import { useEffect, useState } from "react";
import { api } from "../api/calls";
import type { ConversationSummary } from "../api/types";
import { useConversation, useTimeline } from "../data/hooks";
import { decode } from "../timeline/decode";
import { ConversationName } from "../ui/ConversationName";
import type { Question } from "./question";
import { t, tx } from "../i18n/t";

const SHOWN = 6;
const PAUSE_MS = 150;

type Props = { id: string; now: Extract<Question, { kind: "against" }> | null; onPick: (conversation: string, turn: number | null) => void };

/** Chooses what to compare with: another conversation, found by a search, or an earlier turn of this one. */
export function ConversationPicker({ id, now, onPick }: Props) {
  const flow = useConversation()?.summary?.flow;
  const timeline = useTimeline().data;
  const turns = timeline ? decode(timeline).turns.slice(0, -1).filter((turn) => !turn.isErased) : [];
  const [text, setText] = useState("");
  const found = useFound(flow, text, id);
  return (
    <details className="picker" open={!now}>
      <summary>
        <Icon name="chev" className="chev" />
        <span>
          {tx("Compare {b} with", { b: <b><ConversationName id={id} /></b> })}{" "}{now ? <b>{now.conversation ? <ConversationName id={now.conversation} /> : t("turn {turn}", { turn: now.turn ?? 0 })}</b> : t("another conversation")}
        </span>
      </summary>
      <label>
        <span>{t("Another conversation of this flow")}</span>
        <input type="search" value={text} onChange={(event) => setText(event.target.value)} placeholder={t("A name, a node, or words that were said")} autoComplete="off" spellCheck={false} />
      </label>
      <ul aria-label={t("Conversations to compare with")} aria-busy={found === null}>
        {(found ?? []).slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <button type="button" aria-pressed={one.id === now?.conversation} onClick={() => onPick(one.id, null)}>
              <b>
                <ConversationName id={one.id} name={one.name} />
              </b>
              <StatusLine summary={one} />
              <span className="muted">{one.turn === 1 ? t("1 turn") : t("{turn} turns", { turn: one.turn })}</span>
            </button>
          </li>
        ))}
        {found?.length === 0 && <li className="muted">{text.trim() ? t("No other conversation matches.") : t("There is no other conversation of this flow.")}</li>}
      </ul>
      {turns.length > 0 && (
        <label className="turns">
          <span>{t("or with an earlier turn of this one")}</span>
          <select value={now?.conversation === "" ? (now.turn ?? "") : ""} onChange={(event) => event.target.value && onPick("", Number(event.target.value))}>
            <option value="">{t("choose a turn")}</option>
            {turns.map(({ number }) => (
              <option key={number} value={number}>
                {tx("turn {number}", { number })}
              </option>
            ))}
          </select>
        </label>
      )}
    </details>
  );
}

/** Other conversations of the flow that match a text, the newest first; `null` while the first answer is awaited. */
function useFound(flow: string | undefined, text: string, id: string): readonly ConversationSummary[] | null {
  const [found, setFound] = useState<readonly ConversationSummary[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      api.conversations({ flow, text: text.trim() || undefined, limit: SHOWN + 1 }).then(
        (page) => isCurrent && setFound(page.conversations.filter((one) => one.id !== id)),
        () => isCurrent && setFound([]),
      );
    }, text ? PAUSE_MS : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [flow, text, id]);
  return found;
}
