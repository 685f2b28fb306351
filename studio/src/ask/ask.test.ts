import { describe, expect, it } from "vitest";
import type { Fact } from "../api/types";
import { distinct } from "./AnswerView";
import { parseQuestion } from "./question";
import { inputOf } from "./TryWay";

describe("a question in the address", () => {
  it.each([
    ["case.purpose", { kind: "why", subject: "case.purpose" }],
    ["", { kind: "why", subject: "" }],
    ["to:expert", { kind: "to", node: "expert" }],
    ["against:b", { kind: "against", conversation: "b", turn: null }],
    ["against:a#b#3", { kind: "against", conversation: "a#b", turn: 3 }],
    ["against:#2", { kind: "against", conversation: "", turn: 2 }],
  ])("%s", (text, question) => expect(parseQuestion(text)).toEqual(question));
});

const fact = (text: string, ...causes: Fact[]): Fact => ({ kind: "field_set", text, causes });

it("shows each fact once, where it comes first", () => {
  const said = fact("said");
  expect(distinct([fact("a", said), fact("b", said, fact("a")), said])).toEqual([fact("a", fact("said")), fact("b")]);
});

it("turns the acts of a way into turns of the API; time and people cannot be tried", () => {
  expect(inputOf({ type: "user_chose", value: "Yes" })).toEqual({ button: "Yes" });
  expect(inputOf({ type: "tool_used", tool: "think" })).toEqual({ tool: { name: "think" } });
  expect(inputOf({ type: "timer_fired", timer: "remind" })).toBeNull();
});
