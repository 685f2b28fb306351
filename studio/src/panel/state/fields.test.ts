import { describe, expect, it } from "vitest";
import type { ValueView } from "../../api/types";
import { fieldsByScope } from "./FieldTable";

const value = (field: string) => ({ field }) as ValueView;

describe("fieldsByScope", () => {
  const values = ["user.name", "survey/answers.mood", "quiz/own.score", "quiz/aside/own.more"].map(value);
  const names = (stack: string[]) => fieldsByScope({ values, stack }).map(([scope, own]) => [scope, own.map((one) => one.field)]);
  it("has the fields of open scopes after those of the conversation, and none of closed ones", () => {
    expect(names(["chat"])).toEqual([["", ["user.name"]]]);
    expect(names(["chat", "survey/form"])).toEqual([["", ["user.name"]], ["survey", ["survey/answers.mood"]]]);
    expect(names(["chat", "quiz/first", "quiz/aside/tell"]).map(([scope]) => scope)).toEqual(["", "quiz", "quiz/aside"]);
  });
});
