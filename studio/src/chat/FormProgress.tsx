import type { FormView } from "../api/types";
import { countedItems, isAnswered } from "../data/form";
import { t, tx } from "../i18n/t";

/** How far a form is: a bar with one part per question that counts. */
export function FormProgress({ form, name }: { form: FormView; name: string }) {
  const items = countedItems(form);
  const done = items.filter(isAnswered).length;
  if (!items.length || form.status === "handed_off") return null;
  return (
    <div className="prog">
      <span>
        {t("Form")}{" "}<b>{name}</b>
      </span>
      <span className="bar" role="img" aria-label={t("{done} of {length} answered", { done, length: items.length })}>
        {items.map((item) => (
          <i key={item.field} className={item.field === form.asked ? "a" : isAnswered(item) ? "d" : ""} />
        ))}
      </span>
      <span>
        <b>
          {tx("{done} of {length}", { done, length: items.length })}
        </b>
        , {form.progress} %
      </span>
    </div>
  );
}
