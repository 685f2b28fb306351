// The fields that a person may set, with the reasons of the server where a value is refused.

import { useId } from "react";
import type { FieldInfo, ValueView } from "../api/types";
import { valueText } from "../panel/format";
import { Options, optionsOf } from "../ui/Options";
import { useTitles } from "../data/titles";
import { hintOf, storedText, type Changes } from "./draft";
import { t } from "../i18n/t";

interface Props {
  readonly values: readonly ValueView[];
  readonly fields: ReadonlyMap<string, FieldInfo>;
  readonly changes: Changes;
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (value: ValueView, text: string) => void;
}

/** One line per field: its name, an input, and what it was before. */
export function FieldTable({ values, fields, changes, faults, onChange }: Props) {
  return (
    <div className="agreed">
      {values.map((value) => (
        <FieldLine key={value.field} value={value} field={fields.get(value.field)} changes={changes} fault={faults.get(value.field) ?? ""} onChange={onChange} />
      ))}
    </div>
  );
}

function FieldLine({ value, field, changes, fault, onChange }: Omit<Props, "values" | "fields" | "faults"> & { value: ValueView; field: FieldInfo | undefined; fault: string }) {
  const id = useId();
  const titles = useTitles();
  const isChanged = value.field in changes;
  const text = isChanged ? (changes[value.field] ?? "") : storedText(value);
  const options = optionsOf(field?.type, field?.options);
  const shared = {
    id,
    value: text,
    "aria-invalid": fault ? true : undefined,
    "aria-describedby": fault ? `${id}-fault` : undefined,
  };
  return (
    <div className={`line ${isChanged ? "ed" : ""} ${fault ? "bad" : ""}`}>
      <label htmlFor={id} title={value.field}>
        {titles.field(value.field)}
      </label>
      {options.length > 0 ? (
        <select {...shared} onChange={(event) => onChange(value, event.target.value)}>
          <option value="">{value.is_known ? t("remove") : t("no value")}</option>
          <Options type={field?.type} options={options} value={text} />
        </select>
      ) : (
        <input type="text" {...shared} placeholder={hintOf(field)} onChange={(event) => onChange(value, event.target.value)} />
      )}
      <span className="was">{isChanged && (value.is_known ? t("was {value}{x}", { value: valueText(value.value), x: value.origin ? t(", turn {turn}", { turn: value.origin.turn }) : "" }) : t("was missing"))}</span>
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
