import { describe, expect, it } from "vitest";
import type { FlowPage } from "../api/types";
import { titlesOf } from "./titles";

const page = { nodes: [{ name: "intake", title: "The questions" }], fields: [{ name: "order.pizzas", title: "the pizzas" }] } as unknown as FlowPage;

describe("titlesOf", () => {
  it("names what the flow gives a title, and the rest in words", () => {
    const { node, field } = titlesOf(page, false);
    expect([node("intake"), node("lesson/last_words"), field("order.pizzas"), field("order.zip_code")]).toEqual(["The questions", "Last words", "the pizzas", "Zip code"]);
  });

  it("names an item by its list, never by its id", () => {
    const { field } = titlesOf(page, false);
    const { item } = titlesOf(page, false);
    expect([item("order.pizzas[i3]", 2), item("order.pizzas[i3].left_out", 2), item("order.pizzas[i3]", null), item("order.pizzas")]).toEqual(["number 2 of the pizzas", "number 2 of the pizzas, left out", "one of the pizzas", "the pizzas"]);
    expect([field("order.pizzas[i3]"), field("order.pizzas[i3].left_out")]).toEqual(["one of the pizzas", "one of the pizzas, left out"]);
  });

  it("names a transition by its reason, or by its id where another one has the same", () => {
    const reasons = { too_young: "under age 38" };
    const { transition } = titlesOf({ nodes: [], fields: [], reasons } as unknown as FlowPage, false);
    expect(["too_young", "x_1", "bare", "gone"].map(transition)).toEqual(["under age 38", "X 1", "Bare", "Gone"]);
  });

  it("keeps ids where technical details are shown", () => {
    const { node, field } = titlesOf(page, true);
    expect([node("intake"), field("order.pizzas[i3]")]).toEqual(["intake", "order.pizzas[i3]"]);
  });
});
