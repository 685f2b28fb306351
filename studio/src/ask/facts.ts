import type { Fact } from "../api/types";

const keyOf = (fact: Fact) => `${fact.kind} ${fact.seq ?? 0} ${fact.text}`;

/** The facts without those that stand further up already. As causes these are left out up to the words that the user said. */
export function distinct(facts: readonly Fact[], seen = new Set<string>(), isCause = false): Fact[] {
  const found = facts.flatMap((fact): Fact[] => {
    if (seen.has(keyOf(fact))) return isCause ? wordsOf(fact) : [];
    seen.add(keyOf(fact));
    return [{ ...fact, causes: distinct(fact.causes ?? [], seen, true) }];
  });
  return found.filter((fact, at) => found.findIndex((one) => keyOf(one) === keyOf(fact)) === at);
}

/** Whether a fact is what the user did, at which a chain of causes ends. */
export const isOfUser = ({ kind }: Fact): boolean => kind === "message_received" || kind === "button_pressed";

const wordsOf = (fact: Fact): Fact[] => (isOfUser(fact) ? [fact] : (fact.causes ?? []).flatMap(wordsOf));

/** The texts of facts and of all their causes. */
export const textsOf = (facts: readonly Fact[]): string[] => facts.flatMap((fact) => [fact.text, ...textsOf(fact.causes ?? [])]);

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
