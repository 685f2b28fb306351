import { describe, expect, it } from "vitest";
import type { ConversationSummary, Message, Seam, Transcript } from "../api/types";
import { message, seam, summary } from "./transcript.fixtures";
import { emptyConversation, storedTurn, upsert, withDelta, withMessage, withSeam, withSummary, withTranscript, withTurnEnded } from "./transcript";

const part = (seq: number, messages: Message[], seams: Seam[] = [], more: Partial<ConversationSummary> = {}): Transcript => ({ conversation: summary(seq, more), messages, seams, is_cut: false, erasure: "", starts: [] });

describe("transcript", () => {
  it("shows each message once, whichever way and however often it comes", () => {
    let now = emptyConversation("c");
    now = withMessage(now, message(5, 2));
    now = withTranscript(now, part(4, [message(1, 1), message(3, 1)]), true);
    now = withMessage(now, message(5, 2));
    now = withTurnEnded(now, 2, [message(5, 2), message(7, 2)]);
    now = withTranscript(now, part(7, [message(7, 2)]), false);
    expect(now.messages.map((one) => one.seq)).toEqual([1, 3, 5, 7]);
    expect(now.lastSeq).toBe(7);
    expect(storedTurn(now)).toBe(2);
  });

  it("takes what a whole transcript says about old messages, and keeps newer ones", () => {
    let now = withTranscript(emptyConversation("c"), part(3, [message(1, 1), message(3, 1)]), true);
    now = withMessage(now, message(9, 2));
    now = withTranscript(now, part(5, [message(1, 1, { is_undone: true }), message(5, 2)]), true);
    expect(now.messages.map((one) => [one.seq, one.is_undone])).toEqual([[1, true], [5, false], [9, false]]);
  });

  it("asks on from where nothing is missing, not from what the stream brought", () => {
    let now = withTranscript(emptyConversation("c"), part(3, [message(1, 1), message(3, 1)]), true);
    now = withMessage(now, message(9, 3));
    now = withTurnEnded(now, 3, [message(9, 3)]);
    expect([now.lastSeq, now.readSeq]).toEqual([9, 3]);
    now = withTranscript(now, part(9, [message(5, 2), message(9, 3)]), false);
    expect([now.readSeq, now.messages.map((one) => one.seq)]).toEqual([9, [1, 3, 5, 9]]);
  });

  it("shows the end of a long conversation first", () => {
    let now = withTranscript(emptyConversation("c"), part(9, [message(8, 4), message(9, 4)]), false);
    expect([now.isLoaded, now.isWhole, now.lastSeq]).toEqual([true, false, 9]);
    now = withTranscript(now, part(9, [message(1, 1), message(8, 4), message(9, 4)]), true);
    expect([now.isWhole, now.messages.map((one) => one.seq)]).toEqual([true, [1, 8, 9]]);
  });

  it("joins the pieces of a reply, and replaces them by the stored message", () => {
    const delta = (text: string, is_whole = false) => ({ type: "delta" as const, conversation: "c", turn: 1, node: "a", effect: "e1", text, is_whole });
    let now = withDelta(withDelta(emptyConversation("c"), delta("Hel")), delta("lo"));
    expect(now.drafts).toEqual([{ effect: "e1", turn: 1, node: "a", text: "Hello" }]);
    expect(withDelta(now, delta("Hello", true)).drafts[0]?.text).toBe("Hello");
    now = withMessage(now, message(4, 1, { text: "Hello" }));
    expect(now.drafts).toEqual([]);
    expect(withDelta(now, delta("late")).drafts).toEqual([]);
  });

  it("keeps the draft when the user's own message is stored", () => {
    const now = withDelta(emptyConversation("c"), { type: "delta", conversation: "c", turn: 1, node: "a", effect: "e", text: "x", is_whole: false });
    expect(withMessage(now, message(2, 1, { by: "user" })).drafts).toHaveLength(1);
    expect(withTurnEnded(now, 1, []).drafts).toEqual([]);
  });

  it("keeps the note of a message that the result of its turn does not have", () => {
    const noted = withMessage(emptyConversation("c"), message(1, 1, { by: "user", note: "not interpreted" }));
    expect(withTurnEnded(noted, 1, [message(1, 1, { by: "user" })]).messages[0]?.note).toBe("not interpreted");
  });

  it("does not go back to an older summary", () => {
    const now = withSummary(emptyConversation("c"), summary(9, { node: "b" }));
    expect(withSummary(now, summary(4)).summary?.node).toBe("b");
    expect(withSummary(now, summary(9, { node: "c" })).summary?.node).toBe("c");
  });

  it("orders decisions that come late", () => {
    const now = withSeam(withSeam(emptyConversation("c"), seam(8, 2)), seam(3, 1));
    expect(now.seams.map((one) => one.seq)).toEqual([3, 8]);
  });
  it("takes the frame of each message from the result of the turn, and keeps the note that is known", () => {
    const known = [message(1, 1), message(4, 1, { frame: 3, note: "refused" })];
    const now = withTurnEnded({ ...emptyConversation("c"), messages: known }, 2, [message(4, 1, { frame: 3 }), message(5, 2), message(6, 2, { frame: 6 })]);
    expect(now.messages.map((one) => [one.frame, one.note])).toEqual([[0, ""], [3, "refused"], [0, ""], [6, ""]]);
  });
});

describe("upsert", () => {
  it("returns the same list when nothing comes", () => {
    const rows = [{ seq: 1 }];
    expect(upsert(rows, [])).toBe(rows);
  });
});
