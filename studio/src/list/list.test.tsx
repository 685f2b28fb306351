import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadList } from "../data/list";
import type { ConversationList as Page } from "../api/types";
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
