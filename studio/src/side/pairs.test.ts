import { describe, expect, it } from "vitest";
import type { Answer } from "../api/types";
import type { Turn } from "../chat/turns";
import { pairsOf, partingOf } from "./pairs";

const turns = (count: number): Turn[] => Array.from({ length: count }, (_, at) => ({ number: at + 1, items: [], isUndone: false }));
const numbers = (...given: Parameters<typeof pairsOf>) => pairsOf(...given).map(({ one, other }) => [one?.number ?? 0, other?.number ?? 0]);

const answer = (parts: Record<string, unknown>, value: Record<string, unknown> = {}): Answer =>
  ({ facts: [{ kind: "ways_part", text: "", values: { one: "maria", did: "went to a", other: "hanna", did_other: "went to b", turn: 3, other_turn: 2, ...parts } }, { kind: "values_differ", text: "", values: { field: "user.age", one: "maria", shown: ["48", "35"], stored: [48, 35], is_decisive: true, decides: "so", ...value } }] }) as unknown as Answer;

describe("pairsOf", () => {
  it("has the turns of both by their numbers", () => expect(numbers(turns(3), turns(2))).toEqual([[1, 1], [2, 2], [3, 0]]));
  it("has the turns in which they part in one row, and those after them in the rows below", () => {
    expect(numbers(turns(4), turns(3), { turn: 3, otherTurn: 2 })).toEqual([[1, 1], [2, 0], [3, 2], [4, 3]]);
  });
});

describe("partingOf", () => {
  it("says what each did, and the value that alone explains it, from the side of A", () => {
    const expected = { turn: 3, otherTurn: 2, did: "went to a", didOther: "went to b", field: "user.age", values: ["48", "35"], stored: 48, decides: "so" };
    expect(partingOf(answer({}), "maria")).toEqual(expected);
    expect(partingOf(answer({}), "hanna")).toEqual({ ...expected, turn: 2, otherTurn: 3, did: "went to b", didOther: "went to a", values: ["35", "48"], stored: 35 });
  });
  it("has a side that made no further move stand beside the other one", () => expect(partingOf(answer({ other_turn: 0 }), "maria")?.otherTurn).toBe(3));
  it("is nothing where both went the same way", () => expect(partingOf({ facts: [] } as unknown as Answer, "maria")).toBeNull());
});
