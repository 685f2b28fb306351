import { useState } from "react";
import type { Highlight } from "../data/layout";
import type { Position } from "../data/position";
import type { Block, ScopeBlock } from "./nest";

/** Scopes that the reader folded or unfolded, until they close. */
type Folds = Readonly<Record<string, boolean>>;

const keyOf = ({ frame }: ScopeBlock): string => `${frame.id} ${frame.status}`;

/** Whether a position of the reader is inside of a scope: its decision, or else its turn. */
export function holdsPosition(block: ScopeBlock, { isLive, turn, seam }: Pick<Position, "isLive" | "turn" | "seam">): boolean {
  if (isLive) return false;
  return seam ? framesOf(block).has(seam.frame) : block.turns.has(turn);
}

/** Whether words that stand out were said inside of a scope. */
export function holdsWords(block: ScopeBlock, highlight: Highlight): boolean {
  if (!highlight) return false;
  const has = (one: Block): boolean => {
    if (one.kind === "scope") return one.blocks.some(has);
    return "seq" in highlight ? one.turn.items.some((item) => item.seq === highlight.seq) : one.turn.number === highlight.turn;
  };
  return block.blocks.some(has);
}

const framesOf = ({ frame, blocks }: ScopeBlock): ReadonlySet<number> => new Set([frame.id, ...blocks.flatMap((block) => (block.kind === "scope" ? [...framesOf(block)] : []))]);

/** Which scopes are unfolded: those that are open, those with the position or the highlighted words, and those that the reader unfolded. */
export function useFolds(position: Position, highlight: Highlight): { isUnfolded: (block: ScopeBlock) => boolean; onFold: (block: ScopeBlock) => void } {
  const [folds, setFolds] = useState<Folds>({});
  const isUnfolded = (block: ScopeBlock) => folds[keyOf(block)] ?? (block.frame.status === "open" || holdsPosition(block, position) || holdsWords(block, highlight));
  const onFold = (block: ScopeBlock) => setFolds((now) => ({ ...now, [keyOf(block)]: !isUnfolded(block) }));
  return { isUnfolded, onFold };
}
