import { describe, expect, it } from "vitest";
import type { WaitingArgument, WaitingCall } from "../api/types";
import { argumentsOf, changed, questionOf, textOf, valueOf } from "./edits";

const argument = (name: string, type: string, value: unknown): WaitingArgument => ({ name, title: name, type, value, text: String(value), options: [], is_secret: false, is_optional: false, items: null }) as WaitingArgument;

const CALL = { id: "1-1-1", arguments: [argument("amount", "number", 40), argument("to", "string", "Bo"), argument("tags", "list of string", ["a"])] } as unknown as WaitingCall;

describe("the arguments of a call that waits", () => {
  it("are sent only where they were changed, with their types", () => {
    const [amount, to, tags] = CALL.arguments as [WaitingArgument, WaitingArgument, WaitingArgument];
    let edits = changed({}, amount, "45.5");
    edits = changed(edits, to, "Bo");
    edits = changed(edits, tags, '["a","b"]');
    expect(argumentsOf(CALL, edits)).toEqual({ amount: 45.5, tags: ["a", "b"] });
    expect(argumentsOf(CALL, changed(edits, amount, "40"))).toEqual({ tags: ["a", "b"] });
  });

  it("are sent as they are written where they are no value of their type", () => {
    expect(valueOf(argument("amount", "number", 1), "many")).toBe("many");
    expect(valueOf(argument("tags", "list of string", []), "[a")).toBe("[a");
    expect(valueOf(argument("ok", "boolean", true), "true")).toBe(true);
    expect(valueOf(argument("to", "string", "x"), " ")).toBe(null);
    expect(textOf(argument("to", "string", null))).toBe("");
  });
});

describe("the question of the author", () => {
  const part = (text: string, names: string[] = [], is_value = false) => ({ text, arguments: names, is_value });
  const call = { ...CALL, question: [part("Send "), part("€40.00", ["amount"], true), part(" to "), part("Bo", ["to"], true), part(", a lot", ["amount"])] } as unknown as WaitingCall;

  it("has the values of the call, and changed ones in their places", () => {
    expect(questionOf(call, {})).toBe("Send €40.00 to Bo, a lot");
    expect(questionOf(call, { amount: "45" })).toBe("Send 45 to Bo…");
    expect(questionOf(call, { to: " " })).toBe("Send €40.00 to …, a lot");
  });

  it("shows no secret that is typed", () => {
    const arguments_ = [{ ...argument("pin", "string", "[secret]"), is_secret: true }];
    const secret = { ...CALL, arguments: arguments_, question: [part("With "), part("[secret]", ["pin"])] } as unknown as WaitingCall;
    expect(questionOf(secret, { pin: "4711" })).toBe("With [secret]");
  });

  it("is empty where the author wrote none", () => expect(questionOf({ ...CALL, question: [] }, {})).toBe(""));
});
