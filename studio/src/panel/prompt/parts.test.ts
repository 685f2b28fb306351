import { describe, expect, it } from "vitest";
import type { PromptPart } from "../../api/types";
import { comparePrompts } from "./parts";

const part = (kind: PromptPart["part"], text: string, role: PromptPart["role"] = ""): PromptPart => ({ part: kind, text, role });

describe("comparePrompts", () => {
  const before = [part("persona", "Warm.\nBrief."), part("prompt", "Ask."), part("transcript", "Hi", "user")];
  const now = [part("persona", "Warm.\nBrief."), part("transcript", "Hi", "user"), part("transcript", "one\ntwo", "agent"), part("missing", "age")];

  it("compares part by part, and messages as a whole", () => {
    const found = comparePrompts(now, before).map((one) => [one.part, one.lines.map((line) => `${line.kind} ${line.text}`)]);
    expect(found).toEqual([
      ["persona", ["same Warm.", "same Brief."]],
      ["transcript", ["same user: Hi", "added agent: one\ntwo"]],
      ["missing", ["added age"]],
      ["prompt", ["removed Ask."]],
    ]);
  });

  it("has no difference without a prompt to compare with", () => {
    expect(comparePrompts(now, null).flatMap((one) => one.lines).every((line) => line.kind === "same")).toBe(true);
  });
});
