import { describe, expect, it } from "vitest";
import type { EventRow } from "../api/types";
import { matching } from "./search";
import { span } from "./words";

const row = (seq: number, line: string): EventRow => ({ seq, turn: 1, at_ms: 0, kind: "said", line, event: { type: "user_said", text: "Straße" }, is_erased: false }) as EventRow;

describe("matching", () => {
  it("finds all words, also in the data, the newest first", () => {
    const rows = [row(1, "one two"), row(2, "two"), row(3, "two one")];
    expect(matching(rows, "one TWO").map((one) => one.seq)).toEqual([3, 1]);
    expect(matching(rows, "straße")).toHaveLength(3);
    expect(matching(rows, "two", 1)).toHaveLength(1);
  });

  it("finds words before parts of words", () => {
    const rows = [row(1, "user.age = 48"), row(2, "waits for a message"), row(3, "the field user.age"), row(4, "coverage")];
    expect(matching(rows, "age").map((one) => one.seq)).toEqual([3, 1, 4, 2]);
    expect(matching(rows, "age", 3).map((one) => one.seq)).toEqual([3, 1, 4]);
  });
});

describe("span", () => {
  it.each([
    [-5, "0 s"],
    [12_400, "12 s"],
    [60_000, "1 min"],
    [3_600_000 * 5, "5 h"],
    [86_400_000 * 3, "3 d"],
  ])("%i ms", (ms, text) => expect(span(ms)).toBe(text));
});
