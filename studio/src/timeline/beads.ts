// Marks that would lie on each other become one bead with their number.

import type { Decision } from "./decode";

/** Two marks nearer than this lie on each other: a mark is 20 px wide. */
export const BEAD = 19;

/** Decisions that stand at one place of the timeline: the one that is shown, and how many there are. */
export interface Bead {
  readonly shown: Decision;
  readonly count: number;
  readonly x: number;
  readonly y: number;
}

/** What is worth more to be seen where only one of several can be. */
const WEIGHT: Record<string, number> = { error: 5, blocked: 4, taken: 3, unknown: 2, false: 1 };
const weightOf = (one: Decision, current: number | null): number => (one.seq === current ? 9 : one.target >= 0 ? 3 : (WEIGHT[one.mark] ?? 0));

/** Join decisions of one height that are too near to each other; the current one is always shown, and in its place. */
export function beadsOf(decisions: readonly Decision[], x: (one: Decision) => number, y: (one: Decision) => number, current: number | null): Bead[] {
  const open = new Map<number, { members: Decision[]; from: number }>();
  const found: Bead[] = [];
  const close = (height: number) => {
    const group = open.get(height);
    if (!group) return;
    const shown = group.members.reduce((best, one) => (weightOf(one, current) > weightOf(best, current) ? one : best));
    found.push({ shown, count: group.members.length, x: x(shown), y: height });
    open.delete(height);
  };
  for (const one of decisions) {
    const height = y(one);
    const group = open.get(height);
    if (group && x(one) - group.from < BEAD) group.members.push(one);
    else {
      close(height);
      open.set(height, { members: [one], from: x(one) });
    }
  }
  for (const height of [...open.keys()]) close(height);
  return apart(found.sort((a, b) => a.x - b.x));
}

/** Move the places of beads of one height apart, as little as needed. */
function apart(beads: Bead[]): Bead[] {
  const last = new Map<number, number>();
  return beads.map((bead) => {
    const x = Math.max(bead.x, (last.get(bead.y) ?? -Infinity) + BEAD);
    last.set(bead.y, x);
    return { ...bead, x };
  });
}
