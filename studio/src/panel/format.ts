/** Renders values, durations and times as short text. */

export const REDACTED = "[secret]";
export const HIDDEN = "•••• secret";

/** Returns a value as it is read in tables: lists with commas, text without quotes. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "missing";
  if (value === REDACTED) return HIDDEN;
  if (typeof value === "string") return value === "" ? "(empty text)" : value;
  if (Array.isArray(value)) return value.length ? value.map(valueText).join(", ") : "(empty list)";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a value as source text: strings with quotes, so that `"3"` and `3` differ. */
export function literalText(value: unknown): string {
  if (value === REDACTED) return HIDDEN;
  return value === undefined ? "null" : JSON.stringify(value);
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

/** Returns a duration with two significant units: `0.84 s`, `1 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 1000) return ms < 10 ? `${(ms / 1000).toFixed(2)} s` : `${Math.round(ms)} ms`;
  if (ms < 60_000) return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const pairs: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor((seconds % 86_400) / 3600), "h"],
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
  return dollars < 0.01 ? `$${dollars.toPrecision(2)}` : `$${dollars.toFixed(3)}`;
}

export function clockText(ms: number): string {
  return new Date(ms).toLocaleTimeString("en-GB", { hour12: false });
}

export function dateTimeText(ms: number): string {
  const at = new Date(ms);
  return `${at.toLocaleDateString("en-CA")} ${clockText(ms)}`;
}

/** Returns a count with its noun: `1 candidate`, `3 candidates`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
