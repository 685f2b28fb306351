import { afterEach, describe, expect, it, vi } from "vitest";
import { api } from "./calls";

const ACTS: Record<string, () => Promise<unknown>> = {
  "take over": () => api.takeOver("c", "Lena", "asked for a person"),
  "give back": () => api.giveBack("c", { outcome: "done", set: {} }),
  fork: () => api.fork("c", {}),
};

describe("an act that is sent again", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each(Object.keys(ACTS))("%s keeps its key until the server has answered", async (act) => {
    const keys: string[] = [];
    vi.stubGlobal("fetch", (_: URL, options: RequestInit) => {
      keys.push(new Headers(options.headers).get("Idempotency-Key") ?? "");
      return keys.length === 1 ? Promise.reject(new TypeError("down")) : Promise.resolve(new Response("{}"));
    });
    await expect(ACTS[act]?.()).rejects.toBeDefined();
    await ACTS[act]?.();
    await ACTS[act]?.();
    expect(keys[0]).not.toBe("");
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});
