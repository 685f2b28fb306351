import { describe, expect, it } from "vitest";
import { diffLines, diffTexts, foldSame, type DiffLine } from "./diff";

const show = (lines: readonly (DiffLine | null)[]) =>
  lines.map((line) => (line === null ? "…" : { same: " ", added: "+", removed: "-" }[line.kind] + line.text));

describe("diffLines", () => {
  it("shows removed lines before the added ones that replace them", () => {
    expect(show(diffTexts("a\nb\nc\nd", "a\nx\ny\nd"))).toEqual([" a", "-b", "-c", "+x", "+y", " d"]);
  });

  it("finds what was added at the end and at the start", () => {
    expect(show(diffTexts("b", "a\nb\nc"))).toEqual(["+a", " b", "+c"]);
  });

  it("knows equal and empty texts", () => {
    expect(show(diffLines([], []))).toEqual([]);
    expect(show(diffTexts("a\nb", "a\nb"))).toEqual([" a", " b"]);
    expect(show(diffLines([], ["a"]))).toEqual(["+a"]);
    expect(show(diffLines(["a"], []))).toEqual(["-a"]);
  });

  it("makes both texts again, for random texts", () => {
    let seed = 7;
    const random = (most: number) => (seed = (seed * 16807) % 2147483647) % most;
    for (let round = 0; round < 300; round += 1) {
      const a = Array.from({ length: random(12) }, () => "abc"[random(3)] ?? "");
      const b = Array.from({ length: random(12) }, () => "abc"[random(3)] ?? "");
      const lines = diffLines(a, b);
      expect(lines.filter((line) => line.kind !== "added").map((line) => line.text)).toEqual(a);
      expect(lines.filter((line) => line.kind !== "removed").map((line) => line.text)).toEqual(b);
    }
  });

  it("gives a result for long texts that have nothing in common", () => {
    const a = Array.from({ length: 2000 }, (_, n) => `a${n}`);
    const b = Array.from({ length: 2000 }, (_, n) => `b${n}`);
    expect(diffLines(a, b)).toHaveLength(4000);
  });
});

describe("foldSame", () => {
  it("leaves out equal lines that are far from a change", () => {
    const lines = diffTexts("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\nx");
    expect(show(foldSame(lines, 1))).toEqual(["…", " 6", "-7", "+x"]);
  });
});
