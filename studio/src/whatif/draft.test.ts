import { describe, expect, it } from "vitest";
import { textOfValue, valueOfText, withEntry } from "./draft";

describe("valueOfText", () => {
  it("reads a text by the type of its field", () => {
    expect(valueOfText("true", "boolean")).toBe(true);
    expect(valueOfText(" 48 ", "integer")).toBe(48);
    expect(valueOfText("sleep, memory", "list of choice")).toEqual(["sleep", "memory"]);
    expect(valueOfText('["a, b"]', "list")).toEqual(["a, b"]);
    expect(valueOfText("48", "text")).toBe("48");
  });

  it("leaves what it cannot read to the server", () => {
    expect(valueOfText("maybe", "boolean")).toBe("maybe");
    expect(valueOfText("many", "integer")).toBe("many");
    expect(valueOfText("", "integer")).toBe("");
    expect(valueOfText("[1,", "list")).toBe("[1,");
  });

  it("removes a value", () => {
    expect(valueOfText(null, "integer")).toBeNull();
  });

  it("reads again what it wrote", () => {
    for (const [value, type] of [[true, "boolean"], [4.5, "number"], [["a", "b"], "list"], [null, "text"], ["x", "choice"]] as const) {
      expect(valueOfText(textOfValue(value), type)).toEqual(value);
    }
  });
});

describe("withEntry", () => {
  it("puts and removes", () => {
    expect(withEntry({ a: 1 }, "b", 2)).toEqual({ a: 1, b: 2 });
    expect(withEntry({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
  });
});
