import { describe, expect, it } from "vitest";
import type { FlowPage } from "../api/types";
import { sectionsOf } from "./CheckText";
import { seenOf } from "./coverage";
import { otherwise } from "./Side";
import { partsOf, sourceLines } from "./source";

const shape = (text: string, column = 0) => partsOf(text, column ? [{ column }] : []).map((part) => `${part.kind}:${part.text}`);

describe("partsOf", () => {
  it("finds keys, also in lists and inline objects", () => {
    expect(shape("  prompt: Hello")).toEqual(["plain:  ", "key:prompt", "plain::", "plain: Hello"]);
    expect(shape("      - {id: a, at: before}")[1]).toBe("key:id");
    expect(shape("  hot flushes: [sweats]")[1]).toBe("key:hot flushes");
    expect(shape("  Ask for two things: name and age")).toHaveLength(1);
  });

  it("leaves colons inside of values alone", () => {
    expect(shape("say: see http://a.b")).toEqual(["key:say", "plain::", "plain: see http://a.b"]);
  });

  it("finds comments, but not inside of quotes", () => {
    expect(shape("start: a # here").at(-1)).toBe("comment: # here");
    expect(shape('say: "no # comment"')).toHaveLength(3);
    expect(shape("# all of it")).toEqual(["comment:# all of it"]);
  });

  it("marks the word that a problem points at, and keeps the text", () => {
    const text = "    when: has(user.name) && user.tos_acknowleged";
    const parts = partsOf(text, [{ column: 34 }]);
    expect(parts.find((part) => part.kind === "wrong")?.text).toBe("tos_acknowleged");
    expect(parts.map((part) => part.text).join("")).toBe(text);
  });

  it("ignores a column outside of the line", () => {
    expect(shape("a: b", 99)).toEqual(["key:a", "plain::", "plain: b"]);
  });
});

const graph = {
  nodes: [
    { id: "n0", name: "greet", kind: "prompt", parent: "", line: 2 },
    { id: "n1", name: "part", kind: "say", parent: "", line: 4 },
    { id: "n2", name: "done", kind: "end", parent: "", line: 0 },
  ],
  edges: [
    { id: "e0", source: "n0", target: "n1", transition: "go", node: "greet", moment: "before", line: 3 },
    { id: "e1", source: "n1", target: "n2", transition: "", node: "part", moment: "", line: 0 },
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

describe("sourceLines", () => {
  it("puts coverage, waiting conversations and problems at their lines", () => {
    const lines = sourceLines(page);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatchObject({ covered: true, waiting: 2, about: "greet visited by 2" });
    expect(lines[2]).toMatchObject({ covered: false, about: "go never taken" });
    expect(lines[2]?.problems).toHaveLength(1);
    expect(lines[3]).toMatchObject({ covered: false, about: "part never visited" });
  });

  it("leaves out the problems of a document that it imports", () => {
    const elsewhere = { ...page, diagnostics: page.diagnostics.map((one) => ({ ...one, file: "lib/people.yaml" })) };
    expect(sourceLines(elsewhere)[2]?.problems).toEqual([]);
  });
});

describe("a flow without conversations", () => {
  it("has no crosses in the margin", () => {
    const coverage = { nodes: {}, edges: [], conversations: 0 };
    expect(sourceLines({ ...page, coverage }).map((line) => line.covered)).toEqual([null, null, null, null]);
  });
});

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
