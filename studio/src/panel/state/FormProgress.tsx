import { AskWhy } from "../../ask/AskWhy";
import type { FormItem, FormView } from "../../api/types";

const WORDS: Record<FormItem["state"], string> = {
  answered: "answered",
  open: "asked now",
  missing: "missing",
  inactive: "inactive",
  skipped: "skipped",
};

/** The questions of a form with their answers, and why an answer is inactive. */
export function FormProgress({ form }: { form: FormView }) {
  return (
    <table className="st" aria-label="Questions of the form">
      <thead>
        <tr>
          <th scope="col">question</th>
          <th scope="col">answer</th>
          <th scope="col">state</th>
        </tr>
      </thead>
      <tbody>
        {form.items.map((item) => (
          <tr key={item.field} className={item.state === "inactive" ? "off" : item.state === "open" ? "chg" : ""}>
            <td title={item.title}>
              <AskWhy subject={`question ${item.field}`} stands>{item.field}</AskWhy>
            </td>
            <td className="v">
              {item.answer || <i className="none">missing</i>}
              {item.words && item.words !== item.answer && <small>from “{item.words}”</small>}
              {item.reason && <small>{item.reason}</small>}
            </td>
            <td>{WORDS[item.state]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
