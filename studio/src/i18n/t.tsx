import { Fragment, type ReactNode } from "react";
import { wantedLanguage } from "./language";
import { tn } from "./numbers";
import { HOLE, language, setTexts, t, textOf } from "./table";

export { language, setTexts, t, tn };

/** A text of the page with elements in place of values. */
export function tx(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  return textOf(text)
    .split(new RegExp(HOLE, "g"))
    .map((part, at) => <Fragment key={at}>{at % 2 ? values[part] : part}</Fragment>);
}

/** Load the texts of the page. It is loaded anew when its language changes, so that texts may be read by modules, too. */
export async function startLanguage(): Promise<void> {
  const wanted = wantedLanguage();
  if (wanted === "de") setTexts(wanted, (await import("./de")).GERMAN);
  if (typeof document !== "undefined") document.documentElement.lang = language();
}

await startLanguage(); // each module of the page that has texts waits for this one
