import { describe, expect, it } from "vitest";
import { page } from "../flow/flow.fixtures";
import { faultRange } from "./faults";
import { alongWay, declarationOf } from "./declared";
import { flowMarks, withNotes } from "./marks";
import { partAt, placedParts, placeOf } from "./places";

const parts = placedParts(page);
const LINES = ["flow: visit", "nodes:", "  greet:", "    say: Hi.", "  part: {}"];

describe("flowMarks", () => {
  it("puts coverage, waiting conversations and problems at their lines", () => {
    const { lines, problems } = flowMarks(page, parts, "f");
    expect(lines.get(2)).toEqual({ seen: { kind: "happened", about: "greet visited by 2" }, notes: [{ text: "2 here", tone: "ok" }] });
    expect(lines.get(3)?.seen).toEqual({ kind: "never", about: "go judged 3 times, never taken" });
    expect(lines.get(4)?.seen).toEqual({ kind: "never", about: "part never visited" });
    expect(problems.map((one) => one.line)).toEqual([3]);
  });

  it("has nothing of another document", () => {
    const { lines, problems } = flowMarks(page, parts, "lib/people.yaml");
    expect([lines.size, problems.length]).toEqual([0, 0]);
  });

  it("has no circles where no conversation is stored", () => {
    const none = { ...page, parked: {}, coverage: { nodes: {}, edges: [], conversations: 0 } };
    expect([...flowMarks(none, parts, "f").lines.values()].map(({ seen }) => seen)).toEqual([null, null, null]);
  });

  it("shows in a conversation what became of its transitions instead", () => {
    const now = withNotes(flowMarks(page, parts, "f"), [{ line: 3, note: { text: "false", tone: "no" } }], 2);
    expect([now.here, now.lines.get(2)?.notes, now.lines.get(3)?.notes]).toEqual([2, [], [{ text: "false", tone: "no" }]]);
  });
});

describe("partAt", () => {
  it("finds the innermost part around a line", () => {
    const at = (line: number) => partAt([...parts.map((part) => ({ ...part, line: part.node ? part.line + 1 : part.line + 1 }))], "f", line, LINES, "yaml")?.selection.id;
    expect([at(1), at(3), at(4), at(5)]).toEqual([undefined, "greet", "e0", "part"]);
  });

  it("is none for the lines of another document", () => {
    expect(partAt(parts, "other", 3, LINES, "yaml")).toBeNull();
  });
});

describe("placeOf", () => {
  it("finds the place of a node, and of a transition of a decision", () => {
    expect(placeOf(parts, { kind: "node", id: "part" })?.line).toBe(4);
    expect(placeOf(parts, { kind: "edge", node: "greet", transition: "go" })?.line).toBe(3);
    expect(placeOf(parts, { kind: "edge", node: "greet", transition: "no" })).toBeNull();
  });
});

describe("names and ways", () => {
  const files = [
    { file: "f", name: "f", format: "yaml" as const, text: "flow: visit\nrecords:\n  user:\n    age: number\n", saved_ms: 1, sha256: "", is_current: true },
    { file: "g", name: "g", format: "dygram" as const, text: "context claim {\n  amount<Money>;\n}\n", saved_ms: 1, sha256: "", is_current: true },
  ];

  it("goes to a node, else to the line that begins with the name, in the open document first", () => {
    const to = (name: string) => declarationOf(name, parts, files, files[0]!);
    expect(to("part")).toEqual({ file: "f", line: 4 });
    expect(to("user.age")).toEqual({ file: "f", line: 4 });
    expect(to("claim")).toEqual({ file: "g", line: 1 });
    expect(to("amount")).toEqual({ file: "g", line: 2 });
    expect([to("nothing"), to("(")]).toEqual([null, null]);
  });

  it("goes along a way: from a node to its transition, and to where that leads", () => {
    const go = alongWay(placeOf(parts, { kind: "node", id: "greet" })!, page, parts)!;
    expect(go.selection.id).toBe("e0");
    expect(alongWay(go, page, parts)?.selection.id).toBe("part");
  });
});

describe("faultRange", () => {
  it("takes the word at the column, of which characters count once", () => {
    expect(faultRange("a: 😀 word", 6)).toEqual([6, 10]);
    expect([faultRange("a: b", 99), faultRange("a: b", 0)]).toEqual([null, null]);
  });
});
