import { t } from "../i18n/t";
import type { Message, Seam, UnderstoodValue } from "../api/types";
import { isSame } from "../data/store";
import { valueText } from "../panel/format";

/** A line of a turn: a message, with the label of the button that was pressed, or a decision where it was made. */
export type Item = { kind: "message"; seq: number; message: Message; label: string } | { kind: "seam"; seq: number; seam: Seam; number: number };

/** A turn of the transcript. */
export type Turn = { number: number; items: readonly Item[]; isUndone: boolean };

/**
 * Messages and decisions by turn, in the order in which they happened. Turns that did not change are the same objects
 * as in `before`, so that they are not drawn again.
 */
export function groupTurns(messages: readonly Message[], seams: readonly Seam[], before: readonly Turn[] = []): readonly Turn[] {
  const byNumber = new Map<number, Item[]>();
  const at = (number: number) => {
    const known = byNumber.get(number);
    if (known) return known;
    const made: Item[] = [];
    byNumber.set(number, made);
    return made;
  };
  let buttons: Message["buttons"] = [];
  for (const message of messages) {
    const pressed = message.by === "button" ? buttons.find((button) => button.value === message.text) : undefined;
    if (message.buttons.length) buttons = message.buttons;
    at(message.turn).push({ kind: "message", seq: message.seq, message, label: pressed?.label ?? message.text });
  }
  const counts = new Map<number, number>();
  for (const seam of seams) {
    const number = (counts.get(seam.turn) ?? 0) + 1;
    counts.set(seam.turn, number);
    at(seam.turn).push({ kind: "seam", seq: seam.seq, seam, number });
  }
  const old = new Map(before.map((turn) => [turn.number, turn]));
  return [...byNumber]
    .sort(([a], [b]) => a - b)
    .map(([number, items]) => {
      items.sort((a, b) => a.seq - b.seq);
      const spoken = items.filter((item) => item.kind === "message");
      const turn = { number, items, isUndone: spoken.length > 0 && spoken.every((item) => item.message.is_undone) };
      const known = old.get(number);
      return known && isSameTurn(known, turn) ? known : turn;
    });
}

const content = (item: Item) => (item.kind === "message" ? item.message : item.seam);

const isSameTurn = (a: Turn, b: Turn): boolean => a.isUndone === b.isUndone && isSame(a.items.map(content), b.items.map(content));

/**
 * What answered the question of a turn, one per line: the values that were understood of it, or else the button or the
 * words. A button that was refused, words that were not understood, and what an undo took back answer nothing.
 */
export function answerTo(turns: readonly Turn[], index: number): string {
  const [asking, next] = [turns[index], turns[index + 1]].map((turn) => (turn?.items ?? []).flatMap((item) => (item.kind === "message" ? [item.message] : [])));
  const said = next?.find(({ by }) => by === "button" || by === "user");
  if (!said || said.is_undone || next?.some(({ kind }) => kind === "stale_button")) return "";
  if (!said.understood.length) return said.note ? "" : said.text;
  const asked = asking?.findLast(({ form }) => form)?.form?.asked;
  const answers = said.understood.filter(({ field }) => !asked || field === asked || field.startsWith(`${asked}[`));
  return answers.map((one) => (one.did === "set" ? valueText(one.value) : understoodText(one))).join("\n");
}

/** The values of an item, or the entries of a list, in order. */
const valuesOf = (value: object): string =>
  Object.values(value)
    .flatMap((one) => (one === null || one === "" ? [] : [typeof one === "object" ? valuesOf(one as object) : valueText(one)]))
    .join(", ");

/** What became of a value that was understood: `= Large`, `added: Large Salami without Olives`, `removed`. */
export function understoodText({ did, value, item }: UnderstoodValue): string {
  if (did === "removed") return item?.text ? t("removed: {item}", { item: item.text }) : t("removed");
  if (did === "moved") return t("moved to position {value}", { value: String(value) });
  if (did === "added") return t("added: {values}", { values: item?.text || valuesOf(value as object) || t("without values") });
  return value === null && did === "changed" ? t("removed") : `= ${valueText(value)}`;
}

/** A text cut at the places where values were understood. Offsets count code points, as the server does. */
export type Words = { text: string; field: string | null; start: number; end: number };

/** Cut a message into pieces with and without a value. Overlaps keep the first value. */
export function wordsOf(message: Pick<Message, "text" | "understood">): Words[] {
  const points = Array.from(message.text);
  const spans = message.understood
    .map((one) => ({ field: one.field, start: one.start ?? 0, end: Math.min(one.end ?? 0, points.length) }))
    .filter((one) => one.end > one.start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const words: Words[] = [];
  let at = 0;
  const push = (field: string | null, start: number, end: number) => {
    if (end > start) words.push({ text: points.slice(start, end).join(""), field, start, end });
  };
  for (const span of spans) {
    if (span.start < at) continue;
    push(null, at, span.start);
    push(span.field, span.start, span.end);
    at = span.end;
  }
  push(null, at, points.length);
  return words;
}
