// Lines between nodes: where they leave and enter, and their curves.

import type { Box } from "./layout";

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Line {
  readonly source: string;
  readonly target: string;
  readonly points: readonly Point[];
}

const GAP = 18;
const INSET = 16;

/** Move the ends of each line to the upper or lower side of its nodes, with a gap between lines of one side. */
export function portsOf(lines: readonly Line[], boxes: ReadonlyMap<string, Box>): Point[][] {
  const result = lines.map((line) => [...line.points]);
  const sides = new Map<string, { place: number; end: "first" | "last"; box: Box; toward: number; y: number }[]>();
  lines.forEach((line, place) => {
    if (line.source === line.target) return;
    for (const end of ["first", "last"] as const) {
      const name = end === "first" ? line.source : line.target;
      const box = boxes.get(name);
      const next = end === "first" ? line.points[1] : line.points.at(-2);
      if (!box || !next) continue;
      const isBelow = next.y > box.y + box.height / 2;
      const side = `${name} ${isBelow}`;
      const y = isBelow ? box.y + box.height : box.y;
      sides.set(side, [...(sides.get(side) ?? []), { place, end, box, toward: next.x, y }]);
    }
  });
  for (const ports of sides.values()) {
    ports.sort((a, b) => a.toward - b.toward);
    const xs = spread(ports.map((port) => port.toward), ports[0]!.box);
    ports.forEach((port, index) => {
      const points = result[port.place]!;
      points[port.end === "first" ? 0 : points.length - 1] = { x: xs[index]!, y: port.y };
    });
  }
  return result;
}

/** Keep the positions inside of a side and apart from each other, as near as possible to where they want to be. */
function spread(wanted: readonly number[], box: Box): number[] {
  const left = box.x + Math.min(INSET, box.width / 2);
  const right = box.x + box.width - Math.min(INSET, box.width / 2);
  const gap = Math.min(GAP, wanted.length > 1 ? (right - left) / (wanted.length - 1) : GAP);
  const xs = wanted.map((x) => Math.min(right, Math.max(left, x)));
  for (let index = 1; index < xs.length; index += 1) xs[index] = Math.max(xs[index]!, xs[index - 1]! + gap);
  for (let index = xs.length - 1; index >= 0; index -= 1) {
    xs[index] = Math.min(xs[index]!, right - (xs.length - 1 - index) * gap);
  }
  return xs;
}

/** A smooth path through the points, vertical at each of them. */
export function linePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let from = first;
  let path = `M${at(first.x)} ${at(first.y)}`;
  for (const to of rest) {
    const middle = (from.y + to.y) / 2;
    path +=
      Math.abs(from.y - to.y) < 1
        ? `L${at(to.x)} ${at(to.y)}`
        : `C${at(from.x)} ${at(middle)} ${at(to.x)} ${at(middle)} ${at(to.x)} ${at(to.y)}`;
    from = to;
  }
  return path;
}

function at(value: number): string {
  return value.toFixed(1);
}
