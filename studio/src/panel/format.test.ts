import { afterEach, describe, expect, it } from "vitest";
import { setSettings } from "../data/settings";
import { asSentence, momentText, valueText } from "./format";

afterEach(() => setSettings({ isTechnical: false }));

describe("valueText", () => {
  it.each([
    [null, "not known"],
    [true, "Yes"],
    [["a", false], "a, No"],
    [{ a: 1 }, '{"a":1}'],
  ])("%j", (value, text) => expect(valueText(value)).toBe(text));

  it("has values as the flow writes them where technical details are shown", () => {
    setSettings({ isTechnical: true });
    expect(valueText(true)).toBe("true");
  });
});

describe("momentText", () => {
  it("is the time of today, and on another day has the date", () => {
    const now = new Date();
    now.setHours(9, 5);
    expect(momentText(now.getTime())).toBe("09:05");
    expect(momentText(new Date(2020, 0, 2, 9, 5).getTime())).toBe("2020-01-02 09:05");
  });
});

describe("asSentence", () => {
  it("begins with a capital and ends with a full stop", () => expect(asSentence("with this value")).toBe("With this value."));
});
