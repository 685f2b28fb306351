import { describe, expect, it } from "vitest";
import type { GuardCode } from "../../api/types";
import { annotateCode } from "./annotate";

const SOURCE = `def route(user):
    """Who may go on."""
    if user.gender == "male":
        return "ineligible"
    if user.age is None:  # user.gender is not asked
        return None
    if user.age < 40:
        return "ineligible"
    return "profiler" if user.name else None
`;

const code = (change: Partial<GuardCode>): GuardCode => ({ name: "route", source: SOURCE, file: "guards.py", line: 15, ...change });
const hints = (change: Partial<GuardCode>) =>
  Object.fromEntries(
    annotateCode(code(change))
      .lines.filter((line) => line.hints.length)
      .map((line) => [line.number, line.hints.map((hint) => hint.text)]),
  );

describe("annotateCode", () => {
  it("puts each value beside the first line that reads it", () => {
    expect(hints({ returned: "x", reads: { "user.gender": null, "user.age": 39 } })).toEqual({
      17: ["user.gender is not known"],
      19: ["user.age = 39"],
      23: ['returned "x"'],
    });
  });

  it("lists a value that no line names", () => {
    const found = annotateCode(code({ source: "def f(user):\n    u = user\n    return u.age > 3\n", reads: { "user.age": 4 } }));
    expect(found.unplaced).toEqual([{ kind: "value", text: "user.age = 4" }]);
  });

  it("does not take part of a longer name for a read", () => {
    const found = annotateCode(code({ source: "def f(user):\n    return user.ages\n", reads: { "user.age": 4 } }));
    expect(found.unplaced).toHaveLength(1);
  });

  it("finds calls with other quotes", () => {
    const found = annotateCode(code({ source: "def f(tools):\n    return tools.used('think', within=3)\n", reads: { 'tools.used("think", within: 3)': true } }));
    expect(found.lines[1]?.hints[0]?.text).toBe('tools.used("think", within: 3) = true');
  });

  it("marks the line that returned only where no other line can have returned it", () => {
    expect(annotateCode(code({ returned: null, source: "def f(a):\n    if a:\n        return True\n    return None\n" })).lines[3]?.kind).toBe("returned");
    const two = annotateCode(code({ returned: "x", source: "def f(a):\n    if a.b:\n        return a.b\n    return a.b\n", reads: { "a.b": "x" } }));
    expect(two.lines.every((line) => line.kind === "")).toBe(true);
    expect(two.returned?.text).toBe('returned "x"');
  });

  it("puts the exception under its line", () => {
    const found = annotateCode(code({ error: "TypeError: no", at: "guards.py:21" }));
    expect(found.lines[6]).toMatchObject({ number: 21, kind: "raised", error: "TypeError: no" });
    expect(found.error).toBe("");
    expect(found.returned).toBeNull();
  });

  it("names the place of an exception that another file raised", () => {
    const found = annotateCode(code({ error: "TypeError: no", at: "/x/other.py:3" }));
    expect(found.error).toBe("TypeError: no (/x/other.py:3)");
  });

  it("shows no result of a guard that was not called", () => {
    expect(annotateCode(code({ call: "not_called" })).returned).toBeNull();
  });
});
