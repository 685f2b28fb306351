import { describe, expect, it } from "vitest";
import { framesAt } from "../data/frames";
import { frame } from "../data/transcript.fixtures";
import { leftWords, nameOf, openedWords, savedWords, standingWords, turnsWords } from "./words";

describe("framesAt", () => {
  const frames = [frame(0, ""), frame(3, "survey", { opened_turn: 2, closed_turn: 4, closed_seq: 9, status: "closed" }), frame(12, "quiz", { opened_turn: 6 }), frame(15, "quiz/aside", { parent: 12, opened_turn: 7 }), frame(20, "survey", { opened_turn: 8, status: "undone" })];
  const open = (turn: number | null) => framesAt(frames, turn).map((one) => one.scope || "-");
  it.each([
    [1, ["-"]],
    [2, ["-", "survey"]],
    [4, ["-"]],
    [6, ["-", "quiz"]],
    [8, ["-", "quiz", "quiz/aside"]],
    [null, ["-", "quiz", "quiz/aside"]],
  ])("at the end of turn %s", (turn, scopes) => expect(open(turn)).toEqual(scopes));
});

describe("words of frames", () => {
  it.each([
    [{ turns: 2, max_turns: 8 }, "6 turns left"],
    [{ turns: 7, max_turns: 8, tokens: 2_800, max_tokens: 4_000 }, "1 turn, 1,200 tokens left"],
    [{ tokens: 900, max_tokens: 400 }, "0 tokens left"],
    [{}, ""],
  ])("what is left: %j", (more, words) => expect(leftWords(frame(3, "quiz", more))).toBe(words));
  it.each([
    [{ by: "user" }, "the user asked for it"],
    [{ by: "tool", tool: "startSurvey" }, "the model called startSurvey"],
    [{ by: "call", transition: "why_so" }, "why so called it"],
    [{ by: "node", transition: "asks" }, "asks led to it"],
    [{ by: "node" }, "its node was entered"],
    [{ by: "program" }, "the program opened it"],
    [{ by: "offer" }, "the user took the offer"],
  ] as const)("who opened it: %j", (more, words) => expect(openedWords(frame(3, "quiz", more))).toBe(words));
  it.each([
    [{ tokens_saved: 412, later_requests: 3 }, "412 tokens saved in 3 later requests"],
    [{ tokens_saved: 1_236, later_requests: 1, is_estimate: true }, "1,236 tokens saved in 1 later request (an estimate)"],
    [{ tokens_saved: 0, later_requests: 0 }, ""],
    [{ tokens_saved: null }, ""],
  ])("what was saved: %j", (more, words) => expect(savedWords(frame(3, "quiz", more))).toBe(words));
  it("names turns and standing", () => {
    expect(turnsWords({ opened_turn: 4, closed_turn: 7 }, 9)).toBe("turns 4 to 7");
    expect(turnsWords({ opened_turn: 8, closed_turn: null }, 9)).toBe("turns 8 and 9");
    expect(turnsWords({ opened_turn: 9, closed_turn: null }, 9)).toBe("turn 9");
    expect(standingWords(frame(3, "quiz", { status: "closed", outcome: "timeout" }), undefined)).toBe("closed: timeout");
    expect(standingWords(frame(3, "quiz"), frame(5, "quiz/aside", { title: "A question aside" }))).toBe("open, waits for A question aside");
    expect(nameOf({ id: 0, title: "", scope: "" })).toBe("main");
    expect(nameOf({ id: 7, title: "", scope: "" })).toBe("Erased scope");
  });
});
