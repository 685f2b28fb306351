import { describe, expect, it } from "vitest";
import { commandOf } from "./command";

describe("commandOf", () => {
  it("asks the same question in a shell", () => {
    const question = { conversation: "maria", turn: 4, isWhole: false, values: { "user.age": 50, "user.name": "O'Neil & Co", "user.gender": null }, rules: { too_young: "user.age < 50" } };
    expect(commandOf(question)).toBe("turnwise what-if maria --turn 4 --set user.age=50 --set 'user.name=O'\\''Neil & Co' --set user.gender= --rule 'too_young=user.age < 50'");
  });

  it("names no turn for the whole conversation", () => {
    expect(commandOf({ conversation: "a b", turn: 4, isWhole: true, values: { "x.y": ["a", "b"] }, rules: {} })).toBe(`turnwise what-if 'a b' --set 'x.y=["a","b"]'`);
  });
});
