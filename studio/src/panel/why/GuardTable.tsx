import { useFlow } from "../../data/hooks";
import { AskName } from "../../ask/AskWhy";
import type { Operand } from "../../api/types";
import { setHighlight } from "../../data/layout";
import { getSettings } from "../../data/settings";
import { useTitles } from "../../data/titles";
import { OutcomeMark } from "../../ui/OutcomeMark";
import { guardRows, type GuardRow } from "../decision/tree";
import { isMissing, REDACTED, shorten, valueText } from "../format";
import type { Verdict } from "../types";
import { t, tx } from "../../i18n/t";

const HOW_WORDS: Record<string, string> = {
  understood: t("understood"),
  direct: t("said exactly"),
  button: t("button"),
  command: t("command"),
  set: t("set by a move"),
  operator: t("a person"),
  tool: t("tool"),
  scope: t("inner conversation"),
  prefill: t("known before"),
  default: t("default"),
  derived: t("derived"),
  supposed: t("what if"),
};

/** Returns how a value came to be, in words. */
export const howText = (how: string): string => HOW_WORDS[how] ?? how;

/** The tree of a guard as a table: condition, value, and where the value came from. */
export function GuardTable({ verdict, label }: { verdict: Verdict; label: string }) {
  return (
    <table className="gt" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t("guard")}</th>
          <th scope="col">{t("value")}</th>
          <th scope="col">{t("from")}</th>
        </tr>
      </thead>
      <tbody>
        {guardRows(verdict).map((row) => (
          <GuardLine key={row.key} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function GuardLine({ row }: { row: GuardRow }) {
  const indent = { paddingLeft: row.depth * 18 + (row.kind === "operand" ? 21 : 0) };
  if (row.kind === "group") {
    return (
      <tr className="grpd">
        <td className="g" style={indent} colSpan={3}>
          <OutcomeMark outcome={row.verdict} /> {row.text}
        </td>
      </tr>
    );
  }
  return (
    <>
      <tr className={row.operand?.how === "supposed" ? "sup" : ""}>
        <td className="g" style={indent}>
          {row.kind === "leaf" && <OutcomeMark outcome={row.verdict} />}
          {row.kind === "leaf" ? <Condition row={row} /> : <span className="muted"><Condition row={row} /></span>}
        </td>
        <ValueCell operand={row.operand} />
        <td>{row.operand && <OriginLink operand={row.operand} />}</td>
      </tr>
      {row.error && (
        <tr>
          <td className="g fault" style={indent} colSpan={3}>
            {row.error}
          </td>
        </tr>
      )}
    </>
  );
}

/** What stands before and behind a field in a test whether it is known; nothing for another condition. */
function inKnown(text: string, name: string): readonly string[] | null {
  if (getSettings().isTechnical || (text !== `has(${name})` && text !== `!has(${name})`)) return null;
  return (text.startsWith("!") ? t("{what} is not known", { what: HOLE }) : t("{what} is known", { what: HOLE })).split(HOLE);
}

/** Stands where the field is. */
const HOLE = "\u0000";

/** A condition; the field in it asks why it has its value. */
function Condition({ row: { text, operand } }: { row: GuardRow }) {
  const isField = useFlow().data?.fields.some((field) => field.name === operand?.name);
  const titles = useTitles();
  const at = operand && isField ? text.indexOf(operand.name) : -1;
  const [known, is = ""] = (operand && isField && inKnown(text, operand.name)) || [];
  if (operand && known !== undefined) {
    return (
      <>
        {known}
        <AskName subject={`field ${operand.name}`}>{titles.field(operand.name)}</AskName>
        {is}
      </>
    );
  }
  if (!operand || at < 0) return titles.text(text);
  return (
    <>
      {titles.text(text.slice(0, at))}
      <AskName subject={`field ${operand.name}`}>{titles.field(operand.name)}</AskName>
      {titles.text(text.slice(at + operand.name.length))}
    </>
  );
}

function ValueCell({ operand }: { operand: Operand | null }) {
  if (!operand) return <td className="v" />;
  if (isMissing(operand.value)) return <td className="v miss">{t("not known")}</td>;
  const text = valueText(operand.value);
  return (
    <td className={operand.value === REDACTED ? "v muted" : "v"} title={text.length > 60 ? text : undefined}>
      {shorten(text, 60)}
    </td>
  );
}

/** Where a value came from. A press moves the chat to the words, and marks them. */
export function OriginLink({ operand }: { operand: Operand }) {
  const how = operand.how ?? "";
  if (!how || how === "missing") return null;
  const words = howText(how);
  const turn = operand.turn ?? 0;
  if (!turn) return <span className="muted">{words}</span>;
  const place = operand.place;
  const show = () => {
    setHighlight(place ? { seq: place[0], start: place[1], end: place[2] } : { field: operand.name, turn });
  };
  return (
    <button type="button" className="org" onClick={show} aria-label={t("{words}, turn {turn}: mark the words in the chat", { words, turn })}>
      <span className="hw">{words}, </span>{tx("turn {turn}", { turn })}
    </button>
  );
}
