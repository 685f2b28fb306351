import type { FormItem, FormView } from "../api/types";

/** A question that is asked again keeps its answer until there is a new one. */
const isDone = (item: FormItem) => item.state === "answered" || item.state === "skipped" || item.answer !== "";

/** How far a form is: a bar with one part per question that counts. */
export function FormProgress({ form, name }: { form: FormView; name: string }) {
  const items = form.items.filter((item) => item.state !== "inactive");
  const done = items.filter(isDone).length;
  if (!items.length || form.status === "handed_off") return null;
  return (
    <div className="prog">
      <span>
        Form <b>{name}</b>
      </span>
      <span className="bar" role="img" aria-label={`${done} of ${items.length} answered`}>
        {items.map((item) => (
          <i key={item.field} className={item.field === form.asked ? "a" : isDone(item) ? "d" : ""} />
        ))}
      </span>
      <span>
        <b>
          {done} of {items.length}
        </b>
        , {form.progress} %
      </span>
    </div>
  );
}
