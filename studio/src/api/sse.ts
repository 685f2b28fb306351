/** One server-sent event. */
export type ServerEvent = { name: string; data: string; id: string | null };

/** Reads server-sent events from pieces of text, as the HTML standard describes the format. */
export class SseParser {
  private buffer = "";
  private name = "";
  private data: string[] = [];
  private id: string | null = null;
  private isFirst = true;
  retryMs: number | null = null;

  /** The events that are complete after this piece. */
  feed(piece: string): ServerEvent[] {
    this.buffer += piece;
    if (this.isFirst && this.buffer) {
      this.isFirst = false;
      if (this.buffer.startsWith("\uFEFF")) this.buffer = this.buffer.slice(1);
    }
    const events: ServerEvent[] = [];
    for (;;) {
      const end = this.buffer.search(/[\r\n]/);
      if (end < 0) return events;
      const isCr = this.buffer[end] === "\r";
      if (isCr && end === this.buffer.length - 1) return events; // the line feed may come with the next piece
      const line = this.buffer.slice(0, end);
      this.buffer = this.buffer.slice(end + (isCr && this.buffer[end + 1] === "\n" ? 2 : 1));
      const event = this.line(line);
      if (event) events.push(event);
    }
  }

  private line(line: string): ServerEvent | null {
    if (line === "") {
      const event = this.data.length ? { name: this.name || "message", data: this.data.join("\n"), id: this.id } : null;
      this.name = "";
      this.data = [];
      this.id = null;
      return event;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.data.push(value);
    else if (field === "event") this.name = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }
}
