import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { change, conversations } from "./conversations";
import { forgetRuns, isUnanswered, resumeSending, sendTurn, takeBack } from "./sending";
import { withMessage } from "./transcript";
import { message } from "./transcript.fixtures";

const result = { conversation: "c", number: 1, text: "", buttons: [], status: "waiting", node: "a", outcome: "", position: 3, seq: 3, refused: "", is_duplicate: false, messages: [message(2, 1, { by: "user" }), message(3, 1)], form: null, artefacts: [], warnings: [], recovered: [], unprompted: [] };
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

/** A server that answers with these, one after another; an error is a broken connection. */
function server(...answers: (Response | Error)[]) {
  const keys: string[] = [];
  vi.stubGlobal("fetch", (_: URL, options: RequestInit) => {
    keys.push(new Headers(options.headers).get("Idempotency-Key") ?? "");
    const answer = answers.shift() ?? new TypeError("nothing more");
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return keys;
}

const sending = () => conversations.get().sending["c"] ?? null;
const queued = () => conversations.get().queued["c"] ?? [];

describe("sendTurn", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
    forgetRuns();
    conversations.set({ byId: {}, sending: {}, queued: {}, problems: {} });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("sends the same event with the same key until the server answers", async () => {
    const keys = server(new TypeError("down"), json({ title: "stopping", code: "draining" }, 503), json(result));
    const sent = sendTurn("c", { text: "hi" });
    await vi.advanceTimersByTimeAsync(0);
    expect(sending()).toMatchObject({ text: "hi", attempt: 2, problem: null });
    expect(await sendTurn("c", { button: "yes", position: 1 }, "Yes")).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await sent).toBe(true);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(sending()).toBeNull();
    expect(conversations.get().byId["c"]?.messages.map((one) => one.seq)).toEqual([2, 3]);
  });

  it("keeps a refused message with its reason, and takes in the turns that came with it", async () => {
    server(json({ title: "This question is no longer open", code: "stale_button", detail: "d", turn: result }, 409));
    expect(await sendTurn("c", { button: "yes", position: 1 }, "Yes")).toBe(false);
    expect(sending()).toMatchObject({ text: "Yes", problem: { code: "stale_button", status: 409 } });
    expect(conversations.get().byId["c"]?.lastSeq).toBe(3);
    expect(sessionStorage.length).toBe(0);
  });

  it("sends with a text the last position that this tab has seen, also when it is tried again", async () => {
    const bodies: Record<string, unknown>[] = [];
    const refused = { ...result, refused: "stale", number: 0, messages: [], seq: 9 };
    const answers = [json(result), json({ title: "t", code: "stale", detail: "d", turn: refused }, 409), json(result), json(result)];
    vi.stubGlobal("fetch", (_: URL, options: RequestInit) => {
      bodies.push(JSON.parse(String(options.body)) as Record<string, unknown>);
      return Promise.resolve(answers.shift());
    });
    await sendTurn("c", { text: "first" });
    expect(await sendTurn("c", { text: "second" })).toBe(false);
    expect(sending()?.problem?.code).toBe("stale");
    change("c", (now) => withMessage(now, message(7, 3)));
    await sendTurn("c", sending()?.input ?? { text: "" }, "second");
    await sendTurn("c", { button: "yes", position: 2 }, "Yes");
    expect(bodies).toEqual([{ text: "first" }, { text: "second", position: 3 }, { text: "second", position: 7 }, { button: "yes", position: 2 }]);
  });

  it("goes on after a reload, with the same key", async () => {
    const before = server(new TypeError("down"));
    void sendTurn("c", { text: "hi" });
    await vi.advanceTimersByTimeAsync(0);
    const stored = sessionStorage.getItem("turnwise.sending.c");
    vi.clearAllTimers();
    forgetRuns();
    conversations.set({ sending: {} });
    expect(stored).not.toBeNull();
    const after = server(json(result));
    resumeSending("c");
    await vi.advanceTimersByTimeAsync(10);
    expect(after).toEqual(before);
    expect(sending()).toBeNull();
    expect(sessionStorage.length).toBe(0);
  });

  describe("while the reply is here and the answer of the server is not", () => {
    /** A server that answers the first turn when `answer` is called, and the next ones at once. */
    function slowServer() {
      const bodies: unknown[] = [];
      let answer = (_: Response): void => undefined;
      vi.stubGlobal("fetch", (_: URL, options: RequestInit) => {
        bodies.push(JSON.parse(String(options.body)));
        return bodies.length > 1 ? Promise.resolve(json(result)) : new Promise<Response>((resolve) => (answer = resolve));
      });
      return { bodies, answer: (response: Response) => answer(response) };
    }
    const question = message(3, 1, { by: "text", buttons: [{ label: "Yes", value: "yes" }] });
    const begin = async () => {
      const server = slowServer();
      const first = sendTurn("c", { text: "hi" });
      await vi.advanceTimersByTimeAsync(0);
      change("c", (now) => withMessage(withMessage(now, message(2, 1, { by: "user" })), question));
      return { ...server, first };
    };

    it("keeps a press and sends it after the answer", async () => {
      const { bodies, answer, first } = await begin();
      expect(isUnanswered(sending(), question, queued())).toBe(true);
      const pressed = sendTurn("c", { button: "yes", position: 3 }, "Yes");
      expect(isUnanswered(sending(), question, queued())).toBe(false);
      expect(await sendTurn("c", { button: "yes", position: 3 }, "Yes")).toBe(false);
      expect(bodies).toEqual([{ text: "hi" }]);
      answer(json(result));
      expect(await first).toBe(true);
      expect(await pressed).toBe(true);
      expect(bodies).toEqual([{ text: "hi" }, { button: "yes", position: 3 }]);
      expect(sending()).toBeNull();
    });

    it("returns what was kept where the turn before is refused", async () => {
      const { bodies, answer, first } = await begin();
      const written = sendTurn("c", { text: "more" });
      answer(json({ title: "Too much", code: "limit" }, 422));
      expect([await first, await written]).toEqual([false, false]);
      expect(bodies).toHaveLength(1);
      expect(sending()).toMatchObject({ problem: { code: "limit" } });
      expect(queued()).toEqual([]);
    });

    it("sends what was kept also where the page is loaded again", async () => {
      await begin();
      void sendTurn("c", { text: "more" });
      conversations.set({ sending: {}, queued: {} });
      forgetRuns();
      const keys = server(json(result), json(result));
      resumeSending("c");
      await vi.advanceTimersByTimeAsync(10);
      expect(keys).toHaveLength(2);
      expect(sessionStorage.length).toBe(0);
    });

    it("sends what was written meanwhile in order, one after the answer of the other", async () => {
      const { bodies, answer } = slowServer();
      const texts = ["one", "two", "three"];
      const sent = texts.map((text) => sendTurn("c", { text }));
      await vi.advanceTimersByTimeAsync(0);
      expect(bodies).toEqual([{ text: "one" }]);
      expect(queued().map(({ text }) => text)).toEqual(["two", "three"]);
      answer(json(result));
      expect(await Promise.all(sent)).toEqual([true, true, true]);
      expect(bodies).toEqual([{ text: "one" }, { text: "two", position: 3 }, { text: "three", position: 3 }]);
      expect([sending(), queued(), sessionStorage.length]).toEqual([null, [], 0]);
    });

    it("sends nothing that was taken back", async () => {
      const { bodies, answer } = slowServer();
      const sent = ["one", "two", "three"].map((text) => sendTurn("c", { text }));
      await vi.advanceTimersByTimeAsync(0);
      takeBack("c", queued()[0]!);
      answer(json(result));
      expect(await Promise.all(sent)).toEqual([true, false, true]);
      expect(bodies).toEqual([{ text: "one" }, { text: "three", position: 3 }]);
    });

    it("lets nothing that was written before answer a question for a yes", async () => {
      const { bodies, answer } = slowServer();
      const sent = ["book it", "yes"].map((text) => sendTurn("c", { text }));
      await vi.advanceTimersByTimeAsync(0);
      answer(json({ ...result, messages: [message(2, 1, { by: "user" }), message(3, 1, { by: "text", kind: "consent" })] }));
      expect(await Promise.all(sent)).toEqual([true, false]);
      expect(bodies).toEqual([{ text: "book it" }]);
      expect(queued()).toEqual([]);
    });
  });
});
