/** What the visitor has written and the server has not confirmed, in order. It survives a reload of the page. */

import type { Keep } from "./keep";

export type Outgoing = { text: string; position?: number } | { button: string; position: number | null };

/** A message on its way: `key` makes it count once, however often it is sent; `shown` is what the visitor sees. */
export type Letter = { body: Outgoing; key: string; shown: string };

const NAME = "outbox";

export class Outbox {
  private letters: Letter[];

  constructor(private readonly keep: Keep) {
    this.letters = stored(keep.get(NAME));
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

  push(body: Outgoing, shown: string): void {
    this.letters.push({ body, key: crypto.randomUUID(), shown });
    this.save();
  }

  shift(): void {
    this.letters.shift();
    this.save();
  }

  clear(): void {
    this.letters = [];
    this.save();
  }

  private save(): void {
    if (this.isEmpty) this.keep.remove(NAME);
    else this.keep.set(NAME, JSON.stringify(this.letters));
  }
}

function stored(text: string | null): Letter[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? (found as Letter[]).filter((one) => typeof one?.key === "string" && typeof one.shown === "string" && typeof one.body === "object") : [];
  } catch {
    return [];
  }
}
