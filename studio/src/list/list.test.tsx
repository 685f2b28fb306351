import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadList, loadPage, putSummary, removeSummary } from "../data/list";
import type { ConversationList as Page, ConversationSummary } from "../api/types";
import { ConversationList } from "./ConversationList";

const row = (id: string) => ({ id, flow: "shop", node: "home", status: "waiting", waits_for: "message", seq: 9, turn: 1, at_ms: 0, since_ms: 0, began_ms: 0, snippet: id === "old" ? "the needle" : "straw", marks: [], timers: [], next_schedule: null, person: null, form: null, headline: "Asks for purpose, 3 of 5" });
const whole = (...ids: string[]) => ({ conversations: ids.map(row), total: ids.length, next: null, is_complete: true }) as unknown as Page;

/** A server that searches two conversations per page, and has no flows to tell of. */
function answer(url: URL): Page | [] {
  if (url.pathname.endsWith("/flows")) return [];
  if (!url.searchParams.get("text")) return { ...whole("new"), next: url.searchParams.get("after") ? null : "7.7" };
  if (!url.searchParams.get("after")) return { ...whole(), next: "5.5", is_complete: false };
  return whole("old");
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", (url: URL | string) => Promise.resolve(new Response(JSON.stringify(answer(new URL(String(url), "http://x"))))));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it("says that older conversations are not searched yet, and searches them", async () => {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  await act(() => loadList());
  act(() => root.render(<ConversationList />));
  const field = place.querySelector("input")!;
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, "needle");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(place.textContent).toContain("None so far. Older conversations are not searched yet.");
  expect(place.textContent).not.toContain("None of them matches");
  await act(async () => {
    place.querySelector<HTMLElement>("button.more")!.click();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(place.textContent).toContain("the needle");
  expect(place.textContent).not.toContain("not searched yet");
  act(() => root.unmount());
});

const summary = (id: string, change: object = {}) => ({ ...row(id), ...change }) as unknown as ConversationSummary;
const taken = { status: "person", person: { operator: "Lena", since_ms: 0 } };

/** A server whose answers come when a test lets them. */
function heldAnswers(): { total: Record<string, number>; release: (page?: Partial<Page>) => Promise<void> } {
  const waiting: ((page?: Partial<Page>) => void)[] = [];
  const total: Record<string, number> = {};
  vi.stubGlobal("fetch", (url: URL | string) => {
    const { pathname, searchParams } = new URL(String(url), "http://x");
    if (pathname.endsWith("/flows")) return Promise.resolve(new Response("[]"));
    const known = total[searchParams.get("status") ?? "all"] ?? 0; // as it is when the server answers
    return new Promise((resolve) => waiting.push((page) => resolve(new Response(JSON.stringify({ ...whole(), next: "7.7", total: known, ...page })))));
  });
  const release = (page?: Partial<Page>) => act(async () => {
    for (const answered of waiting.splice(0)) answered(page);
    await vi.advanceTimersByTimeAsync(0);
  });
  return { total, release };
}

const filters = (place: HTMLElement) => [...place.querySelectorAll(".filters button")].map((button) => button.textContent);

it("counts a change once that a page and the stream both report", async () => {
  const server = heldAnswers();
  Object.assign(server.total, { all: 221, waiting: 219, person: 1 });
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  act(() => root.render(<ConversationList />));
  void loadList();
  await server.release({ conversations: [summary("a", taken)] });
  await server.release();
  expect(filters(place)).toEqual(["All 221", "Waiting 219", "Person 1"]);
  Object.assign(server.total, { waiting: 220, person: 0 }); // given back; the page of the filter comes before the summary
  void loadPage({ filter: "person", text: "" });
  await server.release();
  act(() => putSummary(summary("a", { seq: 10 })));
  expect(filters(place)).toContain("Person 0");
  await act(() => vi.advanceTimersByTimeAsync(3000));
  await server.release();
  expect(filters(place)).toEqual(["All 221", "Waiting 220", "Person 0"]);
  act(() => root.unmount());
});

it("keeps what changed while a page was on its way", async () => {
  const server = heldAnswers();
  server.total["all"] = 3;
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  act(() => root.render(<ConversationList />));
  void loadList();
  act(() => {
    putSummary(summary("begun"));
    putSummary(summary("gone"));
    removeSummary("gone");
  });
  await server.release({ conversations: [summary("stays"), summary("gone")] });
  const ids = [...place.querySelectorAll("a.conv")].map((link) => link.textContent);
  expect(ids).toHaveLength(2);
  expect(ids.join()).toMatch(/begun/);
  expect(ids.join()).not.toMatch(/gone/);
  act(() => root.unmount());
});
