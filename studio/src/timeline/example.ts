// A small conversation for tests.

import type { Timeline } from "../api/types";

/** A conversation that is turned away in turn 2, corrects itself in turn 3, and stays in turn 4. */
export const TIMELINE: Timeline = {
  conversation: "maria",
  lanes: ["introduction", "ineligible", "profiler"],
  depths: [0, 0, 0],
  turns: [
    [1, 1, 11, 1000, 0, "said", false, 0, 0],
    [2, 12, 24, 2000, 1, "said", false, 0, 0],
    [3, 25, 40, 3000, 0, "said", false, 0, 0],
    [4, 41, 52, 4000, 0, "said", false, 0, 0],
  ],
  marks: [
    [5, 1, 1000, 0, "unknown", -1, "stayed in introduction", false, "before", "", 0, "uuu", 0, 0, false],
    [10, 1, 1000, 0, "unknown", -1, "nothing to judge", false, "after", "", -1, "", 0, 0, false],
    [16, 2, 2000, 0, "taken", 1, "introduction → ineligible", false, "before", "too_young", 0, "uto", 0, 0, true],
    [20, 2, 2000, 1, "false", -1, "stayed in ineligible", false, "before", "", 1, "f", 0, 0, false],
    [30, 3, 3000, 1, "taken", 0, "ineligible → introduction", false, "before", "corrected", 1, "t", 0, 0, true],
    [34, 3, 3000, 0, "unknown", -1, "stayed in introduction", false, "before", "", 0, "ufu", 0, 0, false],
    [46, 4, 4000, 0, "unknown", -1, "stayed in introduction", false, "before", "", 0, "ufu", 0, 0, false],
  ],
  commits: [11, 24, 40, 52],
  moves: [
    [17, 0, 1],
    [31, 1, 0],
  ],
  last_seq: 52,
  signs: [],
  overlays: [],
  titles: {},
  is_cut: false,
  candidates: [["ineligible_male", "too_young", "complete"], ["corrected"]],
};
