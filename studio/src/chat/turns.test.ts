import { describe, expect, it } from "vitest";
import type { Message } from "../api/types";
import { message, seam } from "../data/transcript.fixtures";
import { answerTo, groupTurns, wordsOf, understoodText } from "./turns";

describe("groupTurns", () => {
  it("puts decisions between the messages where they were made", () => {
    const [first, second] = groupTurns([message(1, 1, { by: "user" }), message(5, 1), message(8, 2)], [seam(3, 1), seam(6, 1), seam(7, 2)]);
    expect(first?.items.map((item) => [item.kind, item.seq])).toEqual([["message", 1], ["seam", 3], ["message", 5], ["seam", 6]]);
    expect(first?.items.flatMap((item) => (item.kind === "seam" ? [item.number] : []))).toEqual([1, 2]);
    expect(second?.number).toBe(2);
  });

  it("keeps turns that did not change", () => {
    const messages = [message(1, 1), message(2, 2)];
    const before = groupTurns(messages, []);
    const after = groupTurns([...messages, message(3, 2)], [], before);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it("sees that a turn was undone", () => {
    expect(groupTurns([message(1, 1, { is_undone: true })], [seam(2, 1)])[0]?.isUndone).toBe(true);
  });
});

describe("answerTo", () => {
  const form = { asked: "case.history" } as Message["form"];
  const value = (field: string) => ({ field, value: "Yes", how: "understood" as const, did: "set" as const, start: 0, end: 3 });
  const answer = (...next: Message[]) => answerTo(groupTurns([message(1, 1, { form }), ...next], []), 0);

  it("is the button or the words, or what was understood of them", () => {
    expect(answer(message(2, 2, { by: "button", text: "confirm" }))).toBe("confirm");
    expect(answer(message(2, 2, { by: "user", text: "yes, for billing", understood: [value("case.history")] }))).toBe("Yes");
  });

  it("is no value of another field", () => {
    expect(answer(message(2, 2, { by: "user", text: "Yes", understood: [value("case.known")] }))).toBe("");
  });

  it("says of items of a list what became of them", () => {
    const form = { asked: "order.items" } as Message["form"];
    const one = (field: string, did: "added" | "changed" | "removed" | "moved", value: unknown) => ({ field, value, how: "understood" as const, did, start: null, end: null });
    const understood = [one("order.items[i1]", "added", { kind: "Salami", size: "Large" }), one("order.items[i2].size", "changed", "Small"), one("order.items[i3]", "removed", null), one("order.items[i4]", "moved", 1), one("note", "added", {})];
    const turns = groupTurns([message(1, 1, { form }), message(2, 2, { by: "user", text: "x", understood })], []);
    expect(answerTo(turns, 0)).toBe("added: Salami, Large\n= Small\nremoved\nmoved to position 1");
    expect(understoodText(one("order.items[i2].size", "changed", null))).toBe("removed");
    expect(understoodText(one("order.items[i5]", "added", {}))).toBe("added: without values");
    expect(understoodText({ ...one("order.items[i6]", "added", { kind: "Funghi", without: ["Cheese"] }), item: { number: 2, text: "Funghi without Cheese" } })).toBe("added: Funghi without Cheese");
    expect(understoodText({ ...one("order.items[i6]", "removed", null), item: { number: 2, text: "Small Funghi" } })).toBe("removed: Small Funghi");
  });

  it("is nothing that was refused, not understood or undone", () => {
    expect(answer(message(2, 2, { by: "button", text: "No" }), message(3, 2, { kind: "stale_button" }))).toBe("");
    expect(answer(message(2, 2, { by: "user", text: "No", note: "not understood: the question is still open" }))).toBe("");
    expect(answer(message(2, 2, { by: "button", text: "No", is_undone: true }))).toBe("");
  });
});

describe("wordsOf", () => {
  it("cuts at code points, also after an emoji", () => {
    const understood = [{ field: "user.age", value: 35, how: "understood" as const, did: "set" as const, start: 5, end: 7 }];
    expect(wordsOf({ text: "😀 am 35 ok", understood })).toEqual([
      { text: "😀 am ", field: null, start: 0, end: 5 },
      { text: "35", field: "user.age", start: 5, end: 7 },
      { text: " ok", field: null, start: 7, end: 10 },
    ]);
  });

  it("ignores places outside and overlaps", () => {
    const one = (start: number, end: number) => ({ field: `f${start}`, value: 1, how: "understood" as const, did: "set" as const, start, end });
    const words = wordsOf({ text: "abcdef", understood: [one(0, 4), one(2, 5), one(5, 99), one(9, 12)] });
    expect(words.map((word) => word.text).join("")).toBe("abcdef");
    expect(words.filter((word) => word.field).map((word) => word.field)).toEqual(["f0", "f5"]);
  });
});
