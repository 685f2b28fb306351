import { describe, expect, it } from "vitest";
import { sectionsOf } from "./CheckText";
import { seenOf } from "./coverage";
import { page } from "./flow.fixtures";
import { otherwise } from "./Side";

describe("seenOf", () => {
  it("counts nodes and transitions, and names what was not seen", () => {
    expect(seenOf(page)).toEqual({ nodes: [1, 2], transitions: [0, 1], percent: 33, conversations: 2, unseen: ["step Part", "Go taken"] });
  });
});

describe("otherwise", () => {
  it("lists the outcomes but taken, the most frequent first", () => {
    expect(otherwise({ outcomes: { taken: 3, false: 2, unknown: 5, not_reached: 1 } } as never)).toBe("5 not known, 2 false, 1 not reached");
    expect(otherwise(undefined)).toBe("");
  });
});

describe("sectionsOf", () => {
  it("splits a page into headings, text and examples", () => {
    expect(sectionsOf("# Title\n\nText `x`.\n\n```yaml\na: b\n```\n")).toEqual([
      { kind: "heading", text: "Title" },
      { kind: "text", text: "Text `x`." },
      { kind: "example", text: "a: b" },
    ]);
  });
});
