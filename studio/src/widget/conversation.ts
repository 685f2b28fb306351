/** The life of one visitor's conversation: opened, sent to, streamed, resumed after a reload or a lost connection. */

import { Problem } from "../api/problem";
import type { Message, Transcript, TurnResult } from "../api/types";
import type { Client } from "./client";
import type { Texts } from "./texts";
import type { View } from "./view";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

type Outgoing = { text: string; position?: number } | { button: string; position: number | null };

export class Conversation {
  private shown = 0;
  private isOpen = false;
  private unsent: { body: Outgoing; key: string } | null = null;
  private listening: AbortController | null = null;
  private operator = "";

  constructor(
    private readonly client: Client,
    private readonly view: View,
    private readonly texts: Texts,
  ) {}

  /** Show the stored conversation, or begin one, and follow it. */
  async open(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    await this.guarded(async () => {
      if (!(await this.resume())) {
        const turn = await this.client.begin();
        this.take(turn);
      }
      void this.follow();
    });
  }

  /** Send a message or a button. A text is shown at once; the stored message does not show it again. */
  async send(body: Outgoing): Promise<void> {
    const isSeen = "text" in body && this.shown > 0;
    this.unsent = { body: isSeen ? { ...body, position: this.shown } : body, key: crypto.randomUUID() };
    await this.deliver();
  }

  /** Send what could not be sent, with the same key: it counts once. */
  async retry(): Promise<void> {
    if (this.unsent === null) await this.open();
    else await this.deliver();
  }

  /** Leave the conversation that has ended and begin another. */
  async again(): Promise<void> {
    this.listening?.abort();
    this.client.forget();
    this.view.clear();
    this.shown = 0;
    this.operator = "";
    this.isOpen = false;
    await this.open();
  }

  private async deliver(): Promise<void> {
    const waiting = this.unsent;
    if (waiting === null) return;
    this.view.offer([], null);
    await this.guarded(async () => {
      if (this.client.conversation === null) this.take(await this.client.begin());
      for await (const event of this.client.turn(waiting.body, waiting.key)) {
        if (event.name === "delta") this.view.write((event.data as { text: string }).text);
        if (event.name === "turn") this.take((event.data as { turn: TurnResult }).turn);
      }
      this.unsent = null;
    });
  }

  private async resume(): Promise<boolean> {
    const stored: Transcript | null = await this.client.transcript();
    if (stored === null) return false;
    this.view.clear();
    this.shown = 0;
    stored.messages.forEach((message) => this.show(message));
    if (stored.conversation.status === "ended") this.view.end();
    return true;
  }

  /** Follow what happens without a message of ours: timers, a person, another tab. Reconnects by itself. */
  private async follow(): Promise<void> {
    let cursor = "";
    let wait = FIRST_WAIT_MS;
    this.listening?.abort();
    const listening = (this.listening = new AbortController());
    while (!listening.signal.aborted) {
      try {
        for await (const event of this.client.stream(listening.signal, cursor)) {
          cursor = event.id ?? cursor;
          wait = FIRST_WAIT_MS;
          if (event.name === "message") this.show((event.data as { message: Message }).message);
        }
      } catch (error) {
        if (error instanceof Problem && !error.isPassing) return;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  private take(turn: TurnResult): void {
    this.view.dropDraft();
    if (turn.refused !== "") {
      this.view.fail(turn.text, false);
      if (this.unsent && "text" in this.unsent.body) this.view.restore(this.unsent.body.text);
      return;
    }
    turn.messages.forEach((message) => this.show(message));
    if (turn.status === "ended") this.view.end();
  }

  private show(message: Message): void {
    if (message.seq <= this.shown) return;
    this.shown = message.seq;
    if (message.by === "person" && message.speaker !== this.operator) {
      this.operator = message.speaker;
      this.view.note(this.texts.person(message.speaker));
    }
    this.view.dropDraft();
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
      this.view.fail(isRefusal ? `${this.texts.failed} ${error.message}` : this.texts.offline, true);
    }
  }
}
