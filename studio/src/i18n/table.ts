import type { Language } from "./language";

type Table = Readonly<Record<string, string>>;
let table: Table = {};
let spoken: Language = "en";

/** The language in which the page is shown. */
export const language = (): Language => spoken;

/** Show texts of a language from now on. */
export function setTexts(of: Language, texts: Table): void {
  spoken = of;
  table = texts;
}

/** The text of a key in the language of the page: the English text is the key. */
export const textOf = (key: string): string => table[key] ?? key;

export const HOLE = /\{(\w+)\}/;

/** A text of the page in its language: the English text is the key. `{name}` is replaced by a value. */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  const found = textOf(text);
  return values ? found.replace(new RegExp(HOLE, "g"), (whole, name: string) => String(values[name] ?? whole)) : found;
}
