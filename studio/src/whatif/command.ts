import type { Question } from "./useWhatIfAnswer";

/** Returns the command that asks the same question in a terminal. */
export function commandOf({ conversation, turn, isWhole, values, rules }: Question): string {
  const parts = ["turnwise", "what-if", conversation];
  if (!isWhole) parts.push("--turn", String(turn));
  for (const [field, value] of Object.entries(values)) parts.push("--set", `${field}=${argument(value)}`);
  for (const [id, guard] of Object.entries(rules)) parts.push("--rule", `${id}=${guard}`);
  return parts.map(quoted).join(" ");
}

function argument(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns a word for a POSIX shell. */
const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
