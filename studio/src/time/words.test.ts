import { describe, expect, it } from "vitest";
import type { DueView, OverlayView } from "../api/types";
import { budgetText, dayText, deliveriesText, deliveryText, momentText, moneyText, nextText, overlayText, spanText, speakerText, tokensText, zoneText } from "./words";

const NOW = Date.UTC(2026, 10, 28, 14, 46);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("moments, by the clock of the conversation", () => {
  it.each([
    [NOW + 2 * HOUR, "Europe/Berlin", "17:46"],
    [NOW + DAY, "Europe/Berlin", "tomorrow 15:46"],
    [NOW - DAY, "Europe/Berlin", "yesterday 15:46"],
    [NOW + 3 * DAY, "Europe/Berlin", "Tue 15:46"],
    [NOW + 10 * DAY, "Europe/Berlin", "Tue 8 Dec 15:46"],
    [NOW + 400 * DAY, "UTC", "Sun 2 Jan 2028 14:46"],
    [NOW + 2 * HOUR, "Asia/Tokyo", "tomorrow 01:46"],
  ])("%d in %s", (ms, zone, words) => {
    expect(momentText(ms, NOW, zone)).toBe(words);
  });

  it("takes the reader's clock where the browser does not know the zone", () => {
    expect(dayText(NOW, NOW, "Mars/Olympus")).toBe("today");
  });

  it("says how far away it is", () => {
    expect(spanText(NOW + 2 * HOUR + 14 * 60_000, NOW)).toBe("in 2 h 14 min");
    expect(spanText(NOW, NOW)).toBe("due now");
    expect(spanText(NOW - 5 * 60_000, NOW)).toBe("due for 5 min");
  });

  it("names the zone", () => {
    expect(zoneText("America/New_York")).toBe("New York");
    expect(zoneText("UTC")).toBe("UTC");
  });
});

describe("what is next", () => {
  const due = (title: string, ms: number | null, held: DueView["held_by"] = "", fires: number | null = null): DueView => ({ kind: "timer", name: title, title, due_ms: ms, does: "", subject: "", because: "", node: "", held_by: held, can_fire: held === "" || fires !== null, fires_ms: fires });

  it("names what comes first also where an open question keeps it from being fired now", () => {
    const asked = { ...due("reminder", NOW + 3_600_000), can_fire: false };
    expect(nextText([asked, due("survey", NOW + 7_200_000)], NOW, "Europe/Berlin")).toMatch(/^Next: reminder /);
  });
  it("is the first that nothing holds", () => {
    expect(nextText([due("silence", NOW + HOUR, "scope"), due("reminder", NOW + 2 * HOUR)], NOW, "UTC")).toBe("Next: reminder today at 16:46, in 2 h");
    expect(nextText([due("silence", NOW + HOUR, "scope")], NOW, "UTC")).toBe("Next: silence today at 15:46, in 1 h");
    expect(nextText([due("survey", NOW - HOUR, "quiet", NOW + 2 * HOUR)], NOW, "UTC")).toBe("Next: survey today at 16:46, in 2 h");
    expect(nextText([], NOW, "UTC")).toBe("Nothing is due by itself");
  });
});

describe("overlays", () => {
  const viking = (more: Partial<OverlayView>): OverlayView => ({ name: "viking", title: "Viking", persona_name: "Ragnar", is_active: false, is_next: false, forced: "", is_forced_for_all: false, forced_by: "", forced_ms: null, begins_ms: null, ends_ms: null, subject: "overlay viking", ...more });
  const sunday = Date.UTC(2026, 10, 29, 23);

  it.each([
    [{ begins_ms: NOW + HOUR, ends_ms: sunday }, "begins 16:46, in 1 h"],
    [{ is_next: true, begins_ms: NOW - HOUR, ends_ms: sunday }, "by its dates until tomorrow 24:00"],
    [{ is_next: true, begins_ms: NOW - HOUR, ends_ms: sunday - HOUR }, "by its dates until tomorrow 23:00"],
    [{ is_next: true, begins_ms: NOW - HOUR }, "by its dates"],
    [{}, "no date to come"],
    [{ forced: "on" as const, forced_by: "lena", forced_ms: NOW - 60_000 }, "forced on by lena, 15:45"],
    [{ forced: "off" as const, is_forced_for_all: true, forced_ms: NOW }, "forced off for all conversations, 15:46"],
  ])("%o", (more, words) => expect(overlayText(viking(more), NOW, "Europe/Berlin")).toBe(words));

  it("say who speaks", () => {
    const advent = viking({ name: "advent", title: "Advent", persona_name: "", is_next: true, forced: "on" });
    expect(speakerText([viking({ is_next: true, ends_ms: sunday }), advent], NOW, "Europe/Berlin")).toBe("Ragnar speaks: Viking is on until tomorrow 24:00, Advent is forced on");
    expect(speakerText([viking({})], NOW, "Europe/Berlin")).toBe("");
  });
});

describe("deliveries", () => {
  it.each([
    ["waiting", 2, NOW + 4 * 60_000, "third try at 15:50"],
    ["waiting", 0, NOW, "first try now"],
    ["waiting", 0, null, "waits for an earlier one"],
    ["sending", 4, null, "being sent, 4th try"],
    ["delivered", 1, null, "arrived"],
    ["delivered", 2, null, "arrived, second try"],
    ["failed", 8, null, "given up after 8 tries"],
    ["failed", 1, null, "given up after 1 try"],
  ] as const)("%s after %d", (status, attempts, due_ms, words) => expect(deliveryText({ status, attempts, due_ms }, NOW, "Europe/Berlin")).toBe(words));

  it("are summed up", () => {
    expect(deliveriesText([{ status: "waiting" }, { status: "sending" }, { status: "failed" }])).toBe("2 on the way, 1 failed");
    expect(deliveriesText([{ status: "delivered" }])).toBe("1 arrived");
  });
});

describe("money and tokens", () => {
  it.each([
    [0, "$0"],
    [0.42, "$0.42"],
    [12.5, "$12.50"],
    [0.0214, "$0.021"],
    [0.00213, "$0.0021"],
    [1e-7, "under $0.000001"],
  ])("%d", (dollars, words) => expect(moneyText(dollars)).toBe(words));

  it("has the sign of its currency", () => {
    expect(moneyText(0.5, "EUR")).toBe("€0.50");
    expect(moneyText(3.1, "CHF")).toBe("CHF 3.10");
  });

  it.each([
    [{ then: "ask" }, "", "then the user is asked"],
    [{ then: "ask", left: 0 }, "", "used up, then the user is asked"],
    [{ then: "ask", left: 0 }, "b", "reached: the user is asked"],
    [{ then: "model", left: 0, is_reached: true }, "", "reached: the cheaper model"],
    [{ then: "end" }, "", "then it ends"],
  ] as const)("of a budget %o, asked about “%s”", (more, asked, words) => {
    expect(budgetText({ name: "b", is_reached: false, left: 1, ...more }, asked)).toBe(words);
  });

  it.each([
    [812, "812"],
    [4100, "4.1 k"],
    [1_240_000, "1.2 M"],
  ])("%d tokens", (tokens, words) => expect(tokensText(tokens)).toBe(words));
});
