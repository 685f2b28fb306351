// @vitest-environment node
import { expect, it } from "vitest";
import { invalidate, keep, load } from "./resource";

it("is loaded again where it became old while an answer was on its way", async () => {
  const answers: ((value: string) => void)[] = [];
  const loader = () => new Promise<string>((resolve) => answers.push(resolve));
  const first = load("source:a", loader);
  keep("source:a", "saved meanwhile");
  invalidate("source:a");
  const second = load("source:a", loader);
  answers[0]?.("from before");
  await first;
  await Promise.resolve();
  await Promise.resolve();
  expect(answers.length).toBe(2);
  answers[1]?.("as it is now");
  await second;
  await load("source:b", () => Promise.resolve("another"));
  expect(answers.length).toBe(2);
});
