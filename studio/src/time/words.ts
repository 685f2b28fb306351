// The words for moments and spans of the tab Time, in the time zone of the conversation.

import type { BudgetUse, DeliveryView, DueView, OverlayView } from "../api/types";
import { durationText } from "../panel/format";
import { decimals, locale } from "../i18n/numbers";
import { t, tn } from "../i18n/t";

const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format in a time zone; one that this browser does not know is replaced by the reader's. */
function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()} ${zone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat(locale(), { ...options, timeZone: zone || undefined });
  } catch {
    made = new Intl.DateTimeFormat(locale(), options);
  }
  formats.set(key, made);
  return made;
}

const dateOf = (ms: number, zone: string): string => formatOf(zone, { year: "numeric", month: "2-digit", day: "2-digit" }).format(ms);
const timeOf = (ms: number, zone: string): string => formatOf(zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(ms);

/** The day of a moment: `today`, `tomorrow`, `Sun`, `Tue 8 Dec`, `Tue 8 Dec 2027`. */
export function dayText(ms: number, now: number, zone: string): string {
  if (dateOf(ms, zone) === dateOf(now, zone)) return t("today");
  if (dateOf(ms, zone) === dateOf(now + DAY, zone)) return t("tomorrow");
  if (dateOf(ms, zone) === dateOf(now - DAY, zone)) return t("yesterday");
  if (Math.abs(ms - now) < 6 * DAY) return formatOf(zone, { weekday: "short" }).format(ms);
  const isFar = Math.abs(ms - now) > 300 * DAY;
  return formatOf(zone, { weekday: "short", day: "numeric", month: "short", ...(isFar ? { year: "numeric" } : {}) }).format(ms).replace(",", "");
}

/** A moment: `18:00` today, `tomorrow 18:00`, `Tue 8 Dec 10:00`. */
export function momentText(ms: number, now: number, zone: string): string {
  const isToday = dateOf(ms, zone) === dateOf(now, zone);
  return isToday ? timeOf(ms, zone) : `${dayText(ms, now, zone)} ${timeOf(ms, zone)}`;
}

/** How far away a moment is: `in 2 h 14 min`, `due now`, `4 min ago`. */
export function spanText(ms: number, now: number): string {
  const left = ms - now;
  if (left <= 0) return left > -1000 * 60 ? t("due now") : t("due for {x}", { x: durationText(-left) });
  return t("in {x}", { x: durationText(Math.max(1000, left)) });
}

/** A time zone as people call it: `Berlin`, `New York`. */
export const zoneText = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

const WAITS: Record<DueView["held_by"], string> = {
  "": "",
  scope: t("waits until the inner conversation closes"),
  form: t("waits while a form asks"),
  approval: t("waits for an approval"),
  person: t("waits while a person takes part"),
  offer: t("waits for the answer to another offer"),
  quiet: t("waits for the end of its quiet hours"),
  pause: t("waits for a pause of the user"),
  budget: t("waits for the answer about a budget"),
};

/** Why something that is due waits; empty where it does not. */
export const heldText = ({ held_by }: DueView): string => WAITS[held_by];

/** Why an overlay is on or off, and until or from when: `by its dates until Sun 24:00`. */
export function overlayText(overlay: OverlayView, now: number, zone: string): string {
  const { forced, forced_by, forced_ms, is_forced_for_all, begins_ms, ends_ms } = overlay;
  if (forced) {
    const by = forced_by ? t(" by {by}", { by: forced_by }) : "";
    const at = forced_ms === null ? "" : `, ${momentText(forced_ms, now, zone)}`;
    return t("forced {forced}{x}{by}{at}", { forced, x: is_forced_for_all ? t(" for all conversations") : "", by, at });
  }
  if (begins_ms !== null && begins_ms > now) return t("begins {begins_ms}, {begins_ms2}", { begins_ms: momentText(begins_ms, now, zone), begins_ms2: spanText(begins_ms, now) });
  if (overlay.is_next) return ends_ms === null ? t("by its dates") : t("by its dates until {ends_ms}", { ends_ms: endText(ends_ms, now, zone) });
  return t("no date to come");
}

/** The end of a span of days: midnight is the end of the day before, `Sun 24:00`. */
export function endText(ms: number, now: number, zone: string): string {
  if (timeOf(ms, zone) !== "00:00") return momentText(ms, now, zone);
  return `${dayText(ms - 1, now, zone)} 24:00`;
}

/** Who speaks now and why, below the headline: `Ragnar speaks: Viking weekend is on until Sun 24:00`. */
export function speakerText(overlays: readonly OverlayView[], now: number, zone: string): string {
  const active = overlays.filter((one) => one.is_next);
  const speaker = active.find((one) => one.persona_name)?.persona_name ?? "";
  const each = active.map((one) => t("{title} is {x}", { title: one.title, x: one.forced ? t("forced on") : one.ends_ms === null ? t("on") : t("on until {ends_ms}", { ends_ms: endText(one.ends_ms, now, zone) }) }));
  if (!each.length) return "";
  return `${speaker ? t("{speaker} speaks: ", { speaker }) : ""}${each.join(", ")}`;
}

/** When something fires, as far as that is known: later than it is due where it waits for a moment. */
export const firesAt = ({ due_ms, fires_ms }: DueView): number | null => fires_ms ?? due_ms;

/** Whether something fires at a known time if nothing else happens; one that an open question holds may not be fired at once, and still comes. */
export const firesByItself = ({ held_by, fires_ms }: DueView): boolean => held_by === "" || fires_ms !== null;

/** What the tab says first: `Next: turned_away at 18:00, in 2 h 14 min`. */
export function nextText(due: readonly DueView[], now: number, zone: string): string {
  const next = due.find(firesByItself) ?? due[0];
  const at = next ? firesAt(next) : null;
  if (!next || at === null) return t("Nothing is due by itself");
  return t("Next: {title} {at} at {at2}, {at3}", { title: next.title, at: dayText(at, now, zone), at2: timeOf(at, zone), at3: spanText(at, now) });
}

const TRIES = ["", t("first try"), t("second try"), t("third try")];

/** How a delivery stands: `third try at 15:50`, `arrived, second try`, `given up after 8 tries`. */
export function deliveryText({ status, attempts, due_ms }: Pick<DeliveryView, "status" | "attempts" | "due_ms">, now: number, zone: string): string {
  const nth = (count: number) => TRIES[count] ?? t("{count}th try", { count });
  switch (status) {
    case "waiting":
      return due_ms === null ? t("waits for an earlier one") : due_ms <= now ? t("{attempts} now", { attempts: nth(attempts + 1) }) : t("{attempts} at {due_ms}", { attempts: nth(attempts + 1), due_ms: momentText(due_ms, now, zone) });
    case "sending":
      return t("being sent, {attempts}", { attempts: nth(attempts) });
    case "delivered":
      return attempts > 1 ? t("arrived, {attempts}", { attempts: nth(attempts) }) : t("arrived");
    default:
      return t("given up after {x}", { x: tn(attempts, "1 try", "{n} tries") });
  }
}

/** How all deliveries stand together: `1 waits, 2 failed`. */
export function deliveriesText(deliveries: readonly Pick<DeliveryView, "status">[]): string {
  const count = (...states: DeliveryView["status"][]) => deliveries.filter(({ status }) => states.includes(status)).length;
  const parts = [
    [count("waiting", "sending"), t("on the way")],
    [count("failed"), t("failed")],
    [count("delivered"), t("arrived")],
  ] as const;
  return parts.flatMap(([number, words]) => (number ? [`${number} ${words}`] : [])).join(", ");
}

const SIGNS: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£" };

/** Money as people write it: `$0`, `$0.42`, `€0.0021`, `CHF 3.10`. */
export function moneyText(amount: number, currency = "USD"): string {
  const sign = SIGNS[currency] ?? `${currency} `;
  if (amount === 0) return `${sign}0`;
  if (amount >= 0.095) return `${sign}${decimals(amount.toFixed(2))}`;
  return amount < 1e-6 ? t("under {money}", { money: sign + decimals("0.000001") }) : sign + decimals(Number(amount.toPrecision(2)).toFixed(Math.min(6, 1 - Math.floor(Math.log10(amount)))));
}

const THEN: Readonly<Record<BudgetUse["then"], string>> = { ask: t("then the user is asked"), hand_over: t("then a person takes over"), model: t("then a cheaper model"), end: t("then it ends") };

/** What comes, or came, of a budget. */
export function budgetText(budget: Pick<BudgetUse, "name" | "then" | "is_reached" | "left">, asked: string): string {
  if (budget.name === asked) return t("reached: the user is asked");
  if (budget.is_reached) return t("reached: the cheaper model");
  return budget.left <= 0 && budget.then !== "model" ? t("used up, {x}", { x: THEN[budget.then] }) : THEN[budget.then];
}

/** A count of tokens: `812`, `4.1 k`, `1.2 M`. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 999_950 ? `${decimals((tokens / 1000).toFixed(1))} k` : `${decimals((tokens / 1e6).toFixed(1))} M`;
}
