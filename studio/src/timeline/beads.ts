// Marks that would lie on each other become one bead with their number.

import type { Decision } from "./decode";

/** Two marks nearer than this lie on each other: a mark is 20 px wide. */
export const BEAD = 19;

/** Where a scope was opened or closed: a sign among the marks. */
export interface ScopeSign {
  readonly seq: number;
  readonly lane: number;
  readonly name: "in" | "out";
}

/** What stands at one place of the timeline: the decision that is shown, how many there are, and a scope that was opened or closed there. */
export interface Bead {
  readonly shown: Decision | null;
  readonly sign: ScopeSign | null;
  readonly count: number;
  readonly x: number;
  readonly y: number;
}

/** What is worth more to be seen where only one of several can be. */
const WEIGHT: Record<string, number> = { error: 5, blocked: 4, taken: 3, unknown: 2, false: 1 };
const SIGN_WEIGHT = 2.5;
const weightOf = (one: Decision | null, current: number | null): number => (!one ? 0 : one.seq === current ? 9 : one.target >= 0 ? 3 : (WEIGHT[one.mark] ?? 0));

type Placed = Pick<ScopeSign, "seq" | "lane">;
interface Group {
  readonly decisions: Decision[];
  readonly signs: ScopeSign[];
  readonly from: number;
}

/** Join decisions and signs of one height that are too near to each other; the current decision is always shown, and in its place. */
export function beadsOf(decisions: readonly Decision[], x: (one: Placed) => number, y: (one: Placed) => number, current: number | null, signs: readonly ScopeSign[] = []): Bead[] {
  const open = new Map<number, Group>();
  const found: Bead[] = [];
  const close = (height: number) => {
    const group = open.get(height);
    if (!group) return;
    const shown = group.decisions.reduce<Decision | null>((best, one) => (weightOf(one, current) > weightOf(best, current) ? one : (best ?? one)), null);
    const sign = weightOf(shown, current) < SIGN_WEIGHT ? (group.signs.at(-1) ?? null) : null;
    const place = sign ?? shown;
    if (place) found.push({ shown, sign, count: group.decisions.length, x: x(place), y: height });
    open.delete(height);
  };
  const isDecision = (one: Decision | ScopeSign): one is Decision => "mark" in one;
  for (const one of [...decisions, ...signs].sort((a, b) => a.seq - b.seq)) {
    const height = y(one);
    let group = open.get(height);
    if (!group || x(one) - group.from >= BEAD) {
      close(height);
      group = { decisions: [], signs: [], from: x(one) };
      open.set(height, group);
    }
    if (isDecision(one)) group.decisions.push(one);
    else group.signs.push(one);
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
