import type { ReactNode } from "react";
import type { FrameInfo } from "../api/types";
import type { Block, ScopeBlock, TurnBlock } from "./nest";
import { ScopeCard } from "./ScopeCard";

type Props = {
  blocks: readonly Block[];
  /** The frames that are open now. */
  open: readonly FrameInfo[];
  lastTurn: number;
  isUnfolded: (block: ScopeBlock) => boolean;
  onFold: (block: ScopeBlock) => void;
  turn: (block: TurnBlock) => ReactNode;
  /** What comes next: it stands in the innermost scope that is open and unfolded. */
  tail: ReactNode;
};

/** Turns, and scopes with the turns inside of them. */
export function Blocks({ tail, ...shared }: Props) {
  const { blocks, open, lastTurn, isUnfolded, onFold, turn } = shared;
  const last = blocks.at(-1);
  const holdsTail = last?.kind === "scope" && last.frame.status === "open" && isUnfolded(last);
  return (
    <>
      {blocks.map((block, place) =>
        block.kind === "turn" ? (
          turn(block)
        ) : (
          <ScopeCard
            key={`frame ${block.frame.id} ${place}`}
            frame={block.frame}
            inside={open.find((one) => one.parent === block.frame.id)}
            lastTurn={lastTurn}
            hasOpening={block.frame.scope !== "" && !isOpenedBy(blocks[place - 1], block.frame)}
            isUnfolded={isUnfolded(block)}
            onFold={() => onFold(block)}
          >
            <Blocks {...shared} blocks={block.blocks} tail={block === last ? tail : null} />
          </ScopeCard>
        ),
      )}
      {!holdsTail && tail}
    </>
  );
}

/** Whether the last line of a block is the decision that opened a scope. */
function isOpenedBy(before: Block | undefined, frame: FrameInfo): boolean {
  const last = before?.kind === "turn" ? before.turn.items.at(-1) : undefined;
  return last?.kind === "seam" && frame.transition !== "" && last.seam.transition === frame.transition;
}
