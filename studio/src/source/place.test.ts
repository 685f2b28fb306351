import { describe, expect, it } from "vitest";
import { parsePlace, placeHash } from "./place";

describe("the end of an address", () => {
  it("names a line, and the document where it is not the flow's own", () => {
    expect(parsePlace("#L12")).toEqual({ line: 12, name: "" });
    expect(parsePlace(placeHash(3, "lib/a b.dy"))).toEqual({ line: 3, name: "lib/a b.dy" });
    expect(parsePlace("#L3:%")).toEqual({ line: 3, name: "%" });
  });

  it("is nothing else", () => {
    expect([parsePlace(""), parsePlace("#content"), parsePlace("#L")]).toEqual([null, null, null]);
  });
});
