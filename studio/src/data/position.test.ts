import { describe, expect, it } from "vitest";
import { stops } from "./position";
import { message, seam } from "./transcript.fixtures";

describe("stops", () => {
  it("has each decision, and the turns without one", () => {
    const data = { messages: [message(1, 1), message(9, 3)], seams: [seam(2, 1), seam(3, 1), seam(5, 2)] };
    expect(stops(data)).toEqual([
      { turn: 1, decision: 1 },
      { turn: 1, decision: 2 },
      { turn: 2, decision: 1 },
      { turn: 3, decision: 0 },
    ]);
  });
});
