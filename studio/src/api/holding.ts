/**
 * One tab of a browser holds the stream: a browser opens six connections to a server, and each stream is one. The tab
 * that was used last takes it from the others, which ask the server from time to time instead.
 */

export type Holding = {
  /** This tab has the stream now. */
  onHold: () => void;
  /** Another tab has it, or the page was left. */
  onLose: (isLeft: boolean) => void;
};

export class Holder {
  private isHolding = false;
  private isLeft = false;
  private release: (() => void) | null = null;
  private waiting: AbortController | null = null;

  constructor(
    private readonly name: string,
    private readonly on: Holding,
  ) {
    addEventListener("focus", () => this.take());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => event.persisted && this.comeBack());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.take());
  }

  get holds(): boolean {
    return this.isHolding;
  }

  /** Take the stream from whichever tab has it. Where the browser has no locks (no secure origin), each tab has one. */
  take(): void {
    if (this.isHolding || this.isLeft) return;
    this.waiting?.abort();
    this.waiting = null;
    if (!("locks" in navigator)) return this.hold();
    this.request({ steal: true });
  }

  private request(options: LockOptions): void {
    navigator.locks
      .request(this.name, options, () => {
        if (this.isLeft) return; // the page was left while it waited
        this.hold();
        return new Promise<void>((resolve) => (this.release = resolve));
      })
      .catch(() => undefined) // another tab took it, or this one no longer waits
      .then(() => this.lose());
  }

  private hold(): void {
    this.isHolding = true;
    this.on.onHold();
  }

  private lose(): void {
    if (!this.isHolding) return;
    this.isHolding = false;
    this.on.onLose(this.isLeft);
    if (this.isLeft) return;
    this.waiting = new AbortController();
    this.request({ signal: this.waiting.signal }); // for the case that the other tab is closed
  }

  private leave(): void {
    this.isLeft = true;
    this.waiting?.abort();
    this.release?.();
    this.release = null;
    if (this.isHolding) {
      this.isHolding = false;
      this.on.onLose(true);
    }
  }

  private comeBack(): void {
    this.isLeft = false;
    this.take();
  }
}
