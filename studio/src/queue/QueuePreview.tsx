import { useEffect } from "react";
import { Link } from "../app/Link";
import { span } from "../app/words";
import { loadTranscript, useConversationData } from "../data/conversations";
import { ConversationScope, conversationRoute } from "../data/route";
import { t } from "../i18n/t";
import { MessageView } from "../chat/MessageView";
import { Section } from "../panel/Section";
import { Outlook } from "../person/Outlook";
import { usePreview } from "../person/usePreview";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { isTaken, type Row } from "./rows";
import { useTakeOver } from "./QueuePage";
import { outcomeInWords } from "../data/names";
import { useTitles } from "../data/titles";

const NOTHING = { outcome: "", set: {} };

/** A conversation before it is taken over: why it waits, what is known, what was said last, and what giving back would do. */
export function QueuePreview({ row, now }: { row: Row; now: number }) {
  const { summary, why, known } = row;
  const { isBusy, problem, take } = useTakeOver(summary.id);
  const since = summary.person?.since_ms ?? now;
  return (
    <ConversationScope.Provider value={summary.id}>
      <div className="verdict">
        <h2>{isTaken(row) ? t("{name} has a person since {time}", { name: summary.id, time: span(now - since) }) : t("{name} has waited {time}", { name: summary.id, time: span(now - since) })}</h2>
        <p lang={summary.language}>{why}</p>
      </div>
      <div className="pad acts qacts">
        {!isTaken(row) && (
          <Button look="solid" icon="person" aria-disabled={isBusy} onClick={() => void take()}>
            {t("Take over")}
          </Button>
        )}
        <Link className="btn" to={conversationRoute(summary.id)}>
          {t("Open the conversation")}
        </Link>
      </div>
      {problem && <Refusal problem={problem} />}
      <Section id="queue known" title={t("What is known")} isOpen>
        <div className="pad sectbody">
          {known.length ? (
            <dl className="qfields" lang={summary.language}>
              {known.map((one) => (
                <div key={one.field}>
                  <dt>{one.label}</dt>
                  <dd>{one.value}</dd>
                </div>
              ))}
            </dl>
          ) : (
            <p className="muted">{t("Nothing is known yet.")}</p>
          )}
        </div>
      </Section>
      <LastSaid id={summary.id} />
      {!isTaken(row) && <GivenBack id={summary.id} seq={summary.seq} />}
    </ConversationScope.Provider>
  );
}

/** The last message of each side. */
function LastSaid({ id }: { id: string }) {
  useEffect(() => void loadTranscript(id), [id]);
  const data = useConversationData(id);
  const said = (data?.messages ?? []).filter((one) => !one.is_undone && one.by !== "system" && one.by !== "tool");
  const user = said.findLast((one) => one.by === "user" || one.by === "button");
  const reply = said.findLast((one) => one.by !== "user" && one.by !== "button");
  const last = [user, reply].flatMap((one) => (one ? [one] : [])).sort((a, b) => a.seq - b.seq);
  if (!last.length) return null;
  return (
    <Section id="queue said" title={t("Last said")} aside={t("turn {n}", { n: last.at(-1)?.turn ?? 0 })} isOpen>
      <div className="pad sectbody qsaid">
        {last.map((message) => (
          <MessageView key={message.seq} message={message} label={message.text} isOpen={false} answer="" blocked="" />
        ))}
      </div>
    </Section>
  );
}

/** What would happen if it were given back at once. */
function GivenBack({ id, seq }: { id: string; seq: number }) {
  const { preview, problem } = usePreview(id, NOTHING, seq);
  const titles = useTitles();
  return (
    <Section id="queue back" title={t("When you give it back")} aside={t("as it stands")} isOpen>
      <div className="pad sectbody opside">
        {problem && <Refusal problem={problem} />}
        {preview && !preview.refused && (preview.outcome ? <p>{t("It would end: {outcome}", { outcome: outcomeInWords(preview.outcome) })}</p> : <p>{t("It would go on in {node}.", { node: titles.node(preview.node) })}</p>)}
        {preview?.refused && <p>{preview.text}</p>}
        {preview && <Outlook preview={preview} />}
      </div>
    </Section>
  );
}
