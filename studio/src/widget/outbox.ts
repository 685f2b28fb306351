/** What the visitor has written and the server has not confirmed, in order. It survives a reload of the page. */

import type { Keep } from "./keep";

export type Outgoing = { text: string; position?: number } | { button: string; position: number | null };

/** A message on its way: `key` makes it count once, however often it is sent; `shown` is what the visitor sees. */
export type Letter = { body: Outgoing; key: string; shown: string };

const NAME = "outbox";

/** Messages that a page has left in the browser, with the conversation that they were written in: `null` before it had begun. */
type Left = { conversation: string | null; letters: Letter[] };

export class Outbox {
  private letters: Letter[] = [];
  /** What an earlier page has left, until it is known which conversation this page goes on with. */
  private left: Left;
  private isFollowing = false;
  /** The keys of all messages that this page has held: others in the browser are of another tab. */
  private readonly held = new Set<string>();
  /** How many of the first messages were written before an attempt to open the chat failed: another reader may be here by now. */
  private doubtful = 0;

  /** `hasSession`: the readers of one browser may be several, and only the server knows which one is here. */
  constructor(
    private readonly keep: Keep,
    private readonly hasSession: boolean,
  ) {
    this.left = stored(keep.get(NAME)) ?? { conversation: keep.get("conversation"), letters: [] };
  }

  /**
   * Go on with a conversation that the server has confirmed as the reader's. What an earlier page had left in it comes
   * first; what was left in another one is dropped: it may be another reader's, or answer what is not asked here. Return
   * what has to be sent by hand: it was written while the chat could not be opened, maybe by another reader.
   */
  follow(conversation: string, { isNew }: { isNew: boolean }): Letter[] {
    const back = this.letters.splice(0, this.doubtful);
    this.doubtful = 0;
    if (this.left.conversation === (isNew ? null : conversation)) this.letters.unshift(...this.left.letters);
    this.left.letters.forEach(({ key }) => this.held.add(key));
    this.isFollowing = true;
    this.left = { conversation, letters: [] };
    this.save();
    return back;
  }

  /** Whether what is written now survives a reload. */
  get isKept(): boolean {
    return this.isFollowing || !this.hasSession;
  }

  /** The chat could not be opened: who is here when it opens may be another reader of the browser. */
  doubt(): void {
    if (!this.isKept) this.doubtful = this.letters.length;
  }

  get first(): Letter | undefined {
    return this.letters[0];
  }

  get isEmpty(): boolean {
    return this.letters.length === 0;
  }

  /** What the visitor sees of each message. */
  get shown(): string[] {
    return this.letters.map((letter) => letter.shown);
  }

  /** Drop all messages and return them. */
  takeBack(): Letter[] {
    const letters = this.letters;
    this.clear();
    return letters;
  }

  push(body: Outgoing, shown: string): void {
    const key = crypto.randomUUID();
    this.held.add(key);
    this.letters.push({ body, key, shown });
    this.save();
  }

  /** Keep with the first message that it was sent after `position`: what is sent again is the same. 0: nothing was seen. */
  place(position: number): void {
    const body = this.first?.body;
    if (body === undefined || !("text" in body) || body.position !== undefined || position === 0) return;
    body.position = position;
    this.save();
  }

  /** Drop a message that was stored or given up. */
  drop({ key }: Letter): void {
    this.letters = this.letters.filter((one) => one.key !== key);
    this.save();
  }

  clear(): void {
    this.letters = [];
    this.save();
  }

  private save(): void {
    if (!this.isKept) return; // it is not known whose conversation was left
    const now = stored(this.keep.get(NAME));
    const others = now?.conversation === this.left.conversation ? now.letters.filter(({ key }) => !this.held.has(key)) : [];
    const letters = [...others, ...this.letters];
    if (letters.length === 0) this.keep.remove(NAME);
    else this.keep.set(NAME, JSON.stringify({ conversation: this.left.conversation, letters }));
  }
}

/** What a visitor has typed of messages. */
export const typed = (letters: readonly Letter[]): string => letters.flatMap(({ body }) => ("text" in body ? [body.text] : [])).join("\n");

function stored(text: string | null): Left | null {
  try {
    const found = JSON.parse(text ?? "null") as Partial<Left> | null;
    if (!Array.isArray(found?.letters)) return null;
    const letters = found.letters.filter((one) => typeof one?.key === "string" && typeof one.shown === "string" && typeof one.body === "object");
    return { conversation: typeof found.conversation === "string" ? found.conversation : null, letters };
  } catch {
    return null;
  }
}
