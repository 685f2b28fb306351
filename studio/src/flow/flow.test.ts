import { describe, expect, it } from "vitest";
import type { FlowPage } from "../api/types";
import { sectionsOf } from "./CheckText";
import { seenOf } from "./coverage";
import { otherwise } from "./Side";

const graph = {
  nodes: [
    { id: "n0", name: "greet", kind: "prompt", parent: "", line: 2, file: "f" },
    { id: "n1", name: "part", kind: "say", parent: "", line: 4, file: "f" },
    { id: "n2", name: "done", kind: "end", parent: "", line: 0, file: "" },
  ],
  edges: [
    { id: "e0", source: "n0", target: "n1", transition: "go", node: "greet", moment: "before", line: 3, file: "f" },
    { id: "e1", source: "n1", target: "n2", transition: "", node: "part", moment: "", line: 0, file: "" },
  ],
  clusters: [],
};

const page = {
  flow: { name: "visit", file: "f", conversations: 2 },
  graph,
  levels: [{ scope: "", title: "", parent: null, graph }],
  source: "nodes:\n  greet: {}\n  - {id: go}\n  part: {}\n",
  diagnostics: [{ code: "TW031", severity: "error", message: "m", hint: "", file: "f", line: 3, column: 6 }],
  parked: { greet: 2 },
  coverage: { nodes: { greet: 2 }, edges: [{ node: "greet", moment: "before", transition: "go", target: "part", judged: 3, held: 0, taken: 0, line: "", outcomes: {} }], conversations: 2 },
} as unknown as FlowPage;

describe("seenOf", () => {
  it("counts nodes and transitions, and names what was not seen", () => {
    expect(seenOf(page)).toEqual({ nodes: [1, 2], transitions: [0, 1], percent: 33, conversations: 2, unseen: ["node part", "go taken"] });
  });
});

describe("otherwise", () => {
  it("lists the outcomes but taken, the most frequent first", () => {
    expect(otherwise({ outcomes: { taken: 3, false: 2, unknown: 5, not_reached: 1 } } as never)).toBe("5 unknown, 2 false, 1 not reached");
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
