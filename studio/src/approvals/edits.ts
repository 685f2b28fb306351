// What a reader changes in a call that waits, as text, and as the arguments that are sent.

import type { WaitingArgument, WaitingCall } from "../api/types";

/** The changed texts of the arguments of one call, by name. */
export type Edits = Readonly<Record<string, string>>;

/** The text of an argument in its field: lists as JSON, everything else as it is stored. */
export function textOf({ value }: WaitingArgument): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A changed text with the others; one that is as it was is no change. */
export function changed(edits: Edits, argument: WaitingArgument, text: string): Edits {
  const { [argument.name]: _, ...rest } = edits;
  return text === textOf(argument) ? rest : { ...rest, [argument.name]: text };
}

/** The value that a text stands for. What cannot be read is sent as it is: the server says what is wrong with it. */
export function valueOf({ type }: WaitingArgument, text: string): unknown {
  const words = text.trim();
  if (words === "") return null;
  if (type === "integer" || type === "number") return /^-?\d+(\.\d+)?$/.test(words) ? Number(words) : text;
  if (type === "boolean") return words === "true" ? true : words === "false" ? false : text;
  if (type.startsWith("list") || type === "object") {
    try {
      return JSON.parse(words) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** The author's question for the approval, with the changed values in their places; empty where the author wrote none. */
export function questionOf(call: WaitingCall, edits: Edits): string {
  const secret = new Set(call.arguments.filter((one) => one.is_secret).map((one) => one.name));
  const parts = call.question.map(({ text, arguments: names = [], is_value }) => {
    const name = names.find((one) => one in edits);
    if (name === undefined || secret.has(name)) return text;
    return is_value ? (edits[name] ?? "").trim() || "…" : "…";
  });
  return parts.join("");
}

/** The arguments to change, as they are sent. */
export function argumentsOf(call: WaitingCall, edits: Edits): Record<string, unknown> {
  return Object.fromEntries(call.arguments.filter((one) => one.name in edits).map((one) => [one.name, valueOf(one, edits[one.name] ?? "")]));
}
