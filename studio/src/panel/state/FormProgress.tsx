import { AskWhy } from "../../ask/AskWhy";
import type { FormItem, FormView, ValueView } from "../../api/types";
import { useTitles } from "../../data/titles";
import { t, tx } from "../../i18n/t";

const WORDS: Record<FormItem["state"], string> = {
  answered: t("answered"),
  open: t("asked now"),
  missing: t("left"),
  inactive: t("inactive"),
  skipped: t("skipped"),
};

/** The questions of a form with their answers, and why an answer is inactive. */
export function FormProgress({ form, values }: { form: FormView; values: readonly ValueView[] }) {
  const defaults = new Map(values.filter((value) => value.is_default).map((value) => [value.field, value.text]));
  const titles = useTitles();
  return (
    <table className="st" aria-label={t("Questions of the form")}>
      <thead>
        <tr>
          <th scope="col">{t("question")}</th>
          <th scope="col">{t("answer")}</th>
          <th scope="col">{t("state")}</th>
        </tr>
      </thead>
      <tbody>
        {form.items.map((item) => (
          <tr key={item.field} className={item.state === "inactive" ? "off" : item.state === "open" ? "chg" : ""}>
            <td title={item.title}>
              <AskWhy subject={`question ${item.field}`} stands>{titles.field(item.field)}</AskWhy>
            </td>
            <td className="v">
              {item.answer || defaults.get(item.field) || <i className="none">{t("not known")}</i>}
              {item.words && item.words !== item.answer && <small>{tx("from “{words}”", { words: item.words })}</small>}
              {item.reason && <small>{item.reason}</small>}
            </td>
            <td>{WORDS[item.state]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
