import { describe, expect, it } from "vitest";
import type { DueView, OverlayView, TimeView } from "../api/types";
import { overlayBandOf } from "./Bands";
import { comingOf, laterIn } from "./coming";
import { decode } from "./decode";
import { TIMELINE } from "./example";
import { chooseLanes } from "./lanes";
import { Score } from "./score";

const NOW = Date.UTC(2026, 10, 20, 10);
const HOUR = 3_600_000;

const due = (name: string, more: Partial<DueView>): DueView => ({ kind: "schedule", name, title: name, due_ms: null, does: "", subject: "", because: "", node: "", held_by: "", can_fire: true, fires_ms: null, ...more });
const overlay = (name: string, more: Partial<OverlayView>): OverlayView => ({
  ...{ name, title: name, persona_name: "", is_active: false, is_next: false, forced: "", is_forced_for_all: false, forced_by: "", forced_ms: null, begins_ms: null, ends_ms: null, subject: "" },
  ...more,
});
const view = (dues: DueView[], overlays: OverlayView[] = []) => ({ time_zone: "UTC", due: dues, offers: [], overlays }) as unknown as TimeView;

describe("comingOf", () => {
  it("puts schedules, timers and overlays in the order of their times", () => {
    const found = comingOf(
      view(
        [due("evening", { due_ms: NOW + 8 * HOUR, does: "leaves a text" }), due("left", { kind: "timer", due_ms: NOW + HOUR, fires_ms: NOW + 9 * HOUR, held_by: "quiet" })],
        [overlay("viking", { is_next: true, ends_ms: Date.UTC(2026, 10, 23) }), overlay("advent", { begins_ms: Date.UTC(2026, 11, 1) })],
      ),
      NOW,
    );
    expect(found.map((one) => [one.when, one.text])).toEqual([
      ["18:00", "evening: leaves a text"],
      ["19:00", "left; waits for the end of its quiet hours"],
      ["Sun 24:00", "viking ends"],
      ["Tue 1 Dec 00:00", "advent begins"],
    ]);
  });

  it("leaves out what has no time, and what is forced, for that has no end", () => {
    const overlays = [overlay("a", { is_next: true, forced: "on", ends_ms: NOW + HOUR }), overlay("b", { forced: "off", begins_ms: NOW + HOUR }), overlay("c", { is_next: true })];
    expect(comingOf(view([due("never", {})], overlays), NOW)).toEqual([]);
  });

  it("says of what is late that it is due", () => {
    expect(comingOf(view([due("late", { due_ms: NOW - HOUR, held_by: "form" })]), NOW)[0]).toMatchObject({ when: "due now", text: "late; waits while a form asks" });
  });
});

describe("laterIn", () => {
  const coming = comingOf(view([1, 2, 3, 4, 5].map((hours) => due(`d${hours}`, { due_ms: NOW + hours * HOUR })), [overlay("o", { is_next: true, ends_ms: NOW + HOUR / 2 })]), NOW);

  it("shows the next ones that fit into a third of the width, and takes no room for none", () => {
    const later = laterIn(900, coming);
    expect(later.shown.map((one) => one.key)).toEqual(["overlay o", "schedule d1 "]);
    expect(later.left).toBe(900 - 2 * 126);
    expect(later.shown.every((_, place) => later.x(place) > later.left && later.x(place) + 105 < 900)).toBe(true);
    expect(laterIn(900, []).left).toBe(900);
    expect(laterIn(200, coming)).toMatchObject({ shown: [], left: 200 });
  });

  it("lets the band of an overlay go on up to its end, or through all that comes", () => {
    const track = decode(TIMELINE);
    const later = laterIn(900, coming);
    const score = new Score(track, chooseLanes(track), { start: 0, count: 4 }, later.left, 106, true);
    const band = (name: string, to: number | null) => overlayBandOf(score, { name, persona: "", from: 20, to } as never, later)!;
    expect(band("o", null).left + band("o", null).width).toBeCloseTo(later.x(0));
    expect(band("other", null).left + band("other", null).width).toBeCloseTo(900);
    expect(band("o", 30).left + band("o", 30).width).toBeCloseTo(score.x(30));
    expect(score.hasSigns).toBe(true);
  });
});
