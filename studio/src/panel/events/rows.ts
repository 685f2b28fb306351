/** The rows of the list of events: a heading per turn, and a row per position in the journal, loaded or not. */

import { eventLine } from "../../i18n/texts";
import type { EventRow, TimelineTurn } from "../../api/types";
import { kindText } from "./kinds";

export type ListRow = { kind: "turn"; turn: number; count: number; isUndone: boolean } | { kind: "event"; seq: number; turn: number };

interface Block {
  start: number;
  first: number;
  last: number;
  turn: number;
  isUndone: boolean;
}

/** The rows of a whole conversation, made on demand: 2,000 turns cost no more than those on the screen. */
export class EventRows {
  private readonly blocks: Block[] = [];
  readonly length: number;

  constructor(turns: readonly TimelineTurn[]) {
    let start = 0;
    for (const [turn, first, last, , , , isUndone] of turns) {
      this.blocks.push({ start, first, last, turn, isUndone });
      start += last - first + 2;
    }
    this.length = start;
  }

  at(index: number): ListRow | undefined {
    const block = this.blocks[this.blockOf((one) => one.start <= index)];
    if (!block || index >= this.length || index < 0) return undefined;
    if (index === block.start) return { kind: "turn", turn: block.turn, count: block.last - block.first + 1, isUndone: block.isUndone };
    return { kind: "event", seq: block.first + index - block.start - 1, turn: block.turn };
  }

  /** Returns the index of the row of a position, or -1. */
  indexOf(seq: number): number {
    const block = this.blocks[this.blockOf((one) => one.first <= seq)];
    return block && seq <= block.last ? block.start + 1 + seq - block.first : -1;
  }

  /** Returns the turn of a position, or 0. */
  turnOf(seq: number): number {
    const row = this.at(this.indexOf(seq));
    return row?.turn ?? 0;
  }

  /** Returns the last block for which a test holds; blocks are ordered. */
  private blockOf(holds: (block: Block) => boolean): number {
    let low = 0;
    let high = this.blocks.length - 1;
    let found = -1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const block = this.blocks[middle];
      if (block && holds(block)) {
        found = middle;
        low = middle + 1;
      } else high = middle - 1;
    }
    return found;
  }
}

/** Returns whether an event has all words of a filter in its kind, its line or its data. */
export function matches(event: EventRow, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return true;
  const text = searchText(event);
  return words.every((word) => text.includes(word));
}

const texts = new WeakMap<EventRow, string>();

function searchText(event: EventRow): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const made = `${event.seq} ${kindText(event.kind)} ${event.kind} ${event.line} ${eventLine(event)} turn:${event.turn} ${JSON.stringify(event.event)}`.toLowerCase();
  texts.set(event, made);
  return made;
}
