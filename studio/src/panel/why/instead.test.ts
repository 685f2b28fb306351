import { describe, expect, it } from "vitest";
import { frame, message } from "../../data/transcript.fixtures";
import { closedBefore, wordsInside } from "./SentInstead";

const FRAMES = [frame(0, ""), frame(3, "survey", { status: "closed", closed_seq: 9, closed_turn: 3 }), frame(5, "survey/aside", { parent: 3, status: "closed", closed_seq: 7, closed_turn: 2 }), frame(12, "quiz", { status: "closed", closed_seq: 20, closed_turn: 6 }), frame(30, "quiz")];

describe("what was sent instead", () => {
  it("is that of the scope that was closed last in this frame", () => {
    expect([2, 3, 5, 6, 9].map((turn) => closedBefore(FRAMES, 0, turn)?.id)).toEqual([undefined, 3, 3, 12, 12]);
    expect(closedBefore(FRAMES, 3, 2)?.id).toBe(5);
  });
  it("leaves out all that was said inside, also deeper", () => {
    const messages = [message(2, 1), message(4, 2, { frame: 3 }), message(6, 2, { frame: 5 }), message(7, 2, { frame: 3, closes: 5 }), message(8, 3, { frame: 3, is_undone: true }), message(10, 3)];
    expect(wordsInside(messages, FRAMES, 3).map(({ seq }) => seq)).toEqual([4, 6]);
  });
});
