import { describe, expect, it } from "vitest";
import type { Advice, FormView } from "../api/types";
import { message } from "../data/transcript.fixtures";
import { fitting } from "./Advice";

const advice: readonly Advice[] = [
  { node: "intake", field: "case.purpose", missing: "", lines: ["for billing"] },
  { node: "talk", field: "", missing: "user.age", lines: ["I am 35", "I am 48"] },
  { node: "talk", field: "", missing: "", lines: ["goodbye"] },
];
const asking = (asked: string) => ({ asked }) as FormView;
const said = (text: string, field = "") => message(1, 1, { by: "user", text, understood: field ? [{ field, value: 1, how: "understood", start: null, end: null, did: "set" }] : [] });

describe("fitting", () => {
  it("gives the lines for the question that is open", () => {
    expect(fitting(advice, { node: "intake" }, asking("case.purpose"), [])).toEqual(["for billing"]);
    expect(fitting(advice, { node: "intake" }, asking("case.urgency"), [])).toEqual([]);
    expect(fitting(advice, { node: "intake" }, null, [])).toEqual([]);
    expect(fitting(advice, { node: "talk" }, asking(""), [])).toEqual([]);
  });
  it("gives nothing twice, and nothing for a value that was given", () => {
    expect(fitting(advice, { node: "talk" }, null, [said("I am 35")])).toEqual(["I am 48"]);
    expect(fitting(advice, { node: "talk" }, null, [said("thirty-five", "user.age")])).toEqual(["goodbye"]);
    expect(fitting(advice, { node: "talk" }, null, [said("thirty-five", "user.age"), said("goodbye")])).toEqual([]);
  });
  it("gives a line again that was undone", () => {
    expect(fitting(advice, { node: "talk" }, null, [{ ...said("I am 35", "user.age"), is_undone: true }])).toEqual(["I am 35", "I am 48"]);
  });
});
