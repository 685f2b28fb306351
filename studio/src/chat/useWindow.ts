import { useCallback, useEffect, useMemo, useState } from "react";
import type { Turn } from "./turns";

const FIRST = 40;
const MORE = 40;

export type Window = { from: number; to: number; showEarlier: () => void; showLater: () => void; include: (index: number) => void };

/** The first and the last turn (exclusive) to draw around a position, so that long conversations open at once. */
export function windowAround(index: number, count: number): { from: number; to: number } {
  if (count <= FIRST) return { from: 0, to: count };
  if (index >= count - FIRST / 2) return { from: count - FIRST, to: count };
  const from = Math.max(0, index - FIRST / 2);
  return { from, to: Math.min(count, from + FIRST) };
}

/** Which turns are drawn: those around the position, and more as the reader scrolls. */
export function useWindow(turns: readonly Turn[], turn: number, isLive: boolean): Window {
  const count = turns.length;
  const index = useMemo(() => {
    const found = turns.findIndex((one) => one.number === turn);
    return isLive || found < 0 ? count - 1 : found;
  }, [turns, turn, isLive, count]);
  const [range, setRange] = useState(() => windowAround(index, count));
  const end = range.to >= count - 1 && isLive ? count : Math.min(range.to, count);
  const isInside = index >= range.from && index < Math.max(end, range.to);
  useEffect(() => {
    setRange((now) => {
      const isVisible = index >= now.from && index < now.to;
      if (!isVisible && !(isLive && index === now.to)) return windowAround(index, count);
      return isLive && now.to < count ? { ...now, to: count } : now;
    });
  }, [index, count, isLive]);
  const shown = isInside ? { from: range.from, to: isLive ? count : end } : windowAround(index, count);
  const showEarlier = useCallback(() => setRange((now) => ({ ...now, from: Math.max(0, now.from - MORE) })), []);
  const showLater = useCallback(() => setRange((now) => ({ ...now, to: now.to + MORE })), []);
  const include = useCallback((wanted: number) => setRange((now) => ({ from: Math.min(now.from, wanted), to: Math.max(now.to, wanted + 1) })), []);
  return { ...shown, showEarlier, showLater, include };
}
