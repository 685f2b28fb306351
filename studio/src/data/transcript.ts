import type { Button, ConversationSummary, DeltaSent, Message, Seam, Transcript } from "../api/types";

/** Text of a model that is not stored yet: the pieces of one effect, joined. */
export type Draft = { effect: string; turn: number; node: string; text: string };

/** A conversation as this tab knows it. `lastSeq` is the last position that was received, `readSeq` the one up to which nothing is missing: events of the stream may come before what a request brings. */
export type ConversationData = {
  id: string;
  summary: ConversationSummary | null;
  messages: readonly Message[];
  seams: readonly Seam[];
  drafts: readonly Draft[];
  lastSeq: number;
  readSeq: number;
  isLoaded: boolean;
  /** False while only the end of a long conversation is here. */
  isWhole: boolean;
  isCut: boolean;
  erasure: string;
  /** The scopes that the user may open now. */
  starts: readonly Button[];
};

export const emptyConversation = (id: string): ConversationData => ({ id, summary: null, messages: [], seams: [], drafts: [], lastSeq: 0, readSeq: 0, isLoaded: false, isWhole: false, isCut: false, erasure: "", starts: [] });

/** Put rows into a list that is ordered by `seq`. A row with a known `seq` replaces the old one, so nothing doubles. */
export function upsert<R extends { seq: number }>(rows: readonly R[], more: readonly R[]): readonly R[] {
  if (!more.length) return rows;
  const last = rows.at(-1);
  if (more.length === 1 && more[0] && (!last || last.seq < more[0].seq)) return [...rows, more[0]];
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  for (const row of more) bySeq.set(row.seq, row);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

const newer = (now: ConversationSummary | null, next: ConversationSummary) => (now && now.seq > next.seq ? now : next);

/** The transcript of the server: the whole one, or the part after a position. */
export function withTranscript(now: ConversationData, part: Transcript, isWhole: boolean): ConversationData {
  const newest = part.messages.at(-1)?.seq ?? 0;
  const messages = isWhole ? upsert(part.messages, now.messages.filter((row) => row.seq > newest)) : upsert(now.messages, part.messages);
  const decided = part.seams.at(-1)?.seq ?? 0;
  const seams = isWhole ? upsert(part.seams, now.seams.filter((row) => row.seq > decided)) : upsert(now.seams, part.seams);
  const readSeq = Math.max(now.readSeq, part.conversation.seq, newest, decided);
  const drafts = part.conversation.status === "working" ? now.drafts : [];
  return { ...now, summary: newer(now.summary, part.conversation), messages, seams, drafts, lastSeq: Math.max(now.lastSeq, readSeq), readSeq, isLoaded: true, isWhole: now.isWhole || isWhole, isCut: now.isCut || part.is_cut, erasure: part.erasure || now.erasure, starts: part.starts };
}

/** A durable message. A model's message replaces the drafts of its turn. */
export function withMessage(now: ConversationData, message: Message): ConversationData {
  const drafts = message.by === "model" ? now.drafts.filter((draft) => draft.turn !== message.turn) : now.drafts;
  return { ...now, messages: upsert(now.messages, [message]), drafts, lastSeq: Math.max(now.lastSeq, message.seq) };
}

export const withSeam = (now: ConversationData, seam: Seam): ConversationData => ({ ...now, seams: upsert(now.seams, [seam]), lastSeq: Math.max(now.lastSeq, seam.seq) });

/** A piece of text, or everything so far (`is_whole`). Pieces of a turn that is stored already come too late and are dropped. */
export function withDelta(now: ConversationData, delta: DeltaSent): ConversationData {
  if (now.messages.some((message) => message.turn === delta.turn && message.by === "model")) return now;
  const draft = now.drafts.find((one) => one.effect === delta.effect);
  if (!draft) return { ...now, drafts: [...now.drafts, { effect: delta.effect, turn: delta.turn, node: delta.node, text: delta.text }] };
  return { ...now, drafts: now.drafts.map((one) => (one === draft ? { ...one, text: delta.is_whole ? delta.text : one.text + delta.text } : one)) };
}

/**
 * The end of a turn: nothing of it is a draft any more. Its messages have no notes for readers who debug; those that are
 * known stay.
 */
export function withTurnEnded(now: ConversationData, turn: number, ended: readonly Message[]): ConversationData {
  const known = new Map(now.messages.map((message) => [message.seq, message]));
  const messages = ended.map((message) => ({ ...message, note: message.note || (known.get(message.seq)?.note ?? "") }));
  const lastSeq = Math.max(now.lastSeq, ...messages.map((message) => message.seq));
  return { ...now, messages: upsert(now.messages, messages), drafts: now.drafts.filter((draft) => draft.turn > turn), lastSeq };
}

export const withSummary = (now: ConversationData, summary: ConversationSummary): ConversationData => ({ ...now, summary: newer(now.summary, summary) });

/** The last turn that the server has stored, as far as this tab knows; a model may be writing in the next one. */
export const storedTurn = (now: ConversationData): number => Math.max(now.messages.at(-1)?.turn ?? 0, now.seams.at(-1)?.turn ?? 0);
