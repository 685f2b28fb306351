import type { FormItem, FormView, Message } from "../api/types";
import { useConversation, useLedger } from "../data/hooks";
import { t, tx } from "../i18n/t";
import { OutlookSteps } from "../panel/ledger/OutlookSteps";
import { ItemCells } from "../ui/ItemCells";
import { ButtonRow } from "./Answers";

/** The title and the closing question of a summary, which its text has around the answers. */
function titleOf(text: string): string {
  return /^#+\s+(.+)$/m.exec(text)?.[1] ?? "";
}

function questionOf(text: string): string {
  const last = text.trim().split("\n").at(-1) ?? "";
  return /^[#*→-]/.test(last) ? "" : last;
}

/** Whether the user's words say more than the answer that was read from them. */
const isTelling = ({ words, answer, items }: FormItem): boolean => words !== "" && !items && words.toLowerCase() !== answer.toLowerCase();

/** All answers of a form, to confirm or to change: with the words that they came from, and what a yes would do. */
export function SummaryCard({ message, form, isOpen, answer, blocked }: { message: Message; form: FormView; isOpen: boolean; answer: string; blocked: string }) {
  const items = form.items.filter((item) => item.state === "answered" || item.state === "skipped");
  const language = useConversation()?.summary?.language || undefined;
  const ledger = useLedger(message.turn, isOpen);
  const yes = ledger?.outlooks?.find((one) => one.value === "confirm");
  const passed = ledger?.rows.filter((row) => row.state === "passed_over") ?? [];
  return (
    <div className="sum">
      <div className="sum-head" lang={language}>
        <h2>{questionOf(message.text) || titleOf(message.text) || t("Summary")}</h2>
        {form.statement && <p>{form.statement}</p>}
      </div>
      <dl>
        {items.map((item) => (
          <div key={item.field} className={item.items ? "listed" : undefined}>
            <dt lang={language} title={item.title === item.label ? undefined : item.title}>
              {item.label}
            </dt>
            <dd>
              {isTelling(item) && <small>{tx("from {words}", { words: <q lang={language}>{item.words}</q> })}</small>}{" "}
              {item.items && <ItemCells items={item.items} label={item.label} />}
              <span lang={language}>{(!item.items && item.answer) || (item.state === "skipped" ? t("skipped") : "")}</span>
            </dd>
          </div>
        ))}
        {passed.map((row) => (
          <div key={row.field} className="passed">
            <dt lang={language}>{row.label}</dt>
            <dd>{row.note}</dd>
          </div>
        ))}
      </dl>
      <div className="sum-foot">
        {isOpen && yes && yes.steps && yes.steps.length > 0 && (
          <>
            <h3>{t("If you say yes")}</h3>
            <OutlookSteps outlook={yes} />
          </>
        )}
        <ButtonRow message={message} isOpen={isOpen} answer={answer} form={form} blocked={blocked} hasPrimary />
      </div>
    </div>
  );
}
