// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConversationSummary, Message } from "../api/types";
import { change, conversations, setSending, type Sending } from "../data/conversations";
import { usePosition } from "../data/position";
import { Chat } from "./Chat";

const message = (seq: number, turn: number, by: Message["by"], text: string): Message => ({ seq, turn, at_ms: 0, by, text, speaker: "free", kind: "", buttons: [], understood: [], form: null, is_undone: false, is_erased: false, note: "", frame: 0, closes: null, sign: "", subject: "", texts: {} }) as Message;
const summary = { id: "x", flow: "f", status: "working", node: "free", turn: 1, seq: 2, at_ms: 0, person: null, marks: [], timers: [] } as unknown as ConversationSummary;
const sending = { key: "k", input: { text: "and now?" }, text: "and now?", isButton: false, operator: "", after: 2, since: 0, attempt: 1, problem: null } as Sending;
const draft = { effect: "2.1", turn: 2, node: "free", text: "half of a reply" };

class Observer {
  observe(): void {}
  disconnect(): void {}
}

let place: HTMLElement;
let base: HTMLBaseElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("ResizeObserver", Observer);
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  base = document.head.appendChild(document.createElement("base"));
  base.href = "/";
  history.replaceState(null, "", "/c/x");
  place = document.body.appendChild(document.createElement("div"));
});

afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
  base.remove();
  place.remove();
});

async function shown(drafts: readonly (typeof draft)[]): Promise<string> {
  change("x", (now) => ({ ...now, summary, messages: [message(1, 1, "user", "hello"), message(2, 1, "model", "hello too")], drafts, lastSeq: 2, isLoaded: true, isWhole: true }));
  setSending("x", sending);
  root = createRoot(place);
  await act(async () => root.render(<Chat id="x" />));
  return place.querySelector('[role="log"]')?.textContent ?? "";
}

describe("Chat", () => {
  it("shows a reply while it is written, below a message that is not stored yet", async () => {
    expect(await shown([draft])).toMatch(/hello too.*and now\?.*half of a reply/s);
    expect(place.querySelectorAll(".caret")).toHaveLength(1);
  });
  it("waits for the reply below the message, and not in the turn before", async () => {
    expect(await shown([])).toMatch(/and now\?free$/);
    expect(place.querySelector('[data-turn="1"] .caret')).toBeNull();
    expect(place.querySelectorAll(".caret")).toHaveLength(1);
  });
  it("marks a tool that failed, or was refused, otherwise than one that did its work", async () => {
    const tool = (seq: number, kind: Message["kind"]) => ({ ...message(seq, 1, "tool", "words"), kind });
    await shown([]);
    await act(async () => change("x", (now) => ({ ...now, messages: [...now.messages, tool(3, ""), tool(4, "failed"), tool(5, "refused")], lastSeq: 5 })));
    const marks = [...place.querySelectorAll(".toolcall svg")].map((mark) => mark.innerHTML);
    expect(marks).toHaveLength(3);
    expect(new Set(marks).size).toBe(3);
  });
  it("shortens a long text of a command", async () => {
    await shown([]);
    await act(async () => change("x", (now) => ({ ...now, messages: [...now.messages, message(3, 1, "system", `set a = ${"x".repeat(900)}`)], lastSeq: 3 })));
    expect(place.querySelector(".note")?.textContent).toHaveLength(240);
  });
  it("shows a message once that is stored and whose reply is awaited", async () => {
    await shown([draft]);
    await act(async () => change("x", (now) => ({ ...now, messages: [...now.messages, message(3, 2, "user", "and now?")], lastSeq: 3 })));
    expect(place.textContent?.match(/and now\?/g)).toHaveLength(1);
    expect(place.textContent).toMatch(/and now\?.*half of a reply/s);
  });
  it("stays at the stored turn while a model writes in the next one", async () => {
    await shown([draft]);
    let turn = 0;
    const Probe = () => ((turn = usePosition().turn), null);
    await act(async () => root.render(<Probe />));
    expect(turn).toBe(1);
  });
  it("shows what waits for the reply, and gives it back", async () => {
    await shown([]);
    act(() => conversations.set({ queued: { x: [{ ...sending, key: "k2", text: "one more" }] } }));
    const queue = place.querySelector("[aria-label='Messages that wait']")!;
    expect(queue.textContent).toContain("one moreSent after the reply");
    await act(async () => queue.querySelector("button")!.click());
    expect(conversations.get().queued).toEqual({});
    expect(place.querySelector("[aria-label='Messages that wait']")).toBeNull();
  });
});
