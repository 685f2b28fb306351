// Which document of a flow is open, and which line of it stands out. The source view and the list of files share it.

import { Store, useStore } from "../data/store";

export interface SourcePlace {
  readonly flow: string;
  /** The path of the document; empty is the flow's own. */
  readonly file: string;
  /** The line that is shown; 0 for the beginning. */
  readonly line: number;
  /** Counts what was asked for, so that the same line can be asked for again. */
  readonly asked: number;
  /** Whether the cursor goes there. */
  readonly hasFocus: boolean;
}

const place = new Store<{ now: SourcePlace }>({ now: { flow: "", file: "", line: 0, asked: 0, hasFocus: false } });

/** Open a document at a line. */
export function showPlace(flow: string, file: string, line: number, hasFocus = false): void {
  place.set(({ now }) => ({ now: { flow, file, line, asked: now.asked + 1, hasFocus } }));
}

const NONE: SourcePlace = { flow: "", file: "", line: 0, asked: 0, hasFocus: false };

/** The open place of a flow. */
export function usePlace(flow: string): SourcePlace {
  const now = useStore(place, (value) => value.now);
  return now.flow === flow ? now : NONE;
}

/** The end of an address that opens the page of a flow at a line: `#L12`, `#L12:lib/people.dy`. */
export const placeHash = (line: number, name = ""): string => `#L${line}${name ? `:${encodeURI(name)}` : ""}`;

/** The line and the name of the document that such an end means; `null` where it is none. */
export function parsePlace(hash: string): { line: number; name: string } | null {
  const found = /^#L(\d+)(?::(.+))?$/.exec(hash);
  if (!found) return null;
  try {
    return { line: Number(found[1]), name: decodeURI(found[2] ?? "") };
  } catch {
    return { line: Number(found[1]), name: found[2] ?? "" };
  }
}
