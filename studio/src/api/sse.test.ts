import { describe, expect, it } from "vitest";
import { SseParser } from "./sse";

const TEXT = 'retry: 250\n: hello\n\nid: a1\nevent: delta\ndata: {"text":\ndata: "é"}\n\r\ndata: x\r\n\r\nevent: ping\ndata\n\n';

describe("SseParser", () => {
  it("reads events however the text is cut", () => {
    const whole = new SseParser().feed(TEXT);
    expect(whole).toEqual([
      { name: "delta", data: '{"text":\n"é"}', id: "a1" },
      { name: "message", data: "x", id: null },
      { name: "ping", data: "", id: null },
    ]);
    for (let size = 1; size < TEXT.length; size += 1) {
      const parser = new SseParser();
      const events = [];
      for (let at = 0; at < TEXT.length; at += size) events.push(...parser.feed(TEXT.slice(at, at + size)));
      expect(events).toEqual(whole);
      expect(parser.retryMs).toBe(250);
    }
  });

  it("drops an event that is not complete", () => {
    expect(new SseParser().feed("id: 1\ndata: half")).toEqual([]);
  });
});
