import { AskWhy } from "../../ask/AskWhy";
import type { Origin, StateView, ValueView } from "../../api/types";
import { setHighlight } from "../../data/layout";
import { useTitles } from "../../data/titles";
import { isInside, scopeAround } from "../../graph/level";
import { Pill } from "../../ui/Pill";
import { HIDDEN, isMissing, valueText } from "../format";
import { countText, isItemList } from "./items";
import { howText } from "../why/GuardTable";
import { t, tx } from "../../i18n/t";

/** The fields of a state: values, what this turn changed, and where each value came from. */
export function FieldTable({ state }: { state: StateView }) {
  const titles = useTitles();
  if (!state.values.length) return <p className="muted">{t("This flow has no records.")}</p>;
  return (
    <table className="st" aria-label={t("Fields at the end of turn {turn}", { turn: state.turn })}>
      <thead>
        <tr>
          <th scope="col">{t("field")}</th>
          <th scope="col">{t("value")}</th>
          <th scope="col">{t("from")}</th>
        </tr>
      </thead>
      {fieldsByScope(state).map(([scope, values]) => (
        <tbody key={scope}>
          {scope && (
            <tr>
              <th scope="rowgroup" colSpan={3} className="within">
                {tx("inside {scope}, gone when it closes", { scope: <b>{titles.node(scope)}</b> })}
              </th>
            </tr>
          )}
          {values.map((value) => (
            <FieldRow key={value.field} value={value} name={titles.field(value.field)} isChanged={isChangedIn(state, value)} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The fields of the conversation, and then those of each scope that is open. Scopes that are closed have no values. */
export function fieldsByScope({ values, stack }: Pick<StateView, "values" | "stack">): [scope: string, values: ValueView[]][] {
  const found = new Map<string, ValueView[]>([["", []]]);
  for (const value of values) {
    if (isShapeOfItems(value, values)) continue;
    const scope = scopeAround(value.field);
    if (scope && !stack.some((node) => isInside(node, scope))) continue;
    found.set(scope, [...(found.get(scope) ?? []), value]);
  }
  return [...found].filter(([, own]) => own.length > 0);
}

/** Whether a field only says what items of a list are: then it has no value of its own. */
const isShapeOfItems = (value: ValueView, values: readonly ValueView[]): boolean =>
  !value.is_known && values.some(({ type, item_fields }) => item_fields?.length && value.field.startsWith(`${type.slice("list of ".length)}.`));

/** Returns whether a turn changed a field; in the first turn, whether it set it. */
export function isChangedIn(state: StateView, value: ValueView): boolean {
  return value.is_changed || (state.turn === 1 && value.origin?.turn === 1);
}

function FieldRow({ value, name, isChanged }: { value: ValueView; name: string; isChanged: boolean }) {
  const classes = [isChanged ? "chg" : "", value.is_active ? "" : "off"].filter(Boolean).join(" ");
  return (
    <tr className={classes} data-field={value.field}>
      <td title={value.field}>
        <AskWhy subject={`field ${value.field}`} stands>{name}</AskWhy>
      </td>
      <td className="v">
        {isChanged && value.is_active && !isMissing(value.before) && !isItemList(value) && (
          <>
            <s className="muted">{valueText(value.before)}</s>
            <span aria-hidden="true"> → </span>
            <span className="sr">{t("became")}{" "}</span>
          </>
        )}
        <ValueText value={value} />
        {isChanged && (
          <>
            {" "}
            <Pill>{t("this turn")}</Pill>
          </>
        )}
        {!value.is_active && (
          <>
            {" "}
            <Pill>{t("inactive")}</Pill>
          </>
        )}
        {value.reason && <small>{value.reason}</small>}
      </td>
      <td>{value.origin ? <OriginCell field={value.field} origin={value.origin} /> : value.is_default ? t("default") : ""}</td>
    </tr>
  );
}

function ValueText({ value }: { value: ValueView }) {
  if (!value.is_known && !value.is_default && value.is_active) return <i className="none">{t("not known")}</i>;
  if (value.is_secret) return <span className="muted">{HIDDEN}</span>;
  if (isItemList(value)) return countText(value);
  return value.text || valueText(value.value);
}

function OriginCell({ field, origin }: { field: string; origin: Origin }) {
  const words = howText(origin.how);
  if (!origin.turn) return <span>{words}</span>;
  const { seq, start, end } = origin;
  const show = () => setHighlight(seq !== null && start !== null && end !== null ? { seq, start, end } : { field, turn: origin.turn });
  return (
    <button type="button" className="org" onClick={show} aria-label={t("{words}, turn {turn}: mark the words in the chat", { words, turn: origin.turn })}>
      <span className="hw">{words}, </span>{tx("turn {turn}", { turn: origin.turn })}
    </button>
  );
}
