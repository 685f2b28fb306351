import { describe, expect, it } from "vitest";
import { frame, message, seam } from "../data/transcript.fixtures";
import { blocksOf, type Block } from "./nest";
import { groupTurns } from "./turns";
import { holdsPosition, holdsWords } from "./useFolds";
import { spokenWords } from "./useFinishedReplies";

const ROOT = frame(0, "");
const survey = frame(3, "survey", { status: "closed", opened_turn: 1, closed_turn: 2, closed_seq: 7, outcome: "completed" });

/** Blocks as text: the positions of a turn's lines, and scopes in brackets. */
const text = (blocks: readonly Block[]): string =>
  blocks.map((block) => (block.kind === "turn" ? `${block.turn.number}:${block.turn.items.map((item) => item.seq).join(",")}` : `${block.frame.scope}[${text(block.blocks)}]`)).join(" ");

const shown = (messages: Parameters<typeof groupTurns>[0], seams: Parameters<typeof groupTurns>[1], frames: Parameters<typeof blocksOf>[1]) => text(blocksOf(groupTurns(messages, seams), frames));

const SURVEY = [message(1, 1, { by: "user" }), message(4, 1, { frame: 3 }), message(5, 2, { by: "user", frame: 3 }), message(6, 2, { frame: 3 }), message(8, 2, { by: "system", closes: 3, speaker: "survey", note: "completed", text: "Good." }), message(9, 2), message(10, 3)];

describe("blocksOf", () => {
  it("puts what was said inside of a scope into one block, and its summary nowhere", () => {
    expect(shown(SURVEY, [seam(5.5, 2, { frame: 3 })], [ROOT, survey])).toBe("1:1 survey[1:4 2:5,5.5,6] 2:9 3:10");
  });
  it("nests scopes", () => {
    const quiz = frame(3, "quiz");
    const aside = frame(6, "quiz/aside", { parent: 3, status: "closed", closed_seq: 8, closed_turn: 2 });
    const messages = [message(1, 1), message(4, 1, { frame: 3 }), message(5, 2, { frame: 3 }), message(7, 2, { frame: 6 }), message(9, 2, { frame: 3 })];
    expect(shown(messages, [], [ROOT, quiz, aside])).toBe("1:1 quiz[1:4 2:5 quiz/aside[2:7] 2:9]");
  });
  it("leaves turns alone while frames are not known, and without scopes gives the same objects", () => {
    const turns = groupTurns(SURVEY, []);
    expect(text(blocksOf(turns, []))).toBe("1:1,4 2:5,6,8,9 3:10");
    expect(blocksOf(turns, []).map((block) => block.kind === "turn" && block.turn)).toEqual(turns);
  });
  it("cuts a turn into the same objects as long as nothing changes in it", () => {
    const turns = groupTurns(SURVEY, []);
    const parts = (blocks: readonly Block[]): unknown[] => blocks.flatMap((block) => (block.kind === "turn" ? [block.turn] : parts(block.blocks)));
    const [before, after] = [parts(blocksOf(turns, [ROOT, survey])), parts(blocksOf(turns, [ROOT, { ...survey, tokens_saved: 9 }]))];
    expect(before.every((part, place) => part === after[place])).toBe(true);
  });
  it("counts the parts of a turn, and none of a whole one", () => {
    const found = blocksOf(groupTurns(SURVEY, []), [ROOT, survey]);
    expect(found.map((block) => block.kind === "turn" && [block.part, block.isLast])).toEqual([[1, false], false, [2, true], [0, true]]);
  });
  it("shows a scope that was undone with the turn that opened it", () => {
    const undone = SURVEY.slice(0, 2).map((one) => ({ ...one, is_undone: true }));
    expect(shown([...undone, message(9, 2)], [], [ROOT, { ...survey, status: "undone" }])).toBe("1:1,4 2:9");
  });
  it("keeps a scope in one block whose closing was undone", () => {
    const open = frame(3, "survey");
    const messages = [message(1, 1), message(4, 1, { frame: 3 }), message(6, 2, { frame: 3, is_undone: true }), message(8, 2, { is_undone: true }), message(11, 4, { frame: 3 })];
    expect(shown(messages, [], [ROOT, open])).toBe("1:1 survey[1:4 2:6,8 4:11]");
  });
  it("keeps a scope in one block while something that happens around it waits", () => {
    const quiz = frame(3, "quiz", { status: "closed", closed_seq: 12, closed_turn: 5 });
    const aside = frame(6, "quiz/aside", { parent: 3, status: "closed", closed_seq: 10, closed_turn: 4 });
    const messages = [message(1, 1), message(4, 1, { frame: 3 }), message(7, 2, { frame: 6 }), message(9, 4, { frame: 6 }), message(11, 5, { frame: 3 }), message(13, 5)];
    const waits = [seam(7.5, 3), seam(8, 3, { frame: 3 })];
    expect(shown(messages, waits, [ROOT, quiz, aside])).toBe("1:1 quiz[1:4 quiz/aside[2:7 3:7.5,8 4:9] 5:11] 5:13");
  });
});

describe("what unfolds a scope", () => {
  const block = blocksOf(groupTurns(SURVEY, []), [ROOT, survey])[1]!;
  if (block.kind !== "scope") throw new Error("no scope");
  it("is a decision inside, or a turn without one", () => {
    const at = (turn: number, inside: number | null) => ({ isLive: false, turn, seam: inside === null ? null : seam(6, turn, { frame: inside }) });
    expect(holdsPosition(block, at(2, 3))).toBe(true);
    expect(holdsPosition(block, at(2, 0))).toBe(false);
    expect(holdsPosition(block, at(2, null))).toBe(true);
    expect(holdsPosition(block, at(3, null))).toBe(false);
    expect(holdsPosition(block, { ...at(2, 3), isLive: true })).toBe(false);
  });
  it("is a word that stands out", () => {
    expect(holdsWords(block, { seq: 5, start: 0, end: 2 })).toBe(true);
    expect(holdsWords(block, { seq: 9, start: 0, end: 2 })).toBe(false);
    expect(holdsWords(block, { field: "a.b", turn: 2 })).toBe(true);
    expect(holdsWords(block, null)).toBe(false);
  });
});

describe("spokenWords", () => {
  it("says where a scope was opened and closed, and every reply in order", () => {
    const messages = SURVEY.map((one) => (one.frame === 3 ? { ...one, speaker: "survey/form" } : one));
    expect(spokenWords(messages, 1, (scope) => scope)).toBe("Inside survey: m4\nm6\nsurvey closed: completed. Good.\nm9\nm10");
    expect(spokenWords(messages, 9, (scope) => scope)).toBe("m10");
    expect(spokenWords(messages, 10, (scope) => scope)).toBe("");
    expect(spokenWords(messages.filter((one) => !one.closes), 6, (scope) => scope)).toBe("survey closed. m9\nm10");
  });
});
