import { describe, expect, it } from "vitest";
import type { EventRow, TimelineTurn } from "../../api/types";
import { EventRows, matches } from "./rows";
import { scrollToRow, visibleRows } from "./window";

const turn = (number: number, first: number, last: number): TimelineTurn => [number, first, last, 0, 0, "said", false, 0, 0];

describe("EventRows", () => {
  const rows = new EventRows([turn(1, 1, 3), turn(2, 4, 4), turn(4, 9, 10)]);

  it("has a heading per turn and a row per position", () => {
    const all = Array.from({ length: rows.length }, (_, index) => rows.at(index)).map((row) => (row?.kind === "turn" ? `turn ${row.turn}: ${row.count}` : row?.seq));
    expect(all).toEqual(["turn 1: 3", 1, 2, 3, "turn 2: 1", 4, "turn 4: 2", 9, 10]);
    expect(rows.at(9)).toBeUndefined();
    expect(rows.at(-1)).toBeUndefined();
  });

  it("finds the row of a position, and knows positions that no turn has", () => {
    expect([1, 4, 10].map((seq) => rows.indexOf(seq))).toEqual([1, 5, 8]);
    expect([0, 6, 11].map((seq) => rows.indexOf(seq))).toEqual([-1, -1, -1]);
  });

  it("is quick for 2,000 turns", () => {
    const many = new EventRows(Array.from({ length: 2000 }, (_, at) => turn(at + 1, at * 12 + 1, at * 12 + 12)));
    expect(many.length).toBe(2000 * 13);
    expect(many.at(many.length - 1)).toEqual({ kind: "event", seq: 24_000, turn: 2000 });
  });
});

describe("matches", () => {
  const event: EventRow = { seq: 46, turn: 4, at_ms: 0, kind: "field_set", line: "user.age = 48", subject: "field user.age", event: { type: "field_set", field: "user.age", value: 48, how: "understood" }, is_erased: false, lines: {} };

  it("needs every word, in kind, line or data", () => {
    for (const filter of ["", "field set", "AGE 48", "understood", "turn:4", "46"]) expect(matches(event, filter)).toBe(true);
    for (const filter of ["field cleared", "age 49"]) expect(matches(event, filter)).toBe(false);
  });
});

describe("visibleRows", () => {
  it("draws what is in view and some more", () => {
    expect(visibleRows(1000, 200, 20, 10_000, 5)).toEqual({ from: 45, to: 65 });
    expect(visibleRows(0, 200, 20, 4, 5)).toEqual({ from: 0, to: 4 });
    expect(visibleRows(9999, 200, 20, 4, 5)).toEqual({ from: 4, to: 4 });
  });

  it("scrolls only to a row that is out of view", () => {
    expect(scrollToRow(10, 100, 300, 20)).toBeNull();
    expect(scrollToRow(0, 100, 300, 20)).toBe(0);
    expect(scrollToRow(100, 0, 300, 20)).toBe(1900);
  });
});
