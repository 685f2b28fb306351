import { describe, expect, it } from "vitest";
import { inputOf } from "./inputs";

describe("the input of a period", () => {
  it("is read from JSON", () => {
    expect(inputOf({ period: "2026-11", text: '{"topic": "verbs"}', isSet: false })).toEqual({ input: { topic: "verbs" } });
  });

  it.each([
    ["", "{}", "Name the period"],
    ["2026-11", "{topic: verbs}", "This is no JSON"],
    ["2026-11", "[1]", "An input has names and values"],
    ["2026-11", "null", "An input has names and values"],
  ])("%s with %s is refused", (period, text, problem) => {
    expect(inputOf({ period, text, isSet: false })).toEqual({ problem: expect.stringContaining(problem) as string });
  });
});
