import type { FieldInfo, GuardProblem, ValueView } from "../api/types";
import { countText, HIDDEN, shorten, valueText } from "../panel/format";
import { useTitles } from "../data/titles";
import { Button } from "../ui/Button";
import { Options, optionsOf } from "../ui/Options";
import { setDraft, withEntry } from "./draft";
import { t, tx } from "../i18n/t";

type Props = { fields: readonly ValueView[]; infos: readonly FieldInfo[]; values: Record<string, string | null>; problems: readonly GuardProblem[] };

/** A field per row: the stored value, and the one to suppose instead. Fields that no candidate read are folded. */
export function ValueInputs({ fields, read, ...rest }: Props & { read: ReadonlySet<string> }) {
  if (!fields.length) return <p className="muted">{t("This flow has no fields. You can still change a guard.")}</p>;
  const isNear = (field: ValueView): boolean => read.has(field.field) || field.field in rest.values;
  const near = fields.filter(isNear);
  const others = fields.filter((field) => !isNear(field));
  if (!near.length || !others.length) return <ValueTable fields={fields} {...rest} />;
  return (
    <div>
      <ValueTable fields={near} {...rest} />
      <details className="folded">
        <summary>{tx("{length} that no candidate reads here", { length: countText(others.length, "more field") })}</summary>
        <ValueTable fields={others} {...rest} />
      </details>
    </div>
  );
}

function ValueTable({ fields, infos, values, problems }: Props) {
  const put = (field: string, text: string | null | undefined) => setDraft({ values: withEntry(values, field, text) });
  return (
    <table aria-label={t("Values to suppose")}>
      <thead>
        <tr>
          <th scope="col">{t("field")}</th>
          <th scope="col">{t("stored")}</th>
          <th scope="col">{t("what if")}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <ValueRow
            key={field.field}
            field={field}
            info={infos.find((info) => info.name === field.field)}
            text={values[field.field]}
            problem={problems.find((problem) => problem.transition === field.field)}
            onChange={(text) => put(field.field, text)}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { field: ValueView; info: FieldInfo | undefined; text: string | null | undefined; problem: GuardProblem | undefined; onChange: (text: string | null | undefined) => void };

function ValueRow({ field, info, text, problem, onChange }: RowProps) {
  const title = useTitles().field(field.field);
  const isChanged = text !== undefined;
  const errorId = `whatif-${field.field}-problem`;
  return (
    <tr className={isChanged ? "ed" : ""}>
      <td className="f">{title}</td>
      <td>
        <code>{field.is_secret && field.is_known ? HIDDEN : field.is_known ? shorten(field.text || valueText(field.value), 24) : <i className="none">{t("not known")}</i>}</code>
      </td>
      <td>
        <span className="withclear">
          <ValueInput field={field} info={info} text={text} onChange={onChange} describedBy={problem ? errorId : undefined} />
          {isChanged ? (
            <Button look="quiet" icon="undo" label={t("Use the stored value of {field}", { field: title })} onClick={() => onChange(undefined)} />
          ) : (
            field.is_known && <Button look="quiet" icon="close" label={t("Suppose that {field} has no value", { field: title })} onClick={() => onChange(null)} />
          )}
        </span>
        {problem && (
          <p className="no" id={errorId}>
            {problem.message} {problem.hint}
          </p>
        )}
      </td>
    </tr>
  );
}

type InputProps = { field: ValueView; info: FieldInfo | undefined; text: string | null | undefined; onChange: RowProps["onChange"]; describedBy: string | undefined };

function ValueInput({ field, info, text, onChange, describedBy }: InputProps) {
  const label = t("What-if value of {field}", { field: useTitles().field(field.field) });
  const options = optionsOf(field.type, info?.options);
  if (options.length > 0) {
    return (
      <select aria-label={label} aria-describedby={describedBy} value={text === null ? "\0" : (text ?? "")} onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value === "\0" ? null : event.target.value)}>
        <option value="">{t("as stored")}</option>
        <Options type={field.type} options={options} />
        <option value={"\0"}>{t("(no value)")}</option>
      </select>
    );
  }
  return (
    <input
      type="text"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={describedBy ? true : undefined}
      placeholder={text === null ? t("(no value)") : t("as stored")}
      value={text ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      spellCheck={false}
    />
  );
}
