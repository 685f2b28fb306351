import { announce } from "../data/announce";
import { moveTo } from "../data/route";
import { Store, useStore } from "../data/store";
import { t } from "../i18n/t";

/** What a reader supposes: texts of values by field (`null`: no value), guards by transition, and how far to judge. */
export interface Draft {
  values: Record<string, string | null>;
  rules: Record<string, string>;
  isWhole: boolean;
}

export const EMPTY_DRAFT: Draft = { values: {}, rules: {}, isWhole: false };

const drafts = new Store<{ now: Draft }>({ now: EMPTY_DRAFT });

export const useDraft = (): Draft => useStore(drafts, ({ now }) => now);
export const setDraft = (change: Partial<Draft>): void => drafts.set(({ now }) => ({ now: { ...now, ...change } }));
export const clearDraft = (): void => drafts.set({ now: EMPTY_DRAFT });

/** Returns a record with one more entry, or without it where the value is `undefined`. */
export function withEntry<V>(record: Record<string, V>, name: string, value: V | undefined): Record<string, V> {
  const { [name]: _old, ...others } = record;
  return value === undefined ? others : { ...others, [name]: value };
}

/** Opens what-if with these values filled in, at another place where one is given; Back then returns. Other values that were supposed before are dropped. */
export function openWhatIf(values: Record<string, unknown> = {}, place: { turn?: number | null; decision?: null } = {}): void {
  const texts = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, textOfValue(value)]));
  drafts.set({ now: { ...EMPTY_DRAFT, values: texts } });
  moveTo({ ...place, whatIf: true }, { isStep: "turn" in place });
  announce(t("What if is open in the debug panel"));
}

/** Returns the text of a value for its input; lists have their items separated by commas. */
export function textOfValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the value that a text stands for, by the type of its field. The server reads and validates it. */
export function valueOfText(text: string | null, type: string): unknown {
  if (text === null) return null;
  const trimmed = text.trim();
  if (type.startsWith("list")) return listOfText(trimmed);
  switch (type) {
    case "boolean":
      return trimmed === "true" ? true : trimmed === "false" ? false : text;
    case "integer":
    case "number":
      return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
    case "json":
    case "object":
      return jsonOrText(trimmed);
    default:
      return text;
  }
}

function listOfText(text: string): unknown {
  if (text.startsWith("[")) return jsonOrText(text);
  return text === "" ? [] : text.split(",").map((item) => item.trim());
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
