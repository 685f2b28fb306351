import type { Advice, ConversationSummary, FormView, Message } from "../api/types";
import { useFlows } from "../data/hooks";
import { sendTurn } from "../data/sending";
import { Icon } from "../ui/Icon";
import { t } from "../i18n/t";

const NONE: readonly string[] = [];

/** The lines of the first advice that fits what is asked now, without those that were said already. */
export function fitting(advice: readonly Advice[], { node }: Pick<ConversationSummary, "node">, form: FormView | null, messages: readonly Message[]): readonly string[] {
  const live = messages.filter((message) => !message.is_undone);
  const said = new Set(live.filter((message) => message.by === "user").map((message) => message.text));
  const given = new Set(live.flatMap((message) => message.understood.map((value) => value.field)));
  for (const one of advice) {
    const isHere = one.node === node && (one.field ? (form?.asked ?? "").endsWith(one.field) : form === null);
    const lines = one.lines.filter((line) => !said.has(line));
    if (isHere && !(one.missing && given.has(one.missing)) && lines.length) return lines;
  }
  return NONE;
}

/** Lines of the demonstration that fit the open question: a press sends one. */
export function AdviceRow({ summary, form, messages }: { summary: ConversationSummary; form: FormView | null; messages: readonly Message[] }) {
  const advice = useFlows().data?.find((flow) => flow.name === summary.flow)?.advice;
  if (!advice?.length || summary.status !== "waiting" || summary.person) return null;
  const lines = fitting(advice, summary, form, messages);
  if (!lines.length) return null;
  return (
    <div className="advice" role="group" aria-label={t("Try saying")}>
      <span aria-hidden="true">{t("Try")}</span>
      {lines.map((line) => (
        <button key={line} type="button" className="send" onClick={() => void sendTurn(summary.id, { text: line })}>
          <span>{line}</span>
          <Icon name="send" />
        </button>
      ))}
    </div>
  );
}
