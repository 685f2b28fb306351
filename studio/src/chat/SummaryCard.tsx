import type { FormView, Message } from "../api/types";
import { ItemCells } from "../ui/ItemCells";
import { ButtonRow } from "./Answers";

/** The title and the closing question of a summary, which its text has around the answers. */
function titleOf(text: string): string {
  return /^#+\s+(.+)$/m.exec(text)?.[1] ?? "Summary";
}

function questionOf(text: string): string {
  const last = text.trim().split("\n").at(-1) ?? "";
  return /^[#*→-]/.test(last) ? "" : last;
}

/** All answers of a form, to confirm or to change. */
export function SummaryCard({ message, form, isOpen, answer, blocked }: { message: Message; form: FormView; isOpen: boolean; answer: string; blocked: string }) {
  const items = form.items.filter((item) => item.state === "answered" || item.state === "skipped");
  return (
    <div className="sum">
      <div className="sum-head">
        <h2>{titleOf(message.text)}</h2>
        {form.statement && <p>{form.statement}</p>}
      </div>
      <dl>
        {items.map((item) => (
          <div key={item.field} className={item.items ? "listed" : undefined}>
            <dt>{item.title}</dt>
            <dd>
              {item.items && <ItemCells items={item.items} label={item.title} />}
              {(!item.items && item.answer) || (item.state === "skipped" ? "skipped" : "")}
              {item.words && item.words !== item.answer && <small>from “{item.words}”</small>}
            </dd>
          </div>
        ))}
      </dl>
      <div className="sum-foot">
        {questionOf(message.text)}
        <ButtonRow message={message} isOpen={isOpen} answer={answer} form={form} blocked={blocked} hasPrimary />
      </div>
    </div>
  );
}
