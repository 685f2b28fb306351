import { Fragment, type ReactNode } from "react";
import { wantedLanguage, type Language } from "./language";

type Table = Readonly<Record<string, string>>;
let table: Table = {};
let spoken: Language = "en";

/** The language in which the page is shown. */
export const language = (): Language => spoken;

/** Load the texts of the page; the English ones are the keys themselves. The page is loaded anew when this changes. */
export async function startLanguage(wanted: Language = wantedLanguage()): Promise<void> {
  if (wanted === "de") setTexts(wanted, (await import("./de")).GERMAN);
  if (typeof document !== "undefined") document.documentElement.lang = spoken;
}

/** Show texts of a language from now on; for tests, and for `startLanguage`. */
export function setTexts(of: Language, texts: Table): void {
  spoken = of;
  table = texts;
}

const HOLE = /\{(\w+)\}/;

/** A text of the page in its language: the English text is the key. `{name}` is replaced by a value. */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  const found = table[text] ?? text;
  return values ? found.replace(new RegExp(HOLE, "g"), (whole, name: string) => String(values[name] ?? whole)) : found;
}

/** The same with elements in place of values. */
export function tx(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  return (table[text] ?? text).split(new RegExp(HOLE, "g")).map((part, at) => <Fragment key={at}>{at % 2 ? values[part] : part}</Fragment>);
}

/** A text for one, or for another number: `{n}` is the number. */
export const tn = (n: number, one: string, several: string): string => t(n === 1 ? one : several, { n });

await startLanguage(); // each module that has texts waits for this one
