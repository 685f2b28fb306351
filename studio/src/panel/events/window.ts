/** Which rows of a long list are on the screen. All rows have one height. */

export interface Window {
  from: number;
  to: number;
}

/** Returns the rows to draw: those in view, and `spare` rows above and below. */
export function visibleRows(scrollTop: number, height: number, rowHeight: number, count: number, spare = 12): Window {
  const from = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
  const to = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare);
  return { from: Math.min(from, count), to: Math.max(to, Math.min(from, count)) };
}

/** Returns where to scroll so that a row is in view, or `null` where it is. */
export function scrollToRow(row: number, scrollTop: number, height: number, rowHeight: number): number | null {
  const top = row * rowHeight;
  if (top >= scrollTop && top + rowHeight <= scrollTop + height) return null;
  return Math.max(0, top - height / 3);
}
