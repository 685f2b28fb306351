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

const flipped = ({ x, y }: Point): Point => ({ x: y, y: x });
const flippedBox = (box: Box): Box => ({ x: box.y, y: box.x, width: box.height, height: box.width });

/**
 * Move the ends of each line to the upper or lower side of its nodes, with a gap between lines of one side. In a drawing
 * from left to right (`isAcross`) these are the left and right sides.
 */
export function portsOf(lines: readonly Line[], boxes: ReadonlyMap<string, Box>, isAcross = false): Point[][] {
  if (!isAcross) return ports(lines, boxes);
  const turned = lines.map((line) => ({ ...line, points: line.points.map(flipped) }));
  return ports(turned, new Map([...boxes].map(([id, box]) => [id, flippedBox(box)]))).map((points) => points.map(flipped));
}

function ports(lines: readonly Line[], boxes: ReadonlyMap<string, Box>): Point[][] {
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
  for (const side of sides.values()) {
    side.sort((a, b) => a.toward - b.toward);
    const xs = spread(side.map((port) => port.toward), side[0]!.box);
    side.forEach((port, index) => {
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

/** A smooth path through the points, vertical at each of them, or horizontal in a drawing from left to right. */
export function linePath(points: readonly Point[], isAcross = false): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let from = first;
  let path = `M${at(first)}`;
  for (const to of rest) {
    const [length, middle] = isAcross ? [Math.abs(from.x - to.x), (from.x + to.x) / 2] : [Math.abs(from.y - to.y), (from.y + to.y) / 2];
    const leaving = isAcross ? { x: middle, y: from.y } : { x: from.x, y: middle };
    const entering = isAcross ? { x: middle, y: to.y } : { x: to.x, y: middle };
    path += length < 1 ? `L${at(to)}` : `C${at(leaving)} ${at(entering)} ${at(to)}`;
    from = to;
  }
  return path;
}

function at({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
