import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventStream, waitBefore, type StreamState } from "./stream";

const COUNT = 5000;
const encoder = new TextEncoder();

/** A server that sends numbers after the cursor, and cuts the connection every so many events, in the middle of one. */
function cuttingServer(every: number, answers: number[] = []) {
  const cursors: string[] = [];
  const serve = (url: URL | string) => {
    const status = answers.shift();
    if (status !== undefined) return Promise.resolve(new Response(JSON.stringify({ title: "no", status, code: "x" }), { status }));
    const cursor = new URL(url).searchParams.get("cursor") ?? "";
    cursors.push(cursor);
    const first = cursor ? Number(cursor) + 1 : 0;
    const last = Math.min(COUNT, first + every);
    let text = ": open\n\n";
    for (let n = first; n < last; n += 1) text += `id: ${n}\nevent: entry\ndata: ${n}\n\n`;
    if (last < COUNT) text += `id: ${last}\nevent: entry\ndata: ${last}`;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (text) controller.enqueue(encoder.encode(text.slice(0, 17)));
        else if (last < COUNT) controller.error(new TypeError("network"));
        text = text.slice(17);
      },
    });
    return Promise.resolve(new Response(body, { status: 200 }));
  };
  return { serve, cursors };
}

describe("EventStream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const open = () => {
    const seen: number[] = [];
    const states: StreamState[] = [];
    const resumed: boolean[] = [];
    const stream = new EventStream({
      address: (cursor) => new URL(`http://x/api/stream?cursor=${cursor}`),
      onEvent: (event) => seen.push(Number(event.data)),
      onOpen: (isResumed) => resumed.push(isResumed),
      onState: (state) => states.push(state),
    });
    return { stream, seen, states, resumed };
  };

  it("receives each event once and in order when it is cut every seven events", async () => {
    const server = cuttingServer(7);
    vi.stubGlobal("fetch", server.serve);
    const { stream, seen, resumed } = open();
    stream.connect();
    for (let turns = 0; seen.length < COUNT && turns < 3000; turns += 1) await vi.advanceTimersByTimeAsync(1000);
    expect(seen).toEqual(Array.from({ length: COUNT }, (_, n) => n));
    expect(resumed.filter((one) => !one)).toHaveLength(1);
    stream.close();
  });

  it("waits longer with each failed attempt, and starts anew after a success", async () => {
    const server = cuttingServer(7, [503, 503, 503]);
    vi.stubGlobal("fetch", server.serve);
    const { stream, seen, states } = open();
    stream.connect();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.filter((state) => state.status === "waiting").slice(0, 3).map((state) => state.attempt)).toEqual([1, 2, 3]);
    expect(states.find((state) => state.status === "open")?.attempt).toBe(0);
    expect(seen.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    stream.close();
  });

  it("forgets a cursor that the server does not know", async () => {
    const server = cuttingServer(7);
    vi.stubGlobal("fetch", server.serve);
    const { stream } = open();
    stream.connect();
    await vi.advanceTimersByTimeAsync(0);
    vi.stubGlobal("fetch", cuttingServer(7, [410]).serve);
    await vi.advanceTimersByTimeAsync(700);
    vi.stubGlobal("fetch", server.serve);
    server.cursors.length = 0;
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.cursors[0]).toBe("");
    stream.close();
  });

  it("stops where the key is missing", async () => {
    vi.stubGlobal("fetch", cuttingServer(7, [401]).serve);
    const { stream, states } = open();
    stream.connect();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.at(-1)).toMatchObject({ status: "closed", problem: { status: 401 } });
  });

  it("opens again when nothing comes for a long time", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response(new ReadableStream({ start: (c) => c.enqueue(encoder.encode(": x\n\n")) }))));
    vi.stubGlobal("fetch", fetched);
    const { stream } = open();
    stream.connect();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    stream.close();
  });
});

describe("waitBefore", () => {
  it("doubles, up to a limit", () => {
    expect([1, 2, 3].map((attempt) => waitBefore(attempt, 0.5))).toEqual([400, 800, 1600]);
    expect(waitBefore(40, 1)).toBeLessThanOrEqual(15_000 * 1.25);
  });
});
