import { describe, expect, it } from "vitest";
import { changedRules, pointAt, type Rule } from "./rules";

const rule = (id: string, guard: string): Rule => ({ id, guard, target: "", isCode: false });

describe("changedRules", () => {
  it("sends only guards that differ", () => {
    expect(changedRules({ a: " x ", b: "y > 2", c: "" }, [rule("a", "x"), rule("b", "y > 1"), rule("c", "z")])).toEqual({ b: "y > 2" });
  });
});

describe("pointAt", () => {
  it("puts a caret below the place", () => {
    expect(pointAt("user.age < 38", 1, 6)).toBe("user.age < 38\n     ^");
    expect(pointAt("a\nbb\nc", 2, 2)).toBe("a\nbb\n ^\nc");
    expect(pointAt("a", 9, 1)).toBe("a\n^");
  });
});
