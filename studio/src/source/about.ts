// What is known about a line, as a card beside it: how often it was judged, and what came out.

import type { Coverage } from "../api/types";
import { countsOf } from "../graph/show";
import { workText } from "../graph/words";
import { made } from "./made";
import { seenOf } from "./marks";
import type { PlacedPart } from "./places";
import { t } from "../i18n/t";

const KINDS = [
  ["", "held", (counts: Record<string, number>) => (counts["taken"] ?? 0) + (counts["held"] ?? 0) + (counts["outranked"] ?? 0)],
  ["f", "did not", (counts: Record<string, number>) => counts["false"] ?? 0],
  ["u", t("not known"), (counts: Record<string, number>) => counts["unknown"] ?? 0],
] as const;

/** The outcomes of a transition over all conversations. */
export function outcomesOf(part: PlacedPart, coverage: Coverage | null | undefined): Record<string, number> {
  const found: Record<string, number> = {};
  for (const one of coverage?.edges ?? []) {
    if (one.transition !== part.edge?.transition || (part.edge.node && one.node !== part.edge.node)) continue;
    for (const [outcome, count] of Object.entries(one.outcomes)) found[outcome] = (found[outcome] ?? 0) + count;
  }
  return found;
}

/** The card about a node or transition. */
export function aboutCard(part: PlacedPart, coverage: Coverage | null | undefined): HTMLElement {
  const card = made("div", "cm-about");
  if (part.node) {
    card.append(made("b", "", part.node.about || part.node.name), made("p", "", workText(part.node)));
    const seen = seenOf(part, coverage);
    if (seen) card.append(made("p", "", seen.about));
    return card;
  }
  const edge = part.edge!;
  card.append(made("b", "", edge.transition));
  if (edge.because) card.append(made("p", "", edge.because));
  const { judged, taken } = countsOf(edge, coverage ?? null);
  if (judged) {
    const counts = outcomesOf(part, coverage);
    const bar = made("div", "bar");
    const words: string[] = [];
    for (const [kind, word, count] of KINDS) {
      const number = count(counts);
      words.push(`${word} ${number}`);
      if (!number) continue;
      const piece = made("i", kind);
      piece.style.flex = String(number);
      bar.append(piece);
    }
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", words.join(", "));
    card.append(bar, made("p", "", words.join(" · ")));
  }
  card.append(made("p", "", judged ? t("Judged {judged} {x} in all conversations, taken {taken}.", { judged, x: judged === 1 ? t("time") : t("times"), taken }) : t("Never judged in a conversation.")));
  return card;
}
