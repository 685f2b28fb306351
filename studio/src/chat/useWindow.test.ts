import { describe, expect, it } from "vitest";
import { windowAround } from "./useWindow";

describe("windowAround", () => {
  it.each([
    [4, 10, 0, 10],
    [1999, 2000, 1960, 2000],
    [1000, 2000, 980, 1020],
    [0, 2000, 0, 40],
  ])("turn %i of %i", (index, count, from, to) => {
    expect(windowAround(index, count)).toEqual({ from, to });
  });
});
