// The transcript as blocks: turns, and scopes with the blocks of what happened inside.

import type { FrameInfo } from "../api/types";
import type { Item, Turn } from "./turns";

/** A turn, or the part of it that happened in one frame: the first is 1; a whole turn is 0. */
export type TurnBlock = { kind: "turn"; turn: Turn; part: number; isLast: boolean };
/** A scope with what happened inside. */
export type ScopeBlock = { kind: "scope"; frame: FrameInfo; blocks: readonly Block[]; turns: ReadonlySet<number> };
export type Block = TurnBlock | ScopeBlock;

type Part = { turn: Turn; frame: number };
type Open = { frame: FrameInfo | null; blocks: Block[] };

const content = (item: Item) => (item.kind === "message" ? item.message : item.seam);

/** Put the parts of turns that happened inside of scopes into blocks of their own; what is of an unknown or undone frame stands in the one around it. */
export function blocksOf(turns: readonly Turn[], frames: readonly FrameInfo[]): readonly Block[] {
  const known = new Map(frames.filter((frame) => frame.id > 0 && frame.status !== "undone").map((frame) => [frame.id, frame]));
  const root: Open = { frame: null, blocks: [] };
  let stack: Open[] = [root];
  for (const turn of turns) {
    const parts = partsOf(turn, known, () => stack.flatMap(({ frame }) => (frame ? [frame] : [])));
    parts.forEach((part, place) => {
      stack = enter(stack, pathOf(part.frame, known));
      stack.at(-1)?.blocks.push({ kind: "turn", turn: part.turn, part: parts.length > 1 ? place + 1 : 0, isLast: place === parts.length - 1 });
    });
  }
  return root.blocks;
}

/** The frames from the outermost scope to one. */
function pathOf(id: number, known: ReadonlyMap<number, FrameInfo>): FrameInfo[] {
  const frame = known.get(id);
  return frame ? [...pathOf(frame.parent ?? 0, known), frame] : [];
}

/** Leave the scopes that are not on a path, and enter those that are. */
function enter(stack: readonly Open[], path: readonly FrameInfo[]): Open[] {
  let same = 0;
  while (same < path.length && stack[same + 1]?.frame === path[same]) same += 1;
  const next = stack.slice(0, same + 1);
  for (const frame of path.slice(same)) {
    const blocks: Block[] = [];
    next.at(-1)?.blocks.push(scopeBlock(frame, blocks));
    next.push({ frame, blocks });
  }
  return next;
}

/** A scope whose turns follow its blocks, which are filled later. */
function scopeBlock(frame: FrameInfo, blocks: readonly Block[]): ScopeBlock {
  return {
    kind: "scope",
    frame,
    blocks,
    get turns() {
      return new Set(blocks.flatMap((block) => (block.kind === "turn" ? [block.turn.number] : [...block.turns])));
    },
  };
}

const kept = new WeakMap<Turn, { key: string; parts: readonly Part[] }>();

/** A turn in parts, one for each stretch in one frame; the same objects as long as nothing changed, so that they are not drawn again. */
function partsOf(turn: Turn, known: ReadonlyMap<number, FrameInfo>, open: () => readonly FrameInfo[]): readonly Part[] {
  const around = open();
  const items = turn.items.filter((item) => !isSummary(item, known));
  const placed = items.map((item) => frameOf(item, known, around));
  const key = placed.join(" ");
  const before = kept.get(turn);
  if (before?.key === key) return before.parts;
  const parts: Part[] = [];
  items.forEach((item, place) => {
    const last = parts.at(-1);
    if (last && last.frame === placed[place]) parts[parts.length - 1] = { frame: last.frame, turn: { ...last.turn, items: [...last.turn.items, item] } };
    else parts.push({ frame: placed[place] ?? 0, turn: { ...turn, items: [item] } });
  });
  const isWhole = parts.length === 1 && items.length === turn.items.length;
  const found = isWhole ? [{ frame: placed[0] ?? 0, turn }] : parts;
  kept.set(turn, { key, parts: found });
  return found;
}

/** Whether a line is the summary of a scope, which stands on its card. */
const isSummary = (item: Item, known: ReadonlyMap<number, FrameInfo>): boolean => item.kind === "message" && known.has(item.message.closes ?? 0);

/** The frame in which a line is shown. What happens around a scope while it is open stays in the scope, so that it is not torn apart: what was undone, and an event of another system that waits for the frame below. */
function frameOf(item: Item, known: ReadonlyMap<number, FrameInfo>, around: readonly FrameInfo[]): number {
  const { frame, seq, is_undone } = content(item);
  const isOpen = (one: FrameInfo) => one.closed_seq === null || one.closed_seq > seq;
  if (known.has(frame)) {
    const inner = around.findLast(isOpen);
    return inner && inner.id !== frame && pathOf(inner.id, known).some((one) => one.id === frame) ? inner.id : frame;
  }
  const isAround = is_undone || frame === 0;
  return (isAround ? around.findLast(isOpen)?.id : undefined) ?? 0;
}
