import { describe, expect, it } from "vitest";
import type { ValueView } from "../../api/types";
import { commandsOf, countText, draftOf, itemText, removedOf, rowsOf } from "./items";

const FIELDS = [
  { name: "kind", title: "the pizza", type: "choice", options: ["Salami", "Tonno"] },
  { name: "extras", title: "extras", type: "list of string" },
];
const view = (value: unknown, before: unknown = null, isChanged = true) => ({ field: "order.items", value, before, is_changed: isChanged, item_fields: FIELDS, most: 4 }) as unknown as ValueView;

describe("the rows of a list of records", () => {
  it("say which items are new, and what each value was before", () => {
    const rows = rowsOf(view([{ id: "i2", kind: "Tonno", extras: ["basil"] }, { id: "i3" }], [{ id: "i1", kind: "Salami" }, { id: "i2", kind: "Salami", extras: ["basil"] }]));
    expect(rows.map(({ item, isNew, before }) => [item.id, isNew, before])).toEqual([
      ["i2", false, { kind: "Salami" }],
      ["i3", true, {}],
    ]);
  });
  it("mark nothing in a turn that left the list alone", () => {
    expect(rowsOf(view([{ id: "i1", kind: "Tonno" }], null, false)).map(({ isNew, before }) => [isNew, before])).toEqual([[false, {}]]);
  });
  it("leave out the items that the turn removed, which are named apart", () => {
    expect(removedOf(view([{ id: "i2" }], [{ id: "i1", kind: "Salami" }, { id: "i2" }])).map(({ id }) => id)).toEqual(["i1"]);
    expect(removedOf(view(null, [{ id: "i1" }])).map(({ id }) => id)).toEqual(["i1"]);
  });
  it("are counted with the bound", () => {
    expect([countText(view([{ id: "i1" }])), countText(view(null))]).toEqual(["1 item, at most 4", "0 items, at most 4"]);
  });
});

describe("what is sent for a row that was edited", () => {
  const item = { id: "i2", kind: "Tonno", extras: ["basil"] };
  it("is a change of each value that differs, by the id of the item", () => {
    const draft = { ...draftOf(item, FIELDS), extras: "basil, olives", kind: "" };
    expect(commandsOf("order.items", item, draft, FIELDS)).toEqual([
      { type: "change", field: "order.items", item: "i2", name: "kind", value: null },
      { type: "change", field: "order.items", item: "i2", name: "extras", value: ["basil", "olives"] },
    ]);
  });
  it("is nothing for a row left as it was, and an item with what was entered for a new one", () => {
    expect(commandsOf("order.items", item, draftOf(item, FIELDS), FIELDS)).toEqual([]);
    expect(commandsOf("order.items", null, { kind: "Salami", extras: "" }, FIELDS)).toEqual([{ type: "add", field: "order.items", item: { kind: "Salami" } }]);
  });
});

describe("the text of an item", () => {
  it("has its values in order, and says where there are none", () => {
    expect([itemText({ id: "i1", extras: ["a", "b"], kind: "Salami" }, FIELDS), itemText({ id: "i1" }, FIELDS)]).toEqual(["Salami, a, b", "without values"]);
  });
});
