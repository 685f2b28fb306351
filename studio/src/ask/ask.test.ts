import { describe, expect, it } from "vitest";
import type { Fact } from "../api/types";
import { chainOf, distinct } from "./facts";
import { piecesOf, withPunctuation } from "./names";
import { needing } from "./Needs";
import { formatQuestion, parseQuestion } from "./question";
import { inputOf } from "./Ways";

describe("a question in the address", () => {
  it.each([
    ["case.purpose", { kind: "why", subject: "case.purpose" }],
    ["", { kind: "why", subject: "" }],
    ["to:expert", { kind: "to", node: "expert" }],
    ["against:b", { kind: "against", conversation: "b", turn: null }],
    ["against:a#b#3", { kind: "against", conversation: "a#b", turn: 3 }],
    ["against:#2", { kind: "against", conversation: "", turn: 2 }],
  ])("%s", (text, question) => {
    expect(parseQuestion(text)).toEqual(question);
    expect(formatQuestion(parseQuestion(text))).toBe(text);
  });
});

const fact = (text: string, ...causes: Fact[]): Fact => ({ kind: "field_set", text, causes });

it("shows each fact once, where it comes first; but a chain goes on to the words of the user", () => {
  const said: Fact = { ...fact("said"), kind: "message_received", causes: [] };
  const read = fact("read", said);
  const shown = distinct([fact("a", read), fact("b", read, fact("c")), read, said]);
  expect(shown.map((one) => one.text)).toEqual(["a", "b"]);
  expect(shown[1]?.causes?.map((one) => one.text)).toEqual(["said", "c"]);
});

it("follows single causes as a chain, and branches where there are several", () => {
  const [a, b, c] = [fact("a"), fact("b"), fact("c")];
  expect(chainOf(fact("top", fact("step", fact("next", a, b))))).toEqual({ steps: [fact("step", fact("next", a, b)), fact("next", a, b)], branches: [a, b] });
  expect(chainOf(c)).toEqual({ steps: [], branches: [] });
});

describe("withPunctuation", () => {
  it("gives names the punctuation beside them, so that no line begins with it", () => {
    const pieces = piecesOf("the work of 'start' is done, because a.b, c.d lack", [{ kind: "node", name: "start" }, { kind: "field", name: "a.b" }, { kind: "field", name: "c.d" }], null);
    const glued = withPunctuation(pieces);
    expect(glued.map(({ before, text, after }) => before + text + after).join("")).toBe("the work of 'start' is done, because a.b, c.d lack");
    expect(glued.flatMap(({ isName, before, text, after }) => (isName ? [before + text + after] : []))).toEqual(["'start'", "a.b,", "c.d"]);
    expect(withPunctuation([{ text: "a", isName: true, subject: null }, { text: "'", isName: false, subject: null }, { text: "b", isName: true, subject: null }]).map(({ before, text, after }) => before + text + after).join("")).toBe("a'b");
  });
});

describe("names in a text", () => {
  const about = [
    { kind: "node", name: "expert" },
    { kind: "transition", name: "expert" },
    { kind: "field", name: "user.age" },
    { kind: "turn", name: "2" },
  ] as const;
  const asked = (text: string, own: (typeof about)[number] | null = null) => piecesOf(text, about, own).flatMap(({ text: name, subject }) => (subject ? [`${subject.kind} ${name}`] : []));

  it("ask about what they mean", () => expect(asked("intake → expert by expert in turn 2")).toEqual(["node expert", "transition expert"]));
  it("are whole words", () => expect(asked("experts, user.age.days and myuser.age; user.age.")).toEqual(["field user.age"]));
  it("do not ask what is asked already", () => expect(asked("user.age was set", about[2])).toEqual([]));
  it("of the flow count where they can be nothing else", () => {
    const flow = [{ kind: "node", name: "closing" }, { kind: "transition", name: "complete" }, { kind: "field", name: "user.age" }] as const;
    const found = (text: string) => piecesOf(text, [], null, flow).flatMap(({ subject }) => (subject ? [`${subject.kind} ${subject.name}`] : []));
    expect(found("→ closing by complete, which lacks user.age")).toEqual(["node closing", "transition complete", "field user.age"]);
    expect(found("went to closing by complete in turn 2")).toEqual(["node closing", "transition complete"]);
    expect(found("ended in closing")).toEqual(["node closing"]);
    expect(found("the closing of a complete form")).toEqual([]);
  });
  it("do not ask in what people wrote", () => {
    const asked = (text: string, because: string) => piecesOf(text, [{ kind: "node", name: "host" }, { kind: "transition", name: "large" }], null, [], because).flatMap(({ text: name, isName }) => (isName ? [name] : []));
    expect(asked("ask → host by large: a large group needs the host", "a large group needs the host")).toEqual(["host", "large"]);
    expect(asked("the user said “a large table”, so large held", "")).toEqual(["large"]);
  });
  it("stand out, also where they ask nothing", () => expect(piecesOf("user.age was set", about, about[2])[0]).toEqual({ text: "user.age", isName: true, subject: null }));
  it("lose no text", () => expect(piecesOf("because user.age is 3", about, null).map((one) => one.text).join("")).toBe("because user.age is 3"));
});

it("names what would have to be different: of the transition, or of those that lead to the node", () => {
  const one = (id: string, target: string) => ({ id, outcome: "false", action: "to", target, needs: [[]] }) as never;
  const decisions = [{ candidates: [one("adult", "work"), one("child", "school")] }] as never;
  const ids = (kind: "transition" | "node" | "turn" | "tool", name: string) => needing({ subject: { kind, name }, decisions }).map(({ one: found }) => found.id);
  expect(ids("transition", "adult")).toEqual(["adult"]);
  expect(ids("node", "school")).toEqual(["child"]);
  expect(ids("turn", "1")).toEqual(["adult", "child"]);
  expect(ids("tool", "look")).toEqual([]);
  const moved = [{ candidates: [one("adult", "work")], taken: "child" }] as never;
  expect(needing({ subject: { kind: "message", name: "1" }, decisions: moved })).toEqual([]);
});

it("turns the acts of a way into turns of the API; people cannot be tried", () => {
  expect(inputOf({ type: "user_chose", value: "Yes" })).toEqual({ button: "Yes" });
  expect(inputOf({ type: "tool_used", tool: "think" })).toEqual({ tool: { name: "think" } });
  expect(inputOf({ type: "timer_fired", timer: "remind", visit: 1, due_ms: 5 })).toEqual({ timer: { transition: "remind" } });
  expect(inputOf({ type: "taken_over" })).toBeNull();
  expect(inputOf({ type: "commands", commands: [{ type: "set", field: "client.pin", value: "[secret]" }] })).toBeNull();
});
