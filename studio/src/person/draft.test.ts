import { describe, expect, it } from "vitest";
import type { ConversationSummary, FieldInfo, GiveBackPreview, ValueView, Waiting } from "../api/types";
import { changed, EMPTY, hintOf, inputOf, needsOutcome, outcomesToChoose, previewWords, splitFields, storedText } from "./draft";
import { inQueue } from "./inQueue";

const value = (field: string, type: string, stored?: unknown): ValueView => ({
  field,
  title: "",
  type,
  value: stored ?? null,
  text: "",
  is_known: stored !== undefined,
  is_secret: false,
  is_default: false,
  is_active: true,
  origin: null,
  reason: "",
  before: null,
  is_changed: false, item_fields: [], most: null,
});

const field = (name: string, type: string, more: Partial<FieldInfo> = {}): FieldInfo => ({ name, title: "", type, options: [], is_secret: false, is_derived: false, minimum: null, maximum: null, ...more });

describe("changed", () => {
  const age = value("user.age", "integer", 40);

  it("keeps a text that differs from the stored value", () => {
    expect(changed({}, age, "41")).toEqual({ "user.age": "41" });
  });

  it("forgets a change that is taken back", () => {
    expect(changed({ "user.age": "41" }, age, "40")).toEqual({});
    expect(changed({ "user.name": "x" }, value("user.name", "string"), "")).toEqual({});
  });

  it("removes a value whose text is deleted", () => {
    expect(changed({}, age, "")).toEqual({ "user.age": null });
    expect(changed({}, value("user.name", "string", "Ada"), "")).toEqual({ "user.name": null });
  });
});

describe("inputOf", () => {
  it("sends values in the types of their fields", () => {
    const types = new Map([["a", "integer"], ["b", "boolean"], ["c", "list"], ["d", "string"]]);
    const draft = { ...EMPTY, changes: { a: "7", b: "true", c: "x, y", d: "12", e: null } };
    expect(inputOf(draft, types, "Lena").set).toEqual({ a: 7, b: true, c: ["x", "y"], d: "12", e: null });
  });

  it("leaves a text that is no number to the validators of the server", () => {
    expect(inputOf({ ...EMPTY, changes: { a: "many" } }, new Map([["a", "integer"]]), "Lena").set).toEqual({ a: "many" });
  });

  it("sends the outcome that was chosen, and the usual one of the server otherwise", () => {
    expect(inputOf({ ...EMPTY, outcome: "solved" }, new Map(), "Lena")).toEqual({ set: {}, operator: "Lena", outcome: "solved" });
    expect(outcomesToChoose(["solved", "kept"])).toEqual(["done", "solved", "kept"]);
    expect(outcomesToChoose(["kept", "done"])).toEqual(["kept", "done"]);
    expect([needsOutcome(EMPTY, ["kept"]), needsOutcome({ ...EMPTY, outcome: "kept" }, ["kept"]), needsOutcome({ ...EMPTY, transition: "later" }, ["kept"]), needsOutcome(EMPTY, [])]).toEqual([true, false, false, false]);
  });

  it("ends instead of taking the chosen transition", () => {
    const draft = { ...EMPTY, transition: "complete", reason: " agreed " };
    expect(inputOf(draft, new Map(), "Lena")).toEqual({ set: {}, operator: "Lena", reason: "agreed", transition: "complete" });
    expect(inputOf(draft, new Map(), "Lena", "closed")).toEqual({ set: {}, operator: "Lena", reason: "agreed", end: "closed" });
  });
});

describe("splitFields", () => {
  const values = [value("a", "string"), value("b", "string"), value("c", "string")];

  it("shows the fields of the node first, and no derived or secret ones", () => {
    const { first, others } = splitFields(values, [field("c", "string", { is_derived: true })], new Set(["b", "c"]));
    expect([first.map((one) => one.field), others.map((one) => one.field)]).toEqual([["b"], ["a"]]);
  });

  it("shows all fields where the node names none", () => {
    expect(splitFields(values, [], new Set()).first).toHaveLength(3);
  });
});

describe("words", () => {
  it("suggests what a field takes", () => {
    expect(hintOf(field("g", "choice", { options: ["female", "male", "other"] }))).toBe("female, male or other");
    expect(hintOf(field("a", "integer", { minimum: 0, maximum: 120 }))).toBe("0 to 120");
    expect(storedText(value("l", "list", ["x", "y"]))).toBe("x, y");
  });

  const preview = (more: Partial<GiveBackPreview>): GiveBackPreview => ({ is_known: true, refused: "", text: "", faults: [], moves: [], node: "introduction", outcome: "", values: {}, decisions: [], transitions: [], outcomes: [], why: "", ...more });
  const decided = [{ node: "introduction", candidates: [{ id: "complete" }] }] as never;

  it("says where the conversation would go", () => {
    expect(previewWords(preview({ decisions: decided, moves: ["complete"], node: "profiler", transitions: [{ name: "complete", moment: "before", target: "profiler", because: "all is known" }] }), "introduction")).toMatchObject({ node: "introduction", move: "introduction → profiler: all is known", rest: "" });
    expect(previewWords(preview({ decisions: decided, moves: ["helped"], node: "done", outcome: "called_back" }), "nurse")).toMatchObject({ move: "introduction → done", rest: "The conversation ends: called back." });
    expect(previewWords(preview({ decisions: decided }), "introduction").rest).toBe("It stays in introduction, which goes on with its question.");
    expect(previewWords(preview({ is_known: false, why: "the model of x would be called" }), "x").rest).toContain("the model of x would be called");
    expect(previewWords(preview({ decisions: decided, moves: ["complete"], node: "profiler" }), "introduction", "complete")).toMatchObject({ node: "complete", tail: "whatever its guard says" });
    expect(previewWords(preview({ refused: "value_refused", text: "user.age: too old" }), "x").rest).toBe("user.age: too old");
  });
});

const queue = (...rows: ConversationSummary[]) => rows.map((conversation) => ({ conversation, person: conversation.person }) as Waiting);

describe("inQueue", () => {
  const summary = (id: string, since: number, operator: string | null, seq = 1) =>
    ({ id, seq, person: operator === null ? null : { queue: "q", about: "", since_ms: since, operator, taken_ms: null, reason: "" } }) as ConversationSummary;

  it("has the longest wait first, and those with a person last", () => {
    const found = inQueue(queue(summary("a", 5, ""), summary("b", 3, ""), summary("c", 1, "Lena")), {});
    expect(found.map((one) => one.id)).toEqual(["b", "a", "c"]);
  });

  it("believes the newer of queue and list", () => {
    const found = inQueue(queue(summary("a", 5, ""), summary("b", 3, "", 9)), { a: summary("a", 5, null, 2), b: summary("b", 3, null, 8), d: summary("d", 4, "") });
    expect(found.map((one) => one.id)).toEqual(["b", "d"]);
  });
});
