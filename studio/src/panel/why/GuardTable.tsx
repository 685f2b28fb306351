import { useFlow } from "../../data/hooks";
import { AskName } from "../../ask/AskWhy";
import type { Operand } from "../../api/types";
import { setHighlight } from "../../data/layout";
import { useSettings } from "../../data/settings";
import { OutcomeMark } from "../../ui/OutcomeMark";
import { decisiveRows, guardRows, type GuardRow } from "../decision/tree";
import { isMissing, REDACTED, shorten, valueText } from "../format";
import type { Verdict } from "../types";
import { useConditions } from "./conditions";
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

/** A guard as a table. Of one with many levels the conditions that decided it stand first, and the whole is folded. */
export function GuardTable({ verdict, label }: { verdict: Verdict; label: string }) {
  const { isTechnical } = useSettings();
  const rows = guardRows(verdict);
  const decisive = isTechnical ? [] : decisiveRows(verdict);
  if (!decisive.length) return <Rows rows={rows} label={label} />;
  return (
    <>
      <Rows rows={decisive} label={t("What decided: {label}", { label })} />
      <details className="folded whole">
        <summary>{t("The whole condition")}</summary>
        <Rows rows={rows} label={label} />
      </details>
    </>
  );
}

/** Conditions, their values, and where the values came from. */
function Rows({ rows, label }: { rows: readonly GuardRow[]; label: string }) {
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
        {rows.map((row) => (
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
          <OutcomeMark outcome={row.verdict} /> {row.branch && `${row.branch} `}
          {row.text}
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

/** A condition, or a further value that it read; where that is a field, it asks why the field has its value. */
function Condition({ row: { kind, text, branch, operand } }: { row: GuardRow }) {
  const isField = useFlow().data?.fields.some((field) => field.name === operand?.name);
  const conditions = useConditions();
  const words = kind === "operand" ? conditions.name(text) : conditions.text(text);
  return (
    <>
      {branch && `${branch} `}
      {operand && isField ? <AskName subject={`field ${operand.name}`}>{words}</AskName> : words}
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
