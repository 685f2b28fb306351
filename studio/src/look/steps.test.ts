import { describe, expect, it } from "vitest";
import type { ConversationSummary, FlowSummary } from "../api/types";
import { stepsOf } from "./steps";

const flow = { name: "intake", title: "Intake", description: "", look: { say: "hi", conversation: "maria", turn: 4, field: "a", value: true, against_turn: 5, waiting: "romy" } } as unknown as FlowSummary;
const summary = (status: string, operator = ""): ConversationSummary => ({ id: "romy", name: "romy", status, person: status === "person" ? { queue: "nurses", operator } : null }) as unknown as ConversationSummary;
const last = (waits: ConversationSummary | null) => {
  const { title, text } = stepsOf(flow, waits).at(-1)!;
  return `${title}: ${text}`;
};

describe("the last step of the first look", () => {
  it("says how the conversation stands that was prepared for it, for visitors who come later, too", () => {
    expect(last(null)).toMatch(/^Take over: .* waits for a person\. Take over, write/);
    expect(last(summary("person"))).toBe(last(null));
    expect(last(summary("person", "Lena"))).toMatch(/and Lena has taken over\. See what a person sees/);
    expect(last(summary("ended"))).toMatch(/^See what a person did: .* who has given it back\./);
  });
});
