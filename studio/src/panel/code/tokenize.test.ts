import { describe, expect, it } from "vitest";
import { tokenizePython } from "./tokenize";

const kinds = (source: string) => tokenizePython(source).map((line) => line.map((token) => `${token.kind}:${token.text}`));

describe("tokenizePython", () => {
  it("knows keywords, names, numbers, strings and comments", () => {
    expect(kinds('if user.age < 38 and x == "a":  # too young')).toEqual([
      ["keyword:if", "plain: ", "plain:user", "plain:.", "plain:age", "plain: ", "plain:<", "plain: ", "number:38", "plain: ", "keyword:and", "plain: ", "plain:x", "plain: ", "plain:==", "plain: ", 'string:"a"', "plain::", "plain:  ", "comment:# too young"],
    ]);
  });

  it("does not highlight keywords inside of names and strings", () => {
    const tokens = tokenizePython("notify = island['return']").flat();
    expect(tokens.filter((token) => token.kind === "keyword")).toEqual([]);
    expect(tokens.find((token) => token.kind === "string")?.text).toBe("'return'");
  });

  it("follows a string over several lines", () => {
    expect(kinds('"""One\nif two\n"""\nreturn None')).toEqual([
      ['string:"""One'],
      ["string:if two"],
      ['string:"""'],
      ["keyword:return", "plain: ", "keyword:None"],
    ]);
  });

  it("ends a broken string with its line, and skips escaped quotes", () => {
    expect(kinds("x = 'open\ny = 1")[1]).toEqual(["plain:y", "plain: ", "plain:=", "plain: ", "number:1"]);
    expect(tokenizePython("'it\\'s' + b")[0]?.[0]).toEqual({ kind: "string", text: "'it\\'s'" });
  });

  it("knows prefixed strings, a hash inside of a string, and numbers of all kinds", () => {
    expect(tokenizePython('rf"#{x}"')[0]).toEqual([{ kind: "string", text: 'rf"#{x}"' }]);
    for (const number of ["0x1F", "1_000", "3.14", "1e-9", "2j"]) {
      expect(tokenizePython(number)[0]).toEqual([{ kind: "number", text: number }]);
    }
  });

  it("loses no character", () => {
    const source = 'def f(x: "größe") -> str | None:\n\treturn x @ {1: 2}["a"] if x else f"{x!r}"\n\n\n    # ende';
    expect(tokenizePython(source).map((line) => line.map((token) => token.text).join("")).join("\n")).toBe(source);
  });
});
