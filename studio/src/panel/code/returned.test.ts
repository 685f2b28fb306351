import { describe, expect, it } from "vitest";
import { returnedLine, type SourceLine } from "./returned";

const lines = (source: string): SourceLine[] => source.split("\n").map((text, at) => ({ number: at + 1, text }));

const ROUTE = lines(`def route(user: Any) -> str | None:
    if user.gender == "male":
        return "ineligible"
    if user.age is None:
        return None
    if user.age < 40:
        return "ineligible"
    return "profiler" if user.name and user.tos_acknowledged else None`);

describe("returnedLine", () => {
  it("takes the only line that gives the value", () => {
    expect(returnedLine(lines("def f(a):\n    if a.x:\n        return True\n    return None"), ["a.x"], null)).toBe(4);
  });

  it("tells equal results apart by what was read", () => {
    expect(returnedLine(ROUTE, ["user.gender"], "ineligible")).toBe(3);
    expect(returnedLine(ROUTE, ["user.gender", "user.age"], "ineligible")).toBe(7);
    expect(returnedLine(ROUTE, ["user.gender", "user.age"], null)).toBe(5);
    expect(returnedLine(ROUTE, ["user.gender", "user.age", "user.name"], null)).toBe(8);
  });

  it("gives no line where reads have no place of their own", () => {
    const helper = lines('def f(user):\n    if is_old(user):\n        return "a"\n    if user.age:\n        return "a"');
    expect(returnedLine(helper, ["user.age"], "a")).toBe(0);
    const loop = lines('def f(user):\n    for x in user.list:\n        if x:\n            return "a"\n    return "a" if user.age else None');
    expect(returnedLine(loop, ["user.list", "user.age"], "a")).toBe(0);
  });

  it("gives no line where two are possible", () => {
    const both = lines('def f(user):\n    if user.a:\n        return "x"\n    if user.a is None:\n        return "x"\n    return None');
    expect(returnedLine(both, ["user.a"], "x")).toBe(0);
  });
});
