/** Numbers and dates as people write them in the language of the page. */

import type { Language } from "./language";
import { language, t } from "./table";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

/** The locale in which the page writes dates. */
export const locale = (): string => LOCALES[language()];

/** A count with marks between thousands: `1,200`. */
export const numberText = (value: number): string => value.toLocaleString(locale());

/** Digits that were written with a decimal point, with the decimal mark of the language: `0.84`. */
export const decimals = (digits: string): string => (language() === "de" ? digits.replace(".", ",") : digits);

/** A text for one, or for another number: `{n}` is the number. */
export const tn = (n: number, one: string, several: string, values: Readonly<Record<string, string | number>> = {}): string => t(n === 1 ? one : several, { ...values, n: numberText(n) });
