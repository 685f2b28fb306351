import { valueText } from "../panel/format";

/** The values that an input offers for a type; empty where any may be entered. */
export const optionsOf = (type = "", options: readonly string[] = []): readonly string[] => (type === "boolean" ? ["true", "false"] : type.startsWith("list") ? [] : options);

/** The options of a select, as people read them. A present value that is none of them stands among them. */
export function Options({ type, options, value = "" }: { type: string | undefined; options: readonly string[]; value?: string }) {
  return [...options, ...(value && !options.includes(value) ? [value] : [])].map((option) => (
    <option key={option} value={option}>
      {type === "boolean" ? valueText(option === "true") : option}
    </option>
  ));
}
