import { headers } from "./client";
import { asProblem, problemOf, type Problem } from "./problem";
import { SseParser, type ServerEvent } from "./sse";

export type StreamState = { status: "connecting" | "open" | "waiting" | "closed"; attempt: number; problem: Problem | null; retryAt: number };

export type StreamOptions = {
  /** The address for a connection that resumes after the cursor. */
  address: (cursor: string) => URL;
  onEvent: (event: ServerEvent) => void;
  /** A connection is open; `isResumed` if it continues after a cursor. */
  onOpen: (isResumed: boolean) => void;
  onState: (state: StreamState) => void;
};

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const SILENCE = 45_000;

/** How long to wait before an attempt, with a little chance so that tabs do not come back all at once. */
export const waitBefore = (attempt: number, chance = Math.random()): number => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (0.75 + chance / 2);

/**
 * A stream of server-sent events over `fetch`, so that the key is sent in a header. It connects again by itself and
 * resumes after the last event that was handled.
 */
export class EventStream {
  private cursor = "";
  private attempt = 0;
  private abort: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private retryMs = 0;
  private isClosed = true;

  constructor(private readonly options: StreamOptions) {}

  /** Open the stream, or open it again with another address and the same cursor. */
  connect(): void {
    this.isClosed = false;
    clearTimeout(this.timer);
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    void this.run(abort);
  }

  /** Try again now instead of after the wait. */
  retryNow(): void {
    if (!this.isClosed && this.attempt > 0) this.connect();
  }

  /** End the connection and keep the cursor, so that `connect` goes on after it. */
  pause(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.abort?.abort();
    this.attempt = 0;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.abort?.abort();
    this.report("closed", null);
  }

  private async run(abort: AbortController): Promise<void> {
    if (this.attempt > 0) this.report("connecting", null);
    const resumed = this.cursor;
    try {
      const response = await fetch(this.options.address(resumed), { headers: headers({ Accept: "text/event-stream" }), signal: abort.signal, cache: "no-store" });
      if (!response.ok || !response.body) throw await problemOf(response);
      this.attempt = 0;
      this.report("open", null);
      this.options.onOpen(resumed !== "");
      await this.read(response.body, abort);
      throw asProblem(null);
    } catch (error) {
      if (abort !== this.abort || this.isClosed) return;
      this.again(asProblem(error));
    }
  }

  private async read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<void> {
    const parser = new SseParser();
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      this.watch(abort);
      const { done, value } = await reader.read();
      if (done || abort !== this.abort) return;
      for (const event of parser.feed(decoder.decode(value, { stream: true }))) {
        this.options.onEvent(event);
        if (event.id) this.cursor = event.id;
      }
      if (parser.retryMs !== null) this.retryMs = parser.retryMs;
    }
  }

  /** A connection that is silent for too long is dead: the server sends pings. */
  private watch(abort: AbortController): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      if (abort === this.abort && !this.isClosed) this.connect();
    }, SILENCE);
  }

  private again(problem: Problem): void {
    clearTimeout(this.silence);
    if (problem.status === 401 || problem.status === 403) return this.report("closed", problem);
    if ([400, 404, 409, 410, 422].includes(problem.status)) this.cursor = ""; // the server does not know the cursor any more
    this.attempt += 1;
    const wait = Math.max(waitBefore(this.attempt), this.attempt === 1 ? this.retryMs : 0, problem.retryMs);
    this.report("waiting", problem, Date.now() + wait);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private report(status: StreamState["status"], problem: Problem | null, retryAt = 0): void {
    this.options.onState({ status, attempt: this.attempt, problem, retryAt });
  }
}
