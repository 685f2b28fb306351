// What the parts of a flow are called on the page: their titles, or their ids where technical details are shown.

import type { FlowPage } from "../api/types";
import { useFlow } from "./hooks";
import { inWords } from "./names";
import { useSettings } from "./settings";
import { t } from "../i18n/t";

export interface Titles {
  node: (id: string) => string;
  field: (id: string) => string;
  /** An item of a list, or a field of one, by the position that it had; as `field` where that is not known. */
  item: (id: string, number?: number | null) => string;
  /** A transition: its reason, which people read wherever it is judged; its id in words where another one has the same. */
  transition: (id: string) => string;
  /** A tool, timer or anything else without a title: its id in words. */
  other: (id: string) => string;
}

/** The address of an item of a list, or of a field of one: `order.pizzas[i2].size`. */
const OF_ITEM = /^([^[]+)\[[^\]]+\](?:\.(.+))?$/;
const local = (address: string): string => address.split("/").at(-1) ?? address;

/** The titles of a flow; names in words for what it does not list, such as nodes of an earlier version. */
export function titlesOf(page: FlowPage | null, isTechnical: boolean): Titles {
  if (isTechnical) return { node: (id) => id, field: (id) => id, item: (id) => id, transition: (id) => id, other: (id) => id };
  const nodes = new Map(page?.nodes.map((node) => [String(node.name), String(node.title ?? "")]));
  const fields = new Map(page?.fields.map((field) => [field.name, field.title]));
  const field = (id: string): string => {
    const [, list, part] = OF_ITEM.exec(id) ?? [];
    if (list) return ofItem(t("one of {list}", { list: field(list) }), part);
    return fields.get(id) || inWords(local(id).replace(/^.*\./, ""));
  };
  const ofItem = (item: string, part = ""): string => [item, ...(part ? [part.replaceAll("_", " ")] : [])].join(", ");
  return {
    transition: (id) => page?.reasons?.[id] ?? inWords(local(id)),
    node: (id) => nodes.get(id) || inWords(local(id)),
    field,
    item: (id, number) => {
      const [, list, part] = OF_ITEM.exec(id) ?? [];
      return list && number ? ofItem(t("number {number} of {list}", { number, list: field(list) }), part) : field(id);
    },
    other: (id) => inWords(local(id)),
  };
}

const made = new WeakMap<FlowPage, Titles>();

/** The titles of the flow of the page, or of the open conversation. */
export function useTitles(): Titles {
  const { isTechnical } = useSettings();
  const page = useFlow().data;
  if (!page || isTechnical) return titlesOf(page, isTechnical);
  const found = made.get(page) ?? titlesOf(page, false);
  made.set(page, found);
  return found;
}
