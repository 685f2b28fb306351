import { expect, it } from "vitest";
import { once } from "./once";
import { Problem } from "./problem";

const keys: string[] = [];
const send = (answer: () => string) => once("fork x", async (headers) => (keys.push(headers["Idempotency-Key"]), answer()));
const failing = (status: number) => () => {
  throw new Problem(status, "code", "no");
};

it("keeps the key of a request until the server has answered it", async () => {
  await expect(send(failing(0))).rejects.toThrow();
  await expect(send(failing(503))).rejects.toThrow();
  expect(await send(() => "copy")).toBe("copy");
  expect(new Set(keys).size).toBe(1);
  await send(() => "another copy");
  expect(keys[3]).not.toBe(keys[2]);
});

it("makes a new key after a refusal, and has one for the same request sent twice at once", async () => {
  keys.length = 0;
  await expect(send(failing(409))).rejects.toThrow();
  await Promise.all([send(() => "a"), send(() => "a")]);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBe(keys[1]);
});
