// What comes after the last turn, as the timeline draws it: in order, not to scale, for the next one may be minutes or months away.

import { t } from "../i18n/t";
import type { TimeView } from "../api/types";
import { endText, firesAt, heldText, momentText } from "../time/words";
import type { Sign } from "../ui/signs";

/** Something that happens by itself later, if nothing else happens before. */
export interface Coming {
  readonly key: string;
  readonly sign: Sign;
  readonly at: number;
  /** When, as the label beside the mark: `tomorrow 18:00`. */
  readonly when: string;
  /** What, and why it waits: `Evening: leaves a text for the next reply`. */
  readonly text: string;
  /** The overlay that ends there. */
  readonly ends: string;
}

/** No place for what comes is narrower, so that its time can be read. */
const MIN_PLACE = 126;
/** What comes takes at most this part of the timeline. */
const PART = 0.34;

/** All that comes, the next first; what has no time yet is left out. */
export function comingOf(view: TimeView, now: number): Coming[] {
  const zone = view.time_zone;
  const due = view.due.flatMap((one): Coming[] => {
    const at = firesAt(one);
    if (at === null) return [];
    const text = [one.title, one.does].filter(Boolean).join(": ");
    const held = heldText(one);
    const when = at < now ? t("due now") : momentText(at, now, zone);
    return [{ key: `${one.kind} ${one.name} ${one.node}`, sign: "clock", at, when, text: held ? `${text}; ${held}` : text, ends: "" }];
  });
  const overlays = view.overlays.flatMap((one): Coming[] => {
    const ends = one.is_next && !one.forced && one.ends_ms !== null && one.ends_ms > now;
    const at = ends ? one.ends_ms : one.is_next || one.forced ? null : one.begins_ms;
    if (at === null || at <= now) return [];
    const when = ends ? endText(at, now, zone) : momentText(at, now, zone);
    return [{ key: `overlay ${one.name}`, sign: "overlay", at, when, text: ends ? t("{title} ends", { title: one.title }) : t("{title} begins", { title: one.title }), ends: ends ? one.name : "" }];
  });
  return [...due, ...overlays].sort((a, b) => a.at - b.at);
}

/** The part of the timeline for what comes, behind the turns. */
export class Later {
  readonly left: number;

  constructor(
    readonly shown: readonly Coming[],
    readonly width: number,
    /** The width of the whole timeline. */
    readonly whole: number,
  ) {
    this.left = whole - width;
  }

  x(place: number): number {
    return this.left + ((place + 0.15) / Math.max(1, this.shown.length)) * this.width;
  }

  /** Where an overlay ends, if that is drawn. */
  endOf(overlay: string): number | null {
    const place = this.shown.findIndex((one) => one.ends === overlay);
    return place < 0 ? null : this.x(place);
  }
}

/** The place for what comes in a timeline of a width: only as much as fits, the next first. */
export function laterIn(whole: number, coming: readonly Coming[]): Later {
  const room = Math.floor((whole * PART) / MIN_PLACE);
  const shown = coming.slice(0, room);
  return new Later(shown, shown.length * MIN_PLACE, whole);
}
