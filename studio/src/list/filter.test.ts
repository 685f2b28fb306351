import { describe, expect, it } from "vitest";
import type { ConversationSummary } from "../api/types";
import { groupByFlow } from "./filter";

const row = (id: string, flow: string, at_ms: number, more: Partial<ConversationSummary> = {}): ConversationSummary => ({ id, flow, version: 1, status: "waiting", node: "intake", turn: 1, seq: 1, at_ms, waits_for: "user", since_ms: 0, outcome: "", owner: "", snippet: "", timers: [], next_schedule: null, person: null, marks: [], headline: "", headlines: {}, language: "en", name: "", flow_title: "", node_title: "", ...more });
const person = { queue: "q", about: "", since_ms: 0, operator: "Lena", taken_ms: 0, reason: "", display: "" };
const rows = [row("a", "flow", 1), row("b", "gamma", 3, { status: "person", person }), row("c", "flow", 5, { status: "ended", node: "end" }), row("d", "gamma", 2, { snippet: "about Billing" })];

describe("groupByFlow", () => {
  it("orders flows and conversations by their last change", () => {
    expect(groupByFlow(rows, "all", "").map((group) => [group.flow, group.rows.map((one) => one.id)])).toEqual([
      ["flow", ["c", "a"]],
      ["gamma", ["b", "d"]],
    ]);
  });
  it("finds every word in name, flow, node, status or text", () => {
    const found = (text: string) => groupByFlow(rows, "all", text).flatMap((group) => group.rows.map((one) => one.id));
    expect(found("billing")).toEqual(["d"]);
    expect(found("GAM intake")).toEqual(["b", "d"]);
    expect(found("nothing")).toEqual([]);
  });
  it("has the conversations of a filter", () => {
    const count = (filter: "all" | "waiting" | "person") => groupByFlow(rows, filter, "").flatMap((group) => group.rows).length;
    expect([count("all"), count("waiting"), count("person")]).toEqual([4, 2, 1]);
  });
});
