// Why a candidate was not judged, or held and was not taken, in the language of the page. The engine says it in English.

import { inWords } from "../../data/names";
import { t } from "../../i18n/t";

const WHOLE: Readonly<Record<string, string>> = {
  "offered to the model": t("offered to the model"),
  "a transition that was blocked": t("a transition that was blocked"),
  "a mirror only describes, it never fires": t("a mirror only describes, it never fires"),
  "judging had ended": t("judging had ended"),
  "the form was stopped": t("the form was stopped"),
  "the form was cancelled": t("the form was cancelled"),
  "the form was handed over before it was confirmed": t("the form was handed over before it was confirmed"),
  "the same message asked to stop, or for a person": t("the same message asked to stop, or for a person"),
  "nothing that it reads has changed since it was judged": t("nothing that it reads has changed since it was judged"),
  "nothing that it reads has changed since it was judged; it held then": t("nothing that it reads has changed since it was judged; it held then"),
  "nothing that it reads has changed since it was judged; it did not hold then": t("nothing that it reads has changed since it was judged; it did not hold then"),
  "nothing that it reads has changed since it was judged; it was unknown then": t("nothing that it reads has changed since it was judged; it was unknown then"),
  "nothing that it reads has changed since it was judged; it was in error then": t("nothing that it reads has changed since it was judged; it was in error then"),
};

const NAMED: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^judging ended at (.+)$/, (name) => t("judging ended at {name}", { name })],
  [/^the timer that fired is (.+)$/, (name) => t("the timer that fired is {name}", { name })],
  [/^the event that came is (.+)$/, (name) => t("the event that came is {name}", { name })],
];

/** Returns the reason of the engine in the language of the page; another one, such as a failure, as it stands. */
export function byWords(by: string): string {
  for (const [pattern, words] of NAMED) {
    const name = pattern.exec(by)?.[1];
    if (name) return words(inWords(name));
  }
  return WHOLE[by] ?? by;
}
