/** Renders values, durations and times as short text. */

import { getSettings } from "../data/settings";
import { decimals } from "../i18n/numbers";
import { t, tn } from "../i18n/t";

export const REDACTED = "[secret]";
export const HIDDEN = t("•••• secret");

/** Returns a value as it is read in tables: lists with commas, text without quotes, yes or no. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return t("not known");
  if (value === REDACTED) return HIDDEN;
  if (typeof value === "string") return value === "" ? t("(empty text)") : value;
  if (Array.isArray(value)) return value.length ? value.map(valueText).join(", ") : t("(empty list)");
  if (typeof value === "boolean" && !getSettings().isTechnical) return value ? t("Yes") : t("No");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a value as source text: strings with quotes, so that `"3"` and `3` differ. */
export function literalText(value: unknown): string {
  if (value === REDACTED) return HIDDEN;
  return value === undefined ? "null" : JSON.stringify(value);
}

/** Returns a clause of the server as a sentence: with a capital letter and a full stop. */
export const asSentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

/** Returns a duration with two significant units: `0.84 s`, `1 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 1000) return ms < 10 ? `${decimals((ms / 1000).toFixed(2))} s` : `${Math.round(ms)} ms`;
  if (ms < 60_000) return ms < 10_000 ? `${decimals((ms / 1000).toFixed(2))} s` : `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const pairs: [number, string][] = [
    [Math.floor(seconds / 86_400), t("d")],
    [Math.floor((seconds % 86_400) / 3600), t("h")],
    [Math.floor((seconds % 3600) / 60), "min"],
    [seconds % 60, "s"],
  ];
  const first = pairs.findIndex(([count]) => count > 0);
  return pairs
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

export function costText(dollars: number): string {
  if (dollars === 0) return "$0";
  return `$${decimals(dollars < 0.01 ? dollars.toPrecision(2) : dollars.toFixed(3))}`;
}

const two = (part: number): string => String(part).padStart(2, "0");

/** A time of the day, in the reader's time zone: `10:13:25`. */
export function clockText(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
}

export function dateTimeText(ms: number): string {
  const at = new Date(ms);
  return `${[at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-")} ${clockText(ms)}`;
}

/** A time in the reader's time zone: `10:13`, on another day than today with its date. */
export function momentText(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return isToday ? clockText(ms).slice(0, 5) : dateTimeText(ms).slice(0, 16);
}

const COUNTED = {
  call: (n: number) => tn(n, "1 call", "{n} calls"),
  candidate: (n: number) => tn(n, "1 rule", "{n} rules"),
  conversation: (n: number) => tn(n, "1 conversation", "{n} conversations"),
  decision: (n: number) => tn(n, "1 decision", "{n} decisions"),
  event: (n: number) => tn(n, "1 event", "{n} events"),
  field: (n: number) => tn(n, "1 field", "{n} fields"),
  guard: (n: number) => tn(n, "1 condition", "{n} conditions"),
  message: (n: number) => tn(n, "1 message", "{n} messages"),
  "model call": (n: number) => tn(n, "1 model call", "{n} model calls"),
  "more field": (n: number) => tn(n, "1 more field", "{n} more fields"),
  error: (n: number) => tn(n, "1 error", "{n} errors"),
  warning: (n: number) => tn(n, "1 warning", "{n} warnings"),
  turn: (n: number) => tn(n, "1 turn", "{n} turns"),
  token: (n: number) => tn(n, "1 token", "{n} tokens"),
  "later request": (n: number) => tn(n, "1 later request", "{n} later requests"),
  "open conversation": (n: number) => tn(n, "1 open conversation", "{n} open conversations"),
  "stored conversation": (n: number) => tn(n, "1 stored conversation", "{n} stored conversations"),
};

/** Returns a count with its noun: `1 rule`, `3 rules`. */
export const countText = (count: number, noun: keyof typeof COUNTED): string => COUNTED[noun](count);
