import { api } from "../api/calls";
import type { Answer, StateView, ValueView } from "../api/types";
import { Comparison } from "../ask/Comparison";
import { asSentence } from "../panel/format";
import { Section } from "../panel/Section";
import { useResource, type Resource } from "../data/resource";
import { useName } from "../data/names";
import { useTitles } from "../data/titles";
import { ConversationScope, conversationRoute, navigate } from "../data/route";
import { useScope } from "../data/hooks";
import { t, tn, tx } from "../i18n/t";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { openWhatIf } from "../whatif/draft";
import type { Parting } from "./pairs";

type Props = { one: string; other: string; parting: Parting | null; answer: Resource<Answer>; seqs: string };

/** Where two conversations part, and why: the headline, the rule, and what is known on each side. */
export function DifferencePanel({ one, other, parting, answer, seqs }: Props) {
  const canDebug = useScope("debug:read");
  const left = useResource(canDebug ? `state:${one}#side ${seqs}` : null, () => api.state(one)).data;
  const right = useResource(canDebug ? `state:${other}#side ${seqs}` : null, () => api.state(other)).data;
  if (!canDebug) return <p className="muted pad">{t("What differs needs the scope debug:read.")}</p>;
  if (answer.problem) return <Refusal problem={answer.problem} />;
  if (!answer.data) return <Loading label={t("Comparing")} />;
  const title = (left?.values ?? []).find(({ field }) => field === parting?.field)?.title ?? parting?.field ?? "";
  return (
    <ConversationScope.Provider value={one}>
      <div className="verdict">
        <h2>{headline(parting, title)}</h2>
        <p>{detail(parting)}</p>
      </div>
      {parting?.decides && right && <TryIt other={other} parting={parting} title={title} state={right} />}
      <Section id="side rule" title={t("What made the difference")} isOpen>
        <div className="pad sectbody">
          <Comparison id={one} facts={answer.data.facts} />
        </div>
      </Section>
      {left && right && (
        <Section id="side known" title={t("What is known")} aside={differing(left, right)} isOpen>
          <div className="pad sectbody">
            <Known one={left} other={right} names={[one, other]} />
          </div>
        </Section>
      )}
    </ConversationScope.Provider>
  );
}

function headline(parting: Parting | null, title: string) {
  if (!parting) return t("Both went the same way so far");
  const n = parting.turn;
  if (!parting.field) return t("They part in turn {n}", { n });
  return t("They part in turn {n}: {field} {a} against {b}", { n, field: title, a: parting.values[0], b: parting.values[1] });
}

function detail(parting: Parting | null) {
  if (!parting) return t("No decision of one differs from the other.");
  if (parting.decides) return asSentence(parting.decides);
  return t("No single value explains it.");
}

/** Opens the other conversation with the value that would have made it go the same way. */
function TryIt({ other, parting, title, state }: { other: string; parting: Parting; title: string; state: StateView }) {
  const value = parting.values[0];
  const tryIt = () => {
    navigate({ ...conversationRoute(other), turn: parting.otherTurn < state.turn ? parting.otherTurn : null });
    openWhatIf({ [parting.field]: parting.stored });
  };
  return (
    <p className="pad tryit">
      <button type="button" className="chip need" onClick={tryIt}>
        {tx("{name}: {field} = {value}", { name: useName(other), field: title, value })}
        <span className="go">{t("try")}</span>
      </button>
    </p>
  );
}

const textOf = (value: ValueView | undefined): string => (value && (value.is_known || value.is_default) ? value.text : t("not known"));

/** The fields that differ first, and then those that are the same on both sides. */
function Known({ one, other, names }: { one: StateView; other: StateView; names: readonly [string, string] }) {
  const titles = useTitles();
  const right = new Map(other.values.map((value) => [value.field, value]));
  const rows = one.values
    .filter((value) => value.is_known || right.get(value.field)?.is_known)
    .map((value) => ({ value, a: textOf(value), b: textOf(right.get(value.field)) }))
    .sort((a, b) => Number(b.a !== b.b) - Number(a.a !== a.b));
  return (
    <table className="cmp" aria-label={t("Values of both")}>
      <thead>
        <tr>
          <th scope="col">{t("field")}</th>
          <th scope="col">A {useName(names[0])}</th>
          <th scope="col">B {useName(names[1])}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ value, a, b }) => (
          <tr key={value.field} className={a === b ? undefined : "d"}>
            <th scope="row" lang={one.language}>
              {value.title}
            </th>
            <td>{a === b ? a : <b>{a}</b>}</td>
            <td>{a === b ? b : <b>{b}</b>}</td>
          </tr>
        ))}
        <tr className={one.node === other.node ? undefined : "d"}>
          <th scope="row">{t("node")}</th>
          <td>{titles.node(one.node)}</td>
          <td>{titles.node(other.node)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function differing(one: StateView, other: StateView): string {
  const right = new Map(other.values.map((value) => [value.field, textOf(value)]));
  const count = one.values.filter((value) => textOf(value) !== (right.get(value.field) ?? t("not known"))).length;
  return count ? tn(count, "1 value differs", "{n} values differ") : t("all the same");
}
