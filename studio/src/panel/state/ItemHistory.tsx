import { api } from "../../api/calls";
import type { Fact } from "../../api/types";
import { AskWhy } from "../../ask/AskWhy";
import { useConversationId } from "../../data/hooks";
import { useResource } from "../../data/resource";
import { Loading } from "../../ui/Loading";
import { LoadRefusal } from "../../ui/Refusal";
import { t, tx } from "../../i18n/t";

const OF_AN_ITEM = /^(item_(added|changed|moved|removed|absent|change_undone)|field_set|value_refused|command_refused)$/;

/** What happened to an item, in order. */
export const historyOf = (facts: readonly Fact[]): Fact[] =>
  facts.filter(({ kind }) => OF_AN_ITEM.test(kind)).sort((one, other) => (one.turn ?? 0) - (other.turn ?? 0) || (one.seq ?? 0) - (other.seq ?? 0));

/** The history of one item: what added it, changed it, was refused and undone, each with its turn. */
export function ItemHistory({ field, item, number, turn }: { field: string; item: string; number: number; turn: number }) {
  const id = useConversationId();
  const subject = `item ${field}[${item}]`;
  const { data, problem } = useResource(id === null ? null : `trace:${id}#${turn} history ${subject}`, () => api.why(id ?? "", { subject, turn }));
  if (problem) return <LoadRefusal problem={problem} loads="" />;
  if (!data) return <Loading label={t("Loading the history")} />;
  return (
    <section className="history" aria-label={t("History of item {number}", { number })}>
      <h3>
        {tx("History of item {number}", { number })} <AskWhy subject={subject} name={t("item {number}", { number })} />
      </h3>
      <ol>
        {historyOf(data.facts).map((fact) => (
          <li key={`${fact.seq} ${fact.text}`}>
            <span className="muted">{tx("turn {turn}", { turn: fact.turn })}</span> {fact.text}
          </li>
        ))}
      </ol>
    </section>
  );
}
