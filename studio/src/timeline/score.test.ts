import { describe, expect, it } from "vitest";
import type { Timeline } from "../api/types";
import { decode, lastUpTo } from "./decode";
import { TIMELINE } from "./example";
import { frame } from "../data/transcript.fixtures";
import { bandOf, overlayBandOf } from "./Bands";
import { chooseLanes, laneName } from "./lanes";
import { overviewPath, Score, stays, steppedPath, turnIndexAt, windowFor } from "./score";
import { positionWords, sliderText } from "./words";

const track = decode(TIMELINE);
const score = new Score(track, chooseLanes(track), { start: 0, count: 4 }, 400, 106);

describe("decode", () => {
  it("stops at decisions that judged something", () => {
    expect(track.stops.map((stop) => stop.seq)).toEqual([5, 16, 20, 30, 34, 46]);
  });

  it("leaves out what was undone", () => {
    const undone: Timeline = { ...TIMELINE, marks: TIMELINE.marks.map((mark) => (mark[1] === 4 ? [...mark.slice(0, 7), true, ...mark.slice(8)] : mark)) as Timeline["marks"] };
    expect(decode(undone).stops.at(-1)?.seq).toBe(34);
  });

  it("finds the last item up to a position", () => {
    expect(lastUpTo(track.decisions, 4)).toBe(-1);
    expect(track.decisions[lastUpTo(track.decisions, 29)]?.seq).toBe(20);
    expect(track.decisions[lastUpTo(track.decisions, 30)]?.seq).toBe(30);
  });
});

describe("chooseLanes", () => {
  const named = (count: number) => decode({ ...TIMELINE, lanes: Array.from({ length: count }, (_, place) => `n${place}`) });

  it("draws all nodes up to six", () => {
    expect(chooseLanes(named(6)).shown).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("draws only visited nodes of more", () => {
    expect(chooseLanes(named(7))).toMatchObject({ isRibbon: false, shown: [0, 1] });
  });

  it("draws one ribbon for more than six visited nodes", () => {
    const moves = Array.from({ length: 9 }, (_, place) => [place + 2, place, place + 1]) as Timeline["moves"];
    const many = decode({ ...TIMELINE, lanes: Array.from({ length: 10 }, (_, place) => `n${place}`), moves });
    expect(chooseLanes(many).isRibbon).toBe(true);
  });
});

describe("lanes of scopes", () => {
  const lanes = ["chat", "survey", "survey/a", "survey/b", "quiz", "quiz/a", "quiz/b", "quiz/aside", "quiz/aside/tell"];
  const path = (...visits: number[]) => decode({ ...TIMELINE, lanes, depths: lanes.map((name) => name.split("/").length - 1), turns: [], moves: visits.slice(1).map((to, place) => [place + 2, visits[place]!, to]) });

  it("are those of what is inside, and not of the node that was never in charge itself", () => {
    const track = path(0, 2, 3, 0, 5, 8);
    const found = chooseLanes(track);
    expect(found.shown.map((lane) => laneName(track, found, lane, true))).toEqual(["chat", "survey/a", "survey/b", "quiz/a", "quiz/b", "aside/tell"]);
  });

  it("are shared by the nodes of a scope where there are too many", () => {
    const track = path(0, 1, 2, 3, 0, 5, 6, 8);
    const found = chooseLanes(track);
    expect(found.shown.map((lane) => laneName(track, found, lane, true))).toEqual(["chat", "survey", "survey", "quiz", "aside"]);
    const geometry = new Score(track, found, { start: 0, count: 1 }, 400, 106);
    expect(geometry.y(6)).toBe(geometry.y(5));
  });
});

describe("the band of a scope", () => {
  const track = decode({ ...TIMELINE, lanes: ["chat", "survey/a", "survey/b"], depths: [0, 1, 1] });
  const geometry = new Score(track, chooseLanes(track), { start: 0, count: 4 }, 400, 106);

  it("goes from opening to closing over the lanes inside, within the window", () => {
    const band = bandOf(geometry, frame(12, "survey", { closed_seq: 40 }))!;
    expect([band.left, band.left + band.width]).toEqual([geometry.x(12), geometry.x(40)]);
    expect(band.top).toBeLessThan(geometry.y(1));
    expect(band.top + band.height).toBeGreaterThan(geometry.y(2));
    expect(bandOf(geometry, frame(12, "survey"))!.width).toBe(geometry.x(52) - geometry.x(12));
    expect(bandOf(geometry, frame(12, "other"))).toBeNull();
  });
});

describe("Score", () => {
  it("gives each turn the same width, and keeps to the order of the journal", () => {
    expect(score.x(1)).toBeCloseTo(10);
    expect(score.x(52)).toBeCloseTo(390);
    const xs = track.decisions.map((decision) => score.x(decision.seq));
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
  });

  it("finds the nearest decision", () => {
    for (const stop of track.stops) expect(score.nearest(score.x(stop.seq) + 1)?.seq).toBe(stop.seq);
    expect(score.nearest(-50)?.seq).toBe(5);
    expect(score.nearest(9999)?.seq).toBe(46);
  });

  it("draws no path through erased turns", () => {
    const turns = TIMELINE.turns.map(([number, first, last, at, , began, isUndone], place) => [number, first, last, at, 1, place < 2 ? "" : began, isUndone, 0, 0] as Timeline["turns"][number]);
    const kept = decode({ ...TIMELINE, moves: [], turns });
    expect(kept.turns.map((turn) => turn.isErased).slice(0, 3)).toEqual([true, true, false]);
    expect(stays(kept).map((stay) => stay.from)).toEqual([track.turns[2]?.first]);
    expect(overviewPath(kept, stays(kept), 5, 100, 50)).toMatch(/^M[1-9]/);
  });

  it("steps from lane to lane where the conversation moved", () => {
    expect(stays(track).map((stay) => [stay.from, stay.to, stay.lane])).toEqual([
      [1, 17, 0],
      [17, 31, 1],
      [31, 52, 0],
    ]);
    expect(steppedPath(score, stays(track), 1, 52).match(/V/g)).toHaveLength(2);
    expect(steppedPath(score, stays(track), 1, 10)).not.toContain("V");
  });
});

describe("windowFor", () => {
  it("shows everything where there is room", () => {
    expect(windowFor(Infinity, 3, 40, 4)).toEqual({ start: 0, count: 4 });
  });

  it("begins at the end, and follows the position as little as possible", () => {
    expect(windowFor(Infinity, 1999, 36, 2000)).toEqual({ start: 1964, count: 36 });
    expect(windowFor(1964, 1980, 36, 2000)).toEqual({ start: 1964, count: 36 });
    expect(windowFor(1964, 1960, 36, 2000)).toEqual({ start: 1958, count: 36 });
    expect(windowFor(0, 100, 36, 2000)).toEqual({ start: 67, count: 36 });
    expect(windowFor(67, 0, 36, 2000)).toEqual({ start: 0, count: 36 });
  });
});

describe("a conversation of 2,000 turns", () => {
  const long = decode({
    ...TIMELINE,
    turns: Array.from({ length: 2000 }, (_, turn) => [turn + 1, turn * 10 + 1, turn * 10 + 10, turn, turn % 3, "said", false, 0, 0]),
    marks: Array.from({ length: 4000 }, (_, place) => [place * 5 + 2, Math.floor(place / 2) + 1, place, 0, "false", -1, "stayed", false, "before", "", 0, "fff", 0, 0, false]),
    moves: Array.from({ length: 2000 }, (_, turn) => [turn * 10 + 5, turn % 3, (turn + 1) % 3]),
    last_seq: 20_000,
    signs: [],
    overlays: [],
  });

  it("draws only the visible part", () => {
    const wide = new Score(long, chooseLanes(long), windowFor(Infinity, 1999, 36, 2000), 1224, 92);
    const [first, last] = wide.range();
    expect([first, last]).toEqual([19_641, 20_000]);
    expect(steppedPath(wide, stays(long), first, last).match(/H/g)!.length).toBeLessThan(50);
    expect(turnIndexAt(long, 19_645)).toBe(1964);
  });
});

describe("words", () => {
  it("counts turns and decisions from one", () => {
    const selected = track.stops.find((stop) => stop.seq === 34)!;
    expect(positionWords(track, 3, selected)).toMatchObject({ turn: 3, turns: 4, decision: 2, decisions: 2, seq: 34 });
  });

  it("says the turn and the verdict", () => {
    expect(sliderText(4, track.stops.at(-1)!)).toBe("Turn 4, stayed in introduction");
    expect(sliderText(4, null)).toBe("Turn 4, nothing was judged");
  });
});

describe("signs", () => {
  const withSign = decode({ ...TIMELINE, signs: [[42, 4, 4000, "clock", "timer idle"]] });

  it("have a lane below all others, for which the others make room", () => {
    const crowded = new Score(withSign, chooseLanes(withSign), { start: 0, count: 4 }, 400, 80);
    const without = new Score(track, chooseLanes(track), { start: 0, count: 4 }, 400, 80);
    expect(withSign.signs).toEqual([{ seq: 42, turn: 4, sign: "clock", text: "timer idle" }]);
    expect(crowded.signY).toBeGreaterThan(crowded.y(2));
    expect(crowded.signY).toBeLessThan(80);
    expect(crowded.y(2)).toBeLessThan(without.y(2));
  });
});

describe("overlays", () => {
  const dressed = decode({ ...TIMELINE, overlays: [["viking_weekend", "Ragnar", 14, 30], ["advent", "", 41, null]] });
  const wide = new Score(dressed, chooseLanes(dressed), { start: 0, count: 4 }, 400, 106);

  it("are bands over all lanes, up to the end where they are still active", () => {
    const [viking, advent] = dressed.overlays.map((span) => overlayBandOf(wide, span));
    expect(viking).toMatchObject({ top: 0, height: 106 });
    expect(viking!.left).toBeGreaterThan(100);
    expect(viking!.left + viking!.width).toBeLessThan(300);
    expect(advent!.left + advent!.width).toBe(400);
  });

  it("are not drawn outside of the window", () => {
    const later = new Score(dressed, chooseLanes(dressed), { start: 3, count: 1 }, 400, 106);
    expect(overlayBandOf(later, dressed.overlays[0]!)).toBeNull();
  });
});
