import { StringStream } from "@codemirror/language";
import { describe, expect, it } from "vitest";
import { blockEnd } from "./blocks";
import { dygram } from "./dygram";

const ends = (text: string, format: "yaml" | "dygram" | "json") => {
  const lines = text.split("\n");
  return lines.map((_, place) => blockEnd(lines, place + 1, format));
};

describe("blockEnd", () => {
  it("takes what is indented more in YAML, without blank lines and comments at the end", () => {
    expect(ends("nodes:\n  a:\n    say: Hi.\n\n    # more\n  b: {}\nx: 1", "yaml")).toEqual([6, 3, 3, 4, 5, 6, 7]);
  });

  it("takes the items of a list that stand as far left as its key", () => {
    expect(ends("transitions:\n- id: a\n  to: b\n- id: c\nstart: a", "yaml")).toEqual([4, 3, 3, 4, 5]);
  });

  it("takes braces in DyGram, and not those in texts and comments", () => {
    expect(ends('task a "{" { // {\n  prompt: "}";\n  /* } */\n}\na -> b;', "dygram")).toEqual([4, 2, 3, 4, 5]);
  });

  it("takes an edge of several lines up to its end", () => {
    expect(ends('a\n  -when: "x.y > 3; {"-> b\n  -> c;\nb -> c', "dygram")).toEqual([3, 3, 3, 4]);
  });

  it("takes braces and brackets in JSON", () => {
    expect(ends('{\n"a": {\n"b": "}",\n"c": [\n1]\n}\n}', "json")).toEqual([7, 6, 3, 5, 5, 6, 7]);
  });

  it("never ends before its line", () => {
    for (const format of ["yaml", "dygram", "json"] as const) {
      for (const text of ["", "}", '"', "/*", "- ", "{\n[", "a: |\n\n", "'\n\\"]) {
        ends(text, format).forEach((end, place) => expect(end).toBeGreaterThan(place));
      }
    }
  });
});

const tokens = (text: string) => {
  const state = dygram.startState!(2);
  return text.split("\n").flatMap((line) => {
    const stream = new StringStream(line, 2, 2);
    const found: string[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = dygram.token(stream, state);
      expect(stream.pos, `it goes on after ${stream.current()}`).toBeGreaterThan(stream.start);
      if (kind) found.push(`${kind}:${stream.current()}`);
    }
    return found;
  });
};

describe("the tokens of DyGram", () => {
  it("has types and names of nodes, keys and texts", () => {
    expect(tokens('task a "A" { prompt: "x"; }')).toEqual(["keyword:task", "definition:a", 'string:"A"', "propertyName:prompt", 'string:"x"']);
    expect(tokens("context c { amount<Money>: 0; }")).toEqual(["keyword:context", "definition:c", "propertyName:amount", "number:0"]);
  });

  it("has the words of edges, arrows and annotations", () => {
    expect(tokens('a -when: "x.y"-> b;')).toEqual(["keyword:-when", 'string:"x.y"', "operator:->"]);
    expect(tokens("a -catch-> b -@auto-> c;")).toEqual(["keyword:-catch", "operator:->", "operator:-", "annotation:@auto", "operator:->"]);
    expect(tokens('import { a as b } from "./c.dy";')).toEqual(["keyword:import", "keyword:as", "keyword:from", 'string:"./c.dy"']);
  });

  it("has comments and texts of several lines", () => {
    expect(tokens('/* a\nb */ state c; // d\nx: "e\nf\\"g";')).toEqual(["comment:/* a", "comment:b */", "keyword:state", "definition:c", "comment:// d", "propertyName:x", 'string:"e', 'string:f\\"g"']);
  });

  it("takes any text", () => {
    for (const text of ["@", "#", '"', "'", "-", "🙂 -> é", "<|-- *--> o-->", "task", "task ;", "0x1e5.", "\\"]) tokens(text);
  });
});
