import { describe, expect, it } from "vitest";
import type { Considered, Decision, EvaluatedRule } from "../../api/types";
import { byText, opensItself, otherMoments, outcomeWord, readTexts, shownOutcome, transitionText } from "./candidates";
import { namesOf, splitAtNames } from "./names";
import { decisiveRows, guardRows, operandsOf } from "./tree";
import type { Verdict } from "../types";

const complete: Considered = {
  id: "complete",
  outcome: "unknown",
  action: "to",
  target: "profiler",
  verdict: {
    type: "group",
    op: "all",
    verdict: "unknown",
    parts: [
      { type: "leaf", text: "has(user.name)", verdict: "held", operands: [{ name: "user.name", value: "Maria", how: "understood", turn: 2 }] },
      { type: "leaf", text: "user.tos_acknowledged", verdict: "unknown", operands: [{ name: "user.tos_acknowledged", value: null, how: "missing" }] },
    ],
  },
  missing: ["user.tos_acknowledged"],
};

const decision = (change: Partial<Decision> = {}): Decision => ({
  conversation: "maria",
  seq: 46,
  turn: 4,
  at_ms: 0,
  node: "introduction",
  moment: "before",
  line: "stayed in introduction: 1 candidate, which did not hold; nearest is → profiler, which lacks user.tos_acknowledged",
  candidates: [complete],
  ...change,
});

describe("splitAtNames", () => {
  it("finds whole names only", () => {
    const parts = splitAtNames("the introduction: introductions need user.name, not user.name2 or x.user.name.", ["introduction", "user.name"]);
    expect(parts.filter((part) => part.isName).map((part) => part.text)).toEqual(["introduction", "user.name"]);
    expect(parts.map((part) => part.text).join("")).toBe("the introduction: introductions need user.name, not user.name2 or x.user.name.");
  });

  it("takes the longest of several names", () => {
    expect(splitAtNames("user.age >= 38", ["user.age", "user.age >= 38"])).toEqual([{ text: "user.age >= 38", isName: true }]);
  });

  it("knows the names of a decision", () => {
    expect(namesOf(decision())).toEqual(expect.arrayContaining(["introduction", "complete", "profiler", "user.name", "user.tos_acknowledged"]));
  });
});

describe("guardRows", () => {
  it("indents parts below their group, with the value of the first operand", () => {
    expect(guardRows(complete.verdict as Verdict).map((row) => [row.depth, row.text, row.operand?.value])).toEqual([
      [0, "all of", undefined],
      [1, "has(user.name)", "Maria"],
      [1, "user.tos_acknowledged", null],
    ]);
  });

  it("gives further operands rows of their own, and names the branches of if", () => {
    const leaf = (text: string): Verdict => ({ type: "leaf", text, verdict: "held", operands: [{ name: "a", value: 1 }, { name: "b", value: 2 }] });
    const rows = guardRows({ type: "group", op: "if", verdict: "held", parts: [leaf("a < b"), leaf("x"), leaf("y")] });
    expect(rows.map((row) => `${row.kind} ${row.branch && `${row.branch} `}${row.text}`)).toEqual(["group if", "leaf a < b", "operand b", "leaf then x", "operand b", "leaf else y", "operand b"]);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  });

  it("reads each operand once", () => {
    expect(operandsOf(complete.verdict).map((operand) => operand.name)).toEqual(["user.name", "user.tos_acknowledged"]);
  });
});

describe("decisiveRows", () => {
  const leaf = (text: string, verdict: Verdict["verdict"]): Verdict => ({ type: "leaf", text, verdict, operands: [] });
  const group = (op: "all" | "any" | "not", verdict: Verdict["verdict"], ...parts: Verdict[]): Verdict => ({ type: "group", op, verdict, parts });
  const tooYoung = group("all", "not_held", group("any", "not_held", group("not", "not_held", leaf("has(age)", "held")), leaf("age >= 38", "not_held")), group("any", "held", leaf("terms", "held"), leaf("guest", "not_held")));

  it("are those without which a guard of many levels could have come out in another way", () => {
    expect(decisiveRows(tooYoung).map((row) => [row.depth, row.text, row.verdict])).toEqual([
      [0, "!(has(age))", "not_held"],
      [0, "age >= 38", "not_held"],
    ]);
    const holds = group("all", "held", group("any", "held", leaf("a", "not_held"), leaf("b", "held")), group("any", "held", leaf("c", "held"), group("all", "not_held", leaf("d", "not_held"), leaf("e", "held"))));
    expect(decisiveRows(holds).map((row) => row.text)).toEqual(["b", "c"]);
  });

  it("are none of a guard with few levels, of which a condition and its opposite are one", () => {
    const flat = group("all", "not_held", leaf("a", "held"), group("not", "not_held", leaf("b", "held")));
    expect(decisiveRows(flat)).toEqual([]);
    expect(guardRows(flat).map((row) => [row.depth, row.text])).toEqual([[0, "all of"], [1, "a"], [1, "!(b)"]]);
  });
});

describe("candidates", () => {
  it("shows what a folded card read", () => {
    expect(readTexts(complete, (name) => name)).toEqual(["user.name = Maria", "user.tos_acknowledged not known"]);
  });

  it("ends the header with the move or says that there was none", () => {
    const taken = { ...complete, outcome: "taken" as const };
    expect(transitionText(decision(), (node) => node).text).toBe("(No transition)");
    expect(transitionText(decision({ taken: "complete", candidates: [taken] }), (node) => node)).toEqual({ text: "✓ → profiler", isMove: true });
    expect(transitionText(decision({ taken: "complete", candidates: [{ ...taken, planned: true }] }), (node) => node).isMove).toBe(false);
    expect(transitionText(decision({ taken: "complete", candidates: [{ ...taken, action: "stay", target: "" }] }), (node) => node).text).toBe("(No transition)");
  });

  it("says of a node's own enter_when that it held, not that it was taken", () => {
    const own = { ...complete, outcome: "taken" as const, level: "enter" as const, target: "introduction" };
    const stays = decision({ node: "introduction", taken: "complete", candidates: [own] });
    expect([shownOutcome(own, stays), outcomeWord(own, stays)]).toEqual(["held", "held"]);
    expect(outcomeWord(own, { ...stays, node: "profiler" })).toBe("taken");
  });

  it("opens the nearest, the taken, the only and those in error", () => {
    const other = { ...complete, id: "other" };
    const two = decision({ candidates: [complete, other] });
    expect(opensItself(complete, two, "complete")).toBe(true);
    expect(opensItself(other, two, "complete")).toBe(false);
    expect(opensItself(other, decision({ candidates: [other] }), "")).toBe(true);
    expect(opensItself({ ...other, outcome: "error" }, two, "")).toBe(true);
  });

  it("says by whom a candidate was outranked", () => {
    expect(byText({ ...complete, outcome: "outranked", by: "too_young" })).toBe("by Too young");
    expect(byText({ ...complete, outcome: "outranked", by: "offered to the model" })).toBe("offered to the model");
    expect(byText({ ...complete, outcome: "not_reached", by: "judging ended at x" })).toBe("judging ended at X");
  });

  it("groups the rules of other moments", () => {
    const rule = (id: string): EvaluatedRule => ({ id, description: "", fields: [], passed: false, result: { action: "transition" } });
    const groups = otherMoments({ pre: [rule("a")], post: [rule("b"), rule("c"), rule("d")] }, { a: "before", b: "after", c: "timer", d: "after" }, "before");
    expect(groups.map((group) => [group.moment, group.rules.map((one) => one.id)])).toEqual([
      ["after", ["b", "d"]],
      ["timer", ["c"]],
    ]);
  });
});
