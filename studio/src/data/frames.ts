import { useMemo } from "react";
import { api } from "../api/calls";
import type { FrameInfo } from "../api/types";
import { useConversation, useScope } from "./hooks";
import { usePosition } from "./position";
import { useResource } from "./resource";
import { useConversationId } from "./route";

const NONE: readonly FrameInfo[] = [];

/** The frames of the open conversation in the order of opening, the root first; none where it never opened a scope. */
export function useFrames(): readonly FrameInfo[] {
  const id = useConversationId();
  const conversation = useConversation();
  const [canDebug, isOperator] = [useScope("debug:read"), useScope("operator")];
  const { messages, seams } = conversation ?? {};
  const hasScopes = useMemo(() => [messages, seams].some((rows) => rows?.some((row) => row.frame > 0)), [messages, seams]);
  const mayAsk = id !== null && hasScopes && (canDebug || isOperator);
  return useResource(mayAsk ? `frames:${id}` : null, () => api.frames(id ?? "")).data ?? NONE;
}

/** The frames that were open at the end of a turn, outermost first; of `null` those that are open now. */
export function framesAt(frames: readonly FrameInfo[], turn: number | null): readonly FrameInfo[] {
  const isOpen = (frame: FrameInfo) => (turn === null ? frame.closed_seq === null : frame.opened_turn <= turn && (frame.closed_turn ?? Infinity) > turn);
  return frames.filter((frame) => frame.id === 0 || (frame.status !== "undone" && isOpen(frame))).sort((a, b) => a.depth - b.depth);
}

/** The frames that were open at the position of the reader, outermost first. */
export function useOpenFrames(): readonly FrameInfo[] {
  const frames = useFrames();
  const { turn, isLive } = usePosition();
  return useMemo(() => framesAt(frames, isLive ? null : turn), [frames, turn, isLive]);
}
