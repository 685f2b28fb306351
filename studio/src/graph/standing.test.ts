import { describe, expect, it } from "vitest";
import type { EdgeHistory, GraphEdge } from "../api/types";
import { decode } from "../timeline/decode";
import { TIMELINE } from "../timeline/example";
import { standingAt, turnsText } from "./standing";

const edge = (node: string, transition: string, moment: GraphEdge["moment"] = "before"): GraphEdge => ({
  id: transition,
  source: "a",
  target: "b",
  transition,
  action: "to",
  moment,
  node,
  test: "", condition: "",
  because: "",
  priority: 100,
  is_code: false,
  is_mirror: false,
  is_timer: false,
  remark: "",
  line: 0, file: "",
});

const history = (transition: string, judged: number, taken: number): EdgeHistory => ({
  node: "introduction",
  moment: "before",
  transition,
  target: "x",
  judged,
  held: taken,
  taken,
  line: "",
  outcomes: {},
});

const track = decode(TIMELINE);
const at = (seq: number) => track.decisions.find((one) => one.seq === seq) ?? null;

describe("standingAt", () => {
  it("shows the outcome of the selected decision as now", () => {
    const standing = standingAt(track, at(46), []);
    expect(standing.here).toBe("introduction");
    expect(standing.edge(edge("introduction", "complete"))).toMatchObject({ outcome: "unknown", isNow: true, taken: [] });
    expect(standing.edge(edge("introduction", "too_young"))).toMatchObject({ outcome: "false", isNow: true, taken: [2] });
    expect(standing.edge(edge("ineligible", "corrected"))).toMatchObject({ outcome: "taken", isNow: false, turn: 3 });
  });

  it("knows nothing of what comes after the position", () => {
    const standing = standingAt(track, at(16), []);
    expect(standing.here).toBe("ineligible");
    expect(standing.edge(edge("ineligible", "corrected")).outcome).toBe("none");
    expect(standing.node("ineligible")).toEqual({ turns: [2], isHere: true });
    expect(standing.node("introduction")).toEqual({ turns: [1, 2], isHere: false });
  });

  it("counts a turn for every node that it was in", () => {
    const standing = standingAt(track, at(46), []);
    expect(standing.node("introduction").turns).toEqual([1, 2, 3, 4]);
    expect(standing.node("ineligible").turns).toEqual([2, 3]);
    expect(standing.node("profiler").turns).toEqual([]);
  });

  it("finds a transition that is often judged and never true", () => {
    const standing = standingAt(track, at(46), [history("ineligible_male", 17, 0), history("too_young", 17, 3), history("complete", 9, 0)]);
    expect(standing.edge(edge("introduction", "ineligible_male"))).toMatchObject({ isNeverTrue: true, judged: 17 });
    expect(standing.edge(edge("introduction", "too_young")).isNeverTrue).toBe(false);
    expect(standing.edge(edge("introduction", "complete")).isNeverTrue).toBe(false);
  });

  it("keeps the earlier outcome of what was not judged again, and says so at the position", () => {
    const again = decode({ ...TIMELINE, marks: TIMELINE.marks.map((mark) => (mark[0] === 46 ? [...mark.slice(0, 11), "-fu", 0, 0] : mark)) as typeof TIMELINE.marks });
    const last = again.decisions.at(-1)!;
    expect(standingAt(again, last, []).edge(edge("introduction", "ineligible_male"))).toMatchObject({ outcome: "not_reached", isNow: true });
    expect(standingAt(again, null, []).edge(edge("introduction", "ineligible_male"))).toMatchObject({ outcome: "unknown", turn: 3 });
  });

  it("collects a transition of the whole flow over its nodes", () => {
    const anywhere = standingAt(track, at(46), []).edge(edge("", "too_young", "before"));
    expect(anywhere.taken).toEqual([2]);
  });

  it("stands nowhere before the first turn", () => {
    const empty = decode({ ...TIMELINE, turns: [], marks: [], moves: [], commits: [] });
    expect(standingAt(empty, null, []).here).toBe("");
  });
});

describe("turnsText", () => {
  it.each([
    [[], ""],
    [[3], "turn 3"],
    [[1, 2, 3, 4], "turns 1, 2, 3, 4"],
    [[1, 2, 3, 4, 5, 9], "turns 1–5, 9"],
    [[1, 3, 5, 7, 9, 11, 13, 15], "turns …, 5, 7, 9, 11, 13, 15"],
  ])("%j", (turns, text) => {
    expect(turnsText(turns)).toBe(text);
  });
});
