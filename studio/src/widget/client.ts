/** Requests of the widget: begins a conversation, sends turns, reads the transcript and the stream. */

import { Problem, asProblem, problemOf } from "../api/problem";
import { SseParser } from "../api/sse";
import type { BegunConversation, Transcript } from "../api/types";
import type { Keep } from "./keep";

/** A server-sent event with its data parsed. `id` is the cursor to continue after it. */
export type Received = { name: string; data: unknown; id: string | null };

export class Client {
  /** The key of the request that begins a conversation, until it is answered. A visitor's survives a reload. */
  private beginning: string | null = null;
  /** The conversation of this page. Another tab, and another reader in it, may go on with another one meanwhile. */
  private id: string | null = null;

  constructor(
    private readonly base: string,
    private readonly flow: string,
    private readonly keep: Keep,
    private readonly hasSession: boolean,
  ) {}

  get conversation(): string | null {
    return (this.id ??= this.keep.get("conversation"));
  }

  /** Begin a conversation. Where the answer is lost, the same conversation is begun again. */
  async begin(): Promise<BegunConversation> {
    const body = { flow: this.flow, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    if (!this.hasSession) this.beginning ??= this.keep.get("beginning");
    this.beginning ??= crypto.randomUUID();
    if (!this.hasSession) this.keep.set("beginning", this.beginning);
    const headers = { "Idempotency-Key": this.beginning };
    const response = await this.send("POST", "/conversations", { body, headers });
    const begun = (await response.json()) as BegunConversation;
    this.id = begun.conversation.id;
    this.keep.set("conversation", this.id);
    this.beginning = null;
    this.keep.remove("beginning");
    return begun;
  }

  /** Run `open` while no other tab opens the chat: two that begin at the same time would begin two conversations. */
  async alone(open: () => Promise<void>): Promise<void> {
    // browsers have locks in secure contexts only
    await ("locks" in navigator ? navigator.locks.request(`${this.base} ${this.flow}`, open) : open());
  }

  /** Return the stored transcript, or `null` if the server no longer has the conversation. */
  async transcript(): Promise<Transcript | null> {
    if (this.conversation === null) return null;
    try {
      const response = await this.send("GET", `${this.path()}/transcript`);
      return (await response.json()) as Transcript;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      this.forget();
      return null;
    }
  }

  /** Send a message or a button; yield the events of the turn. The same `key` is one turn, however often it is sent. */
  async *turn(body: object, key: string): AsyncGenerator<Received> {
    const headers = { Accept: "text/event-stream", "Idempotency-Key": key };
    yield* events(await this.send("POST", `${this.path()}/turns`, { body, headers }));
  }

  /** Yield what happens in the conversation after `cursor`, or without one after the position `after`, until `signal` aborts. */
  async *stream(signal: AbortSignal, cursor: string, after: number): AsyncGenerator<Received> {
    const query = new URLSearchParams({ conversation: this.conversation ?? "" });
    if (cursor !== "") query.set("cursor", cursor);
    else query.set("after", String(after));
    const headers = { Accept: "text/event-stream" };
    yield* events(await this.send("GET", `/stream?${query.toString()}`, { headers, signal }));
  }

  /** Leave the conversation. Where another tab goes on with another one, that is the browser's. */
  forget(): void {
    if (this.keep.get("conversation") === this.id) this.keep.remove("conversation");
    this.id = null;
  }

  private path(): string {
    return `/conversations/${encodeURIComponent(this.conversation ?? "")}`;
  }

  private async send(
    method: "GET" | "POST",
    path: string,
    { body, headers = {}, signal }: { body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const sent: Record<string, string> = { Accept: "application/json", ...headers };
    if (body !== undefined) sent["Content-Type"] = "application/json";
    if (!this.hasSession) sent["Authorization"] = `Bearer ${this.token}`;
    return this.fetched(path, {
      method,
      headers: sent,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  /** The visitor's token: the browser keeps it, and whoever has it sees the visitor's conversations. */
  private get token(): string {
    const stored = this.keep.get("visitor");
    if (stored !== null) return stored;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const text = btoa(String.fromCharCode(...bytes));
    const token = `twv_${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
    this.keep.set("visitor", token);
    return token;
  }

  private async fetched(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${this.base}/api${path}`, { ...init, credentials: "same-origin" });
    } catch (error) {
      throw init.signal?.aborted === true ? error : asProblem(error);
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }
}

/** Yield each event of a response, in order. An event that was cut off at the end is dropped. */
async function* events(response: Response): AsyncGenerator<Received> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const { name, data, id } of parser.feed(decoder.decode(value, { stream: true })))
        yield { name, data: JSON.parse(data) as unknown, id };
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
