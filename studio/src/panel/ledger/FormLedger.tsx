import type { AnswerOutlook, FormLedger as Ledger, LedgerRow, TurnTrace } from "../../api/types";
import { AskWhy } from "../../ask/AskWhy";
import { useLedger } from "../../data/hooks";
import { setHighlight } from "../../data/layout";
import { t, tn, tx } from "../../i18n/t";
import { Icon } from "../../ui/Icon";
import type { IconName } from "../../ui/icons";
import { ItemCells } from "../../ui/ItemCells";
import { openWhatIf } from "../../whatif/draft";
import { howText } from "../why/GuardTable";
import { Section } from "../Section";
import { OutlookSteps } from "./OutlookSteps";
import "./ledger.css";

const ICONS: Record<LedgerRow["state"], IconName> = { asked: "ask", refused: "false", given: "held", left: "none", passed_over: "not_reached" };

/** The form in charge, question by question: what is asked, refused, given, left and passed over, and why. */
export function FormLedger({ trace }: { trace: TurnTrace }) {
  const ledger = useLedger(trace.turn, trace.state.form !== null);
  if (!ledger || trace.state.form === null) return null;
  const yes = ledger.status === "awaiting_confirmation" ? ledger.outlooks?.find((one) => one.value === "confirm") : undefined;
  return (
    <>
      {yes && (
        <Section id="yes" title={t("What a yes would do")} aside={tn(yes.steps?.length ?? 0, "1 step", "{n} steps")} isOpen>
          <div className="pad sectbody">
            <OutlookSteps outlook={yes} />
          </div>
        </Section>
      )}
      <Section id="form" title={t("The form")} aside={asideOf(ledger)} isOpen>
        <LedgerTable ledger={ledger} />
      </Section>
    </>
  );
}

function asideOf({ answered, count, status }: Ledger): string {
  if (status === "collecting" && count > answered) return tn(count - answered, "1 question to go", "{n} questions to go");
  return t("{answered} of {count} questions answered", { answered, count });
}

function LedgerTable({ ledger }: { ledger: Ledger }) {
  const groups: [LedgerRow["state"], string][] = [
    ["asked", t("Asked now")],
    ["refused", t("Refused")],
    ["given", t("Given")],
    ["left", t("Not asked yet")],
    ["passed_over", t("Passed over")],
  ];
  return (
    <div className="fl">
      {groups.map(([state, title]) => {
        const rows = ledger.rows.filter((row) => row.state === state);
        if (!rows.length) return null;
        const isDim = state === "left" || state === "passed_over";
        return (
          <section key={state} className={state === "asked" ? "now" : isDim ? "dim" : undefined} data-group={state}>
            <h4>
              <b>{title}</b> {state !== "asked" && <span>{rows.length}</span>}
            </h4>
            <ul>
              {rows.map((row, at) => (
                <Row key={`${row.field} ${row.turn ?? ""} ${at}`} row={row} ledger={ledger} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Row({ row, ledger }: { row: LedgerRow; ledger: Ledger }) {
  const subject = row.state === "refused" && row.turn ? `message ${row.turn}` : row.state === "given" ? `field ${row.field}` : `question ${row.field}`;
  return (
    <li data-field={row.field}>
      <Icon name={ICONS[row.state]} />
      <span className="q">
        <AskWhy subject={subject} stands={row.state !== "left" && row.state !== "passed_over"}>
          <span lang={ledger.language}>{row.label}</span>
        </AskWhy>
        {row.state === "asked" && ledger.asked_since ? <small>{t("asked since turn {n}", { n: ledger.asked_since })}</small> : null}
      </span>
      <span className="a">
        {row.state === "asked" ? <Asked ledger={ledger} row={row} /> : <Answer row={row} language={ledger.language} />}
      </span>
    </li>
  );
}

function Answer({ row, language }: { row: LedgerRow; language: string }) {
  const isRefused = row.state === "refused";
  return (
    <>
      {row.items ? <ItemCells items={row.items} label={row.label} /> : row.answer && <b lang={language}>{row.answer}</b>}
      {isRefused && row.words && <Words row={row} language={language} />}
      {row.state === "given" && (
        <small>
          <Origin row={row} language={language} />
        </small>
      )}
      {row.note && (row.answer || row.words ? <small>{isRefused ? tx("{note} · turn {n}", { note: row.note, n: row.turn }) : row.note}</small> : <span className="soft">{row.note}</span>)}
    </>
  );
}

/** Where an answer came from: the words, a button, a person. A click marks the words in the chat. */
function Origin({ row, language }: { row: LedgerRow; language: string }) {
  const turn = row.turn ? t("turn {n}", { n: row.turn }) : "";
  if (!row.words) return <>{[howText(row.how ?? ""), turn].filter(Boolean).join(" · ")}</>;
  const words = <Words row={row} language={language} />;
  const how = row.how === "button" ? tx("pressed {words}", { words }) : tx("from {words}", { words });
  return (
    <>
      {how}
      {turn && ` · ${turn}`}
    </>
  );
}

function Words({ row, language }: { row: LedgerRow; language: string }) {
  const { seq, start, end } = row;
  if (typeof seq !== "number" || typeof start !== "number" || typeof end !== "number") return <q lang={language}>{row.words}</q>;
  return (
    <button type="button" className="org words" onClick={() => setHighlight({ seq, start, end })} title={t("Mark the words in the chat")}>
      <q lang={language}>{row.words}</q>
    </button>
  );
}

/** What the open question waits for, and what each of its buttons would do. */
function Asked({ ledger, row }: { ledger: Ledger; row: LedgerRow }) {
  const outlooks = ledger.outlooks ?? [];
  const asked = ledger.tries ? tn(ledger.tries, "asked twice", "not understood {n} times") : "";
  const waits = outlooks.length ? tn(outlooks.length, "waits for a press", "waits for one of {n}") : t("waits for an answer");
  return (
    <>
      {row.note || [waits, asked].filter(Boolean).join(", ")}
      {outlooks.length > 0 && (
        <span className="ifs">
          {outlooks.map((one) => (
            <Outlook key={one.value} field={row.field} outlook={one} language={ledger.language} />
          ))}
        </span>
      )}
    </>
  );
}

function Outlook({ field, outlook, language }: { field: string; outlook: AnswerOutlook; language: string }) {
  const value = outlook.value === "yes" ? true : outlook.value === "no" ? false : outlook.value;
  return (
    <button type="button" onClick={() => openWhatIf({ [field]: value })}>
      <b lang={language}>{outlook.label}</b>
      <span>{outlook.text}</span>
      <span className="lbl">{t("try")}</span>
    </button>
  );
}
