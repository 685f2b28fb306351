import { describe, expect, it } from "vitest";
import { BEAD, beadsOf } from "./beads";
import type { Decision } from "./decode";

const decision = (seq: number, more: Partial<Decision> = {}): Decision => ({ seq, turn: 1, at: 0, lane: 0, mark: "false", target: -1, text: "", moment: "before", transition: "", candidates: ["a"], outcomes: "f", hasMoved: false, ...more });
const beads = (all: Decision[], current: number | null = null) => beadsOf(all, (one) => one.seq, (one) => one.lane * 30, current);

describe("beadsOf", () => {
  it("joins marks that would lie on each other, and shows the move", () => {
    const found = beads([decision(0), decision(5, { mark: "taken", target: 2 }), decision(9), decision(60)]);
    expect(found.map(({ shown, count }) => [shown?.seq, count])).toEqual([[5, 3], [60, 1]]);
  });
  it("keeps marks of other lanes, and shows the current one in its place", () => {
    const found = beads([decision(0, { mark: "taken", target: 1 }), decision(3), decision(4, { lane: 1 })], 3);
    expect(found.map(({ shown, x }) => [shown?.seq, x])).toEqual([[3, 3], [4, 4]]);
  });
  it("never lets two beads of a lane overlap", () => {
    const found = beads(Array.from({ length: 400 }, (_, at) => decision(at * 2.5)));
    const places = found.map(({ x }) => x);
    expect(places.slice(1).every((x, at) => x - places[at]! >= BEAD)).toBe(true);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(400);
  });
  it("makes room for the sign of a scope, and keeps a move in sight", () => {
    const sign = (seq: number) => ({ seq, lane: 0, name: "in" as const });
    const all = [decision(0), decision(30, { mark: "taken", target: 1 })];
    const found = beadsOf(all, (one) => one.seq, () => 0, null, [sign(4), sign(33), sign(90)]);
    expect(found.map((one) => [one.shown?.seq, one.sign?.seq, one.count, one.x])).toEqual([[0, 4, 1, 4], [30, undefined, 1, 30], [undefined, 90, 0, 90]]);
  });
});
