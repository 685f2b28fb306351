// The items of lists of records, as the table of the panel shows them.

import { t, tn } from "../../i18n/t";
import type { ItemField, ValueView } from "../../api/types";
import { isMissing, valueText } from "../format";

export type Item = { readonly id: string } & Readonly<Record<string, unknown>>;

/** One row: its item, whether the turn added it, and the values that the turn changed, with what they were before. */
export interface ItemRow {
  readonly item: Item;
  readonly isNew: boolean;
  readonly before: Readonly<Record<string, unknown>>;
}

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && typeof (value as { id?: unknown }).id === "string";

export const itemsOf = (value: unknown): Item[] => (Array.isArray(value) ? value.filter(isItem) : []);

/** Whether a field is a list of records whose items may be shown. */
export const isItemList = (value: ValueView): boolean => value.item_fields.length > 0 && !value.is_secret;

export function rowsOf(value: ValueView): ItemRow[] {
  const before = new Map(itemsOf(value.before).map((item) => [item.id, item]));
  return itemsOf(value.value).map((item) => {
    const was = value.is_changed ? before.get(item.id) : item;
    const changed = value.item_fields.filter(({ name }) => was && valueText(was[name]) !== valueText(item[name]));
    return { item, isNew: !was, before: Object.fromEntries(changed.map(({ name }) => [name, was?.[name] ?? null])) };
  });
}

/** The items that the turn removed. */
export function removedOf(value: ValueView): Item[] {
  const now = new Set(itemsOf(value.value).map(({ id }) => id));
  return value.is_changed ? itemsOf(value.before).filter(({ id }) => !now.has(id)) : [];
}

export const countText = (value: ValueView): string => {
  const count = itemsOf(value.value).length;
  return `${tn(count, "1 item", "{n} items")}${value.most === null ? "" : t(", at most {most}", { most: value.most })}`;
};

/** An item in a few words: its values in order. */
export const itemText = (item: Item, fields: readonly ItemField[]): string =>
  fields
    .map(({ name }) => item[name])
    .filter((one) => !isMissing(one))
    .map(valueText)
    .join(", ") || t("without values");

const draftText = (value: unknown): string => (isMissing(value) ? "" : typeof value === "boolean" ? String(value) : valueText(value));

/** The values of a row as they stand in its inputs. */
export const draftOf = (item: Item | null, fields: readonly ItemField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name }) => [name, draftText(item?.[name])]));

/** What is sent for a value: the items of a list apart, nothing for an empty input. */
const sent = (text: string, { type }: ItemField): unknown => {
  const said = text.trim();
  if (!said) return null;
  return type.startsWith("list")
    ? said
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean)
    : said;
};

/** The commands by which an item gets the values of its inputs; `null` adds a new one. */
export function commandsOf(field: string, item: Item | null, draft: Readonly<Record<string, string>>, fields: readonly ItemField[]): Record<string, unknown>[] {
  const was = draftOf(item, fields);
  const changed = fields.filter(({ name }) => (draft[name] ?? "") !== was[name]);
  if (item) return changed.map((one) => ({ type: "change", field, item: item.id, name: one.name, value: sent(draft[one.name] ?? "", one) }));
  return [{ type: "add", field, item: Object.fromEntries(changed.map((one) => [one.name, sent(draft[one.name] ?? "", one)])) }];
}
