import type { ConversationSummary, Message, Seam } from "../api/types";

/** Rows for tests. */
export const message = (seq: number, turn: number, more: Partial<Message> = {}): Message => ({ seq, turn, at_ms: 0, by: "model", text: `m${seq}`, speaker: "a", kind: "reply", buttons: [], understood: [], form: null, is_undone: false, is_erased: false, note: "", ...more });
export const seam = (seq: number, turn: number, more: Partial<Seam> = {}): Seam => ({ seq, turn, at_ms: 0, node: "a", moment: "before", outcome: "stayed", mark: "false", text: "", target: "", transition: "", because: "", nearest: "", operator: "", is_undone: false, ...more });
export const summary = (seq: number, more: Partial<ConversationSummary> = {}): ConversationSummary => ({ id: "c", flow: "f", version: 1, status: "waiting", node: "a", turn: 1, seq, at_ms: 0, waits_for: "user", since_ms: 0, outcome: "", owner: "", snippet: "", timers: [], person: null, marks: [], ...more });
