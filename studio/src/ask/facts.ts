import type { Fact } from "../api/types";

/** The facts without those that stand further up already. */
export function distinct(facts: readonly Fact[], seen = new Set<string>()): Fact[] {
  return facts.flatMap((fact) => {
    const key = `${fact.kind} ${fact.seq ?? 0} ${fact.text}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...fact, causes: distinct(fact.causes ?? [], seen) }];
  });
}

/** The causes of a fact as a chain: step by step while there is one cause, then a branch for each of several. */
export function chainOf(fact: Fact): { steps: Fact[]; branches: readonly Fact[] } {
  const steps: Fact[] = [];
  let causes = fact.causes ?? [];
  while (causes.length === 1 && causes[0]) {
    steps.push(causes[0]);
    causes = causes[0].causes ?? [];
  }
  return { steps, branches: causes };
}
