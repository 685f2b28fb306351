// The whole of a large flow in the shape of its frame: the ranks of its layout, folded into columns, without labels.

import type { GraphView } from "../api/types";
import type { Box, Layout } from "./layout";
import { linePath, type Point } from "./lines";

/** Wider than high, as the frame of a page is. */
const SHAPE = 1.2;
const BETWEEN = 64;
const ROW = 30;

/** The ranks of a layout from top to bottom: the nodes that stand beside each other. */
export function ranksOf(nodes: Layout["nodes"]): Layout["nodes"][number][][] {
  const rows: { middle: number; nodes: Layout["nodes"][number][] }[] = [];
  for (const one of [...nodes].sort((a, b) => middleOf(a.box) - middleOf(b.box))) {
    const last = rows.at(-1);
    if (last && Math.abs(last.middle - middleOf(one.box)) < 8) last.nodes.push(one);
    else rows.push({ middle: middleOf(one.box), nodes: [one] });
  }
  return rows.map((row) => row.nodes.sort((a, b) => a.box.x - b.box.x));
}

const middleOf = (box: Box): number => box.y + box.height / 2;

interface Folded {
  readonly boxes: Map<string, Box>;
  readonly width: number;
  readonly height: number;
}

/** Put the ranks into columns, each read from top to bottom. */
function inColumns(rows: Layout["nodes"][number][][], columns: number): Folded {
  const boxes = new Map<string, Box>();
  const each = Math.ceil(rows.length / columns);
  let [left, height] = [20, 0];
  for (let column = 0; column < columns; column += 1) {
    const own = rows.slice(column * each, (column + 1) * each);
    if (!own.length) break;
    const widths = own.map((row) => row.reduce((sum, { box }) => sum + box.width + 16, -16));
    const width = Math.max(...widths);
    let top = 20;
    own.forEach((row, at) => {
      let x = left + (width - widths[at]!) / 2;
      const tall = Math.max(...row.map(({ box }) => box.height));
      for (const { node, box } of row) {
        boxes.set(node.id, { x, y: top + (tall - box.height) / 2, width: box.width, height: box.height });
        x += box.width + 16;
      }
      top += tall + ROW;
    });
    height = Math.max(height, top);
    left += width + BETWEEN;
  }
  return { boxes, width: left - BETWEEN + 20, height };
}

/** A layout folded into as many columns as fit its frame best. */
export function folded(view: GraphView, layout: Layout): Layout {
  const rows = ranksOf(layout.nodes);
  const choices = Array.from({ length: Math.min(12, rows.length) }, (_, at) => inColumns(rows, at + 1));
  const offOf = ({ width, height }: Folded) => Math.abs(Math.log(width / height / SHAPE));
  const best = choices.reduce((one, other) => (offOf(other) < offOf(one) ? other : one));
  const edges = view.edges.map((edge) => ({ edge, path: pathOf(best.boxes.get(edge.source), best.boxes.get(edge.target)), label: null }));
  return { nodes: view.nodes.map((node) => ({ node, box: best.boxes.get(node.id)! })), edges, width: best.width, height: best.height };
}

/** A curve from the side of one node that is nearest to the other. */
function pathOf(from: Box | undefined, to: Box | undefined): string {
  if (!from || !to) return "";
  if (from === to) return `M${from.x + from.width} ${from.y + 14}c22 -10 22 34 0 24`;
  const [a, b] = [centreOf(from), centreOf(to)];
  const isBeside = Math.abs(a.x - b.x) > (from.width + to.width) / 2 + 20;
  const side = (box: Box, toward: Point): Point => {
    const centre = centreOf(box);
    if (isBeside) return { x: toward.x > centre.x ? box.x + box.width : box.x, y: centre.y };
    return { x: centre.x, y: toward.y > centre.y ? box.y + box.height : box.y };
  };
  return linePath([side(from, b), side(to, a)], isBeside);
}

const centreOf = (box: Box): Point => ({ x: box.x + box.width / 2, y: middleOf(box) });
