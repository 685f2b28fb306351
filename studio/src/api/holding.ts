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

const TAKEN = "taken";
const FREE = "free";

export class Holder {
  private isHolding = false;
  private isLeft = false;
  private release: (() => void) | null = null;
  private waiting: AbortController | null = null;
  /** By it the tabs tell each other where the browser has no locks: it has them on secure origins only. */
  private readonly channel: BroadcastChannel | null;

  constructor(
    private readonly name: string,
    private readonly on: Holding,
  ) {
    this.channel = "locks" in navigator ? null : new BroadcastChannel(name);
    this.channel?.addEventListener("message", ({ data }) => (data === TAKEN ? this.lose() : document.visibilityState === "visible" && this.take()));
    addEventListener("focus", () => this.take());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => event.persisted && this.comeBack());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.take());
  }

  get holds(): boolean {
    return this.isHolding;
  }

  /** Take the stream from whichever tab has it. */
  take(): void {
    if (this.isHolding || this.isLeft) return;
    this.waiting?.abort();
    this.waiting = null;
    if (!this.channel) return this.request({ steal: true });
    this.channel.postMessage(TAKEN);
    this.hold();
  }

  private request(options: LockOptions): void {
    navigator.locks
      .request(this.name, options, () => {
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
    if (this.isLeft || this.channel) return;
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
      this.channel?.postMessage(FREE);
    }
  }

  private comeBack(): void {
    this.isLeft = false;
    this.take();
  }
}
