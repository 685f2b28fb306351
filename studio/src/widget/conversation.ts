/** The life of one visitor's conversation: opened, sent to, streamed, resumed after a reload or a lost connection. */

import { Problem, asProblem } from "../api/problem";
import type { Message, Transcript, TurnResult } from "../api/types";
import type { Client } from "./client";
import { typed, type Letter, type Outbox, type Outgoing } from "./outbox";
import type { Texts } from "./texts";
import type { View } from "./view";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

const isOwn = ({ by }: Message): boolean => by === "user" || by === "button";

export class Conversation {
  private shown = 0;
  /** The position of the last turn of which it is known who was in charge at its end. */
  private settled = 0;
  /** True once the visitor has opened the chat. */
  private isOpen = false;
  private opening: Promise<void> | null = null;
  private isSending = false;
  /** True if the message of the visitor that is on its way is stored already. */
  private isFirstStored = false;
  private retryWait = FIRST_WAIT_MS;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private isRefused = false;
  private listening: AbortController | null = null;
  /** True once the conversation is known, and followed. */
  private isFollowed = false;
  private operator = "";

  constructor(
    private readonly client: Client,
    private readonly view: View,
    private readonly texts: Texts,
    private readonly outbox: Outbox,
  ) {
    addEventListener("online", () => void this.goOn());
    addEventListener("pagehide", () => this.listening?.abort()); // a browser keeps pages that were left, with their streams
    addEventListener("pageshow", (event) => event.persisted && this.followAgain());
    document.addEventListener("visibilitychange", () => this.followAgain());
  }

  /** Show the stored conversation, or begin one, follow it, and send what waits for that. */
  async open(): Promise<void> {
    this.isOpen = true;
    if (this.isFollowed) return;
    const open = () => this.client.alone(async () => void ((await this.resume()) || (await this.begin())));
    this.opening ??= this.guarded(async () => {
      await open();
      void this.follow();
    }).finally(() => (this.opening = null));
    await this.opening;
    if (!this.isFollowed) this.outbox.doubt();
    if (this.isFollowed && !this.outbox.isEmpty) await this.deliver();
  }

  /** Send a message or a button, after what is on its way. What was refused before is dropped. */
  async send(body: Outgoing, shown: string): Promise<void> {
    if (this.isRefused && this.outbox.first) this.outbox.drop(this.outbox.first);
    this.isRefused = false;
    // kept with the message: after a reload it answers nothing that was not there when it was written
    const isAlone = this.outbox.isEmpty && "text" in body && this.shown > 0;
    this.outbox.push(isAlone ? { ...body, position: this.shown } : body, shown);
    this.view.offer([], null);
    this.showPending();
    await this.goOn();
  }

  /** Send what could not be sent, with the same key: it counts once. */
  async retry(): Promise<void> {
    this.isRefused = false;
    await this.goOn();
  }

  /** Open what is not open yet; send what waits, unless it was refused. */
  private async goOn(): Promise<void> {
    clearTimeout(this.retryTimer);
    if (!this.isOpen) return;
    if (!this.isFollowed) await this.open();
    else if (!this.outbox.isEmpty && !this.isRefused) await this.deliver();
  }

  /** Leave the conversation that has ended and begin another. */
  async again(): Promise<void> {
    this.listening?.abort();
    this.isFollowed = false;
    this.client.forget();
    this.view.clear();
    this.shown = 0;
    this.settled = 0;
    this.operator = "";
    this.outbox.clear();
    this.isFirstStored = false;
    this.isRefused = false;
    await this.open();
  }

  private async deliver(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    await this.guarded(async () => {
      for (let next = this.outbox.first; next !== undefined; next = this.outbox.first) {
        this.outbox.place(this.shown);
        let isTaken = false;
        for await (const event of this.client.turn(next.body, next.key)) {
          if (event.name === "delta") this.view.write((event.data as { text: string }).text);
          if (event.name === "turn") this.take((event.data as { turn: TurnResult }).turn);
          isTaken ||= event.name === "turn";
        }
        if (!isTaken) throw asProblem(new TypeError("an answer without a turn")); // cut off, or of something in between
        this.outbox.drop(next);
        this.isFirstStored = false;
        this.retryWait = FIRST_WAIT_MS;
        this.showPending();
      }
    });
    this.isSending = false;
  }

  /** Show what was written and is not stored yet. */
  private showPending(): void {
    this.view.pending(this.outbox.shown.slice(this.isFirstStored ? 1 : 0));
  }

  private async begin(): Promise<void> {
    const { conversation, turn } = await this.client.begin();
    this.restore(this.outbox.follow(conversation.id, { isNew: true }));
    this.take(turn);
    this.showPending();
  }

  private async resume(): Promise<boolean> {
    const stored: Transcript | null = await this.client.transcript();
    if (stored === null) return false;
    this.restore(this.outbox.follow(stored.conversation.id, { isNew: false }));
    this.view.clear();
    this.shown = 0;
    this.operator = "";
    stored.messages.forEach((message) => this.show(message));
    const { person, status, seq } = stored.conversation;
    this.operator = person?.display || person?.operator || "";
    this.settle({ seq, operator: this.operator, status, starts: stored.starts });
    const after = this.outbox.first?.body.position ?? Infinity;
    this.isFirstStored = stored.messages.some((message) => isOwn(message) && message.seq > after);
    this.showPending();
    return true;
  }

  /** Follow only while the page is seen: each stream is one of the six connections that a browser opens to a server. */
  private followAgain(): void {
    if (document.hidden) this.listening?.abort();
    else if (this.isFollowed && this.listening?.signal.aborted) void this.follow();
  }

  /** Follow what happens without a message of ours: timers, a person, another tab. Reconnects by itself. */
  private async follow(): Promise<void> {
    let cursor = "";
    let wait = FIRST_WAIT_MS;
    this.listening?.abort();
    const listening = (this.listening = new AbortController());
    this.isFollowed = true;
    while (!listening.signal.aborted) {
      try {
        for await (const event of this.client.stream(listening.signal, cursor, this.settled)) {
          cursor = event.id ?? cursor;
          wait = FIRST_WAIT_MS;
          if (event.name === "message") this.show((event.data as { message: Message }).message);
          if (event.name === "turn") this.settle((event.data as { turn: TurnResult }).turn);
          if (event.name === "reset") await this.resume(); // it began anew under its name
        }
      } catch (error) {
        if (error instanceof Problem && !error.mayPass) return error.status === 404 ? this.leave() : undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  private take(turn: TurnResult): void {
    this.view.dropDraft();
    if (turn.refused !== "") {
      if (turn.status === "ended") this.view.end(this.texts.ended);
      else this.view.fail(turn.text);
      if (this.outbox.first) this.restore([this.outbox.first]);
      return;
    }
    turn.messages.forEach((message) => this.show(message));
    this.settle(turn);
  }

  /** Show who is in charge after a turn, a person or the machine (an empty name), and whether it was the last turn. */
  private settle({ seq, operator, status, starts }: Pick<TurnResult, "seq" | "operator" | "starts"> & { status: string }): void {
    if (seq < this.settled) return; // an answer that comes after a later event
    this.settled = seq;
    const isEnded = status === "ended";
    if (!isEnded) this.setOperator(operator);
    this.operator = operator;
    this.view.block(operator === "" ? "" : this.texts.blocked(operator));
    this.view.offerStarts(starts);
    if (isEnded) this.view.end(this.texts.ended);
  }

  /** Say who joined or left. */
  private setOperator(operator: string): void {
    if (operator !== this.operator) this.view.note(operator === "" ? this.texts.left(this.operator) : this.texts.person(operator));
    this.operator = operator;
  }

  private show(message: Message): void {
    if (message.seq <= this.shown) return;
    this.shown = message.seq;
    if (this.isSending && isOwn(message)) {
      this.isFirstStored = true;
      this.showPending();
    } else this.view.dropDraft();
    if (this.operator !== "" && (message.by === "model" || message.by === "text")) this.setOperator(""); // the machine speaks again
    this.view.add(message);
    if (!message.is_undone) this.view.offer(message.buttons, message.seq);
  }

  private async guarded(run: () => Promise<void>): Promise<void> {
    this.view.busy(true);
    try {
      await run();
      this.view.busy(false);
    } catch (error) {
      this.view.busy(false);
      this.view.dropDraft();
      const isRefusal = error instanceof Problem && error.status > 0;
      if (isRefusal && error.status === 404 && this.isFollowed) return this.leave();
      if (isRefusal && error.limit === "message_chars" && this.outbox.first) return this.giveBack(this.outbox.first);
      this.isRefused = isRefusal && !this.outbox.isEmpty && !error.isPassing;
      this.view.fail(this.failure(error), this.outbox.isEmpty ? this.texts.reopen : this.texts.retry);
      if (!isRefusal || error.isPassing) this.retryLater();
    }
  }

  /** The conversation is gone: what was not sent goes back to the visitor, and is not sent to another one. */
  private leave(): void {
    this.listening?.abort();
    this.restore(this.outbox.takeBack());
    this.isFirstStored = false;
    this.showPending();
    this.view.end(this.texts.gone);
  }

  /** Put what was typed of messages back into the field. */
  private restore(letters: readonly Letter[]): void {
    const text = typed(letters);
    if (text) this.view.restore(text);
  }

  /** A message is too long to be ever sent: it goes back to be shortened. */
  private giveBack(letter: Letter): void {
    this.outbox.drop(letter);
    this.isRefused = false;
    this.showPending();
    this.restore([letter]);
    this.view.fail(this.texts.tooLong);
    if (!this.outbox.isEmpty) this.retryLater();
  }

  /** What a visitor reads. The words of a problem are for those who run the server. */
  private failure(error: unknown): string {
    const { isPassing = true, status = 0 } = error instanceof Problem ? error : {};
    if (isPassing) return this.outbox.isEmpty || !this.outbox.isKept ? this.texts.unreachable : this.texts.offline;
    return [this.outbox.isEmpty ? this.texts.unopened : this.texts.failed, status === 401 ? this.texts.loggedOut : ""].join(" ").trim();
  }

  private retryLater(): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => void this.goOn(), this.retryWait);
    this.retryWait = Math.min(this.retryWait * 2, LONGEST_WAIT_MS);
  }
}
