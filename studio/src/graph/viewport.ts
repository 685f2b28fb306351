// Where the drawing of a flow stands in its frame, and how large: the first view, and views after it.

import { addressOf, isInside } from "./level";
import type { Box, Layout } from "./layout";
import type { Point } from "./lines";

/** The place of the drawing's corner in its frame, in pixels, and its size. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export type Size = { readonly width: number; readonly height: number };

/** From further away the drawing shows names and outcomes only, in larger letters. */
export const FAR = 0.78;
/** The furthest first view of a whole drawing: from further away not even the larger letters can be read. */
const LEAST_WHOLE_ZOOM = 0.6;
/** The furthest first view of a node with its neighbours; in a narrow frame names can no longer be read from further away. */
const [LEAST_FAR_ZOOM, LEAST_NARROW_ZOOM, NARROW] = [0.3, 0.5, 480];
const EDGE = 12;
/** The smallest and the largest view that a reader can choose; *Fit* may be smaller, if the drawing is that large. */
const [SMALLEST, LARGEST] = [0.02, 1.6];
/** The largest view that shows all of a drawing, and the part of the frame that stays free around it. */
const [LARGEST_FIT, FREE] = [1.1, 0.04];

/** A node, and the box around it, its transitions and the nodes that they join. */
export interface Focus {
  readonly node: Box;
  readonly near: Box;
}

/** Where to look at first: the node of this name, or the scope around it, and what is near it; without a name the whole drawing. */
export function focusOn(layout: Layout, name: string): Focus | null {
  const at = layout.nodes.find(({ node }) => name && (addressOf(node) === name || isInside(name, addressOf(node))));
  if (!at) return layout.nodes[0] ? { node: layout.nodes[0].box, near: { x: 0, y: 0, width: layout.width, height: layout.height } } : null;
  const touching = layout.edges.filter(({ edge }) => edge.source === at.node.id || edge.target === at.node.id);
  const joined = new Set([at.node.id, ...touching.flatMap(({ edge }) => [edge.source, edge.target])]);
  const labels = touching.flatMap(({ label }) => (label ? [label] : []));
  return { node: at.box, near: around([...layout.nodes.filter(({ node }) => joined.has(node.id)).map(({ box }) => box), ...labels]) };
}

function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The first view: all of the drawing if it can be read then, else the current node with its neighbours. */
export function firstView(layout: Size, focus: Focus | null, frame: Size): View {
  const zoomFor = ({ width, height }: Size) => Math.min(1, (frame.width - 2 * EDGE) / width, (frame.height - 2 * EDGE) / height);
  const [all, near] = [zoomFor(layout), focus ? zoomFor(focus.near) : 0];
  const zoom = all >= LEAST_WHOLE_ZOOM ? all : near >= (frame.width < NARROW ? LEAST_NARROW_ZOOM : LEAST_FAR_ZOOM) ? Math.min(0.85, near) : FAR;
  const shown = near >= zoom ? focus?.near : focus?.node;
  const along = (size: number, room: number, middle: number, most = Infinity) => {
    if (size * zoom + 2 * EDGE <= room) return Math.min(most, (room - size * zoom) / 2);
    return Math.min(EDGE, Math.max(room - EDGE - size * zoom, room / 2 - middle * zoom));
  };
  const x = along(layout.width, frame.width, shown ? shown.x + shown.width / 2 : 0);
  return { x, y: along(layout.height, frame.height, shown ? shown.y + shown.height / 2 : 0, 3 * EDGE), zoom };
}

/** A view with the middle of a box in the middle of the frame; unchanged where the whole drawing is in view. */
export function centred(view: View, box: Box, drawing: Size, frame: Size, zoom = view.zoom): View {
  const isWhole = drawing.width * zoom <= frame.width && drawing.height * zoom <= frame.height;
  if (isWhole && zoom === view.zoom && view.x >= 0 && view.y >= 0) return view;
  return { x: frame.width / 2 - (box.x + box.width / 2) * zoom, y: frame.height / 2 - (box.y + box.height / 2) * zoom, zoom };
}

const limited = (zoom: number): number => Math.min(LARGEST, Math.max(SMALLEST, zoom));

/** All of the drawing, in the middle of its frame. */
export function fitted({ width, height }: Size, frame: Size): View {
  const room = 1 - 2 * FREE;
  const zoom = Math.min(LARGEST_FIT, (frame.width * room) / width, (frame.height * room) / height);
  return { x: (frame.width - width * zoom) / 2, y: (frame.height - height * zoom) / 2, zoom };
}

/** A view that is larger by a factor; a point of the frame keeps its place in the drawing. */
export function zoomed({ x, y, zoom }: View, factor: number, at: Point): View {
  const next = limited(zoom * factor);
  return { x: at.x - ((at.x - x) / zoom) * next, y: at.y - ((at.y - y) / zoom) * next, zoom: next };
}

export const moved = ({ x, y, zoom }: View, by: Point): View => ({ x: x + by.x, y: y + by.y, zoom });

/** The view after two fingers went from one place each to another. */
export function pinched(view: View, before: readonly [Point, Point], after: readonly [Point, Point]): View {
  const middle = ([a, b]: readonly [Point, Point]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const apart = ([a, b]: readonly [Point, Point]) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  const [from, to] = [middle(before), middle(after)];
  return zoomed(moved(view, { x: to.x - from.x, y: to.y - from.y }), apart(after) / apart(before), to);
}

/** A view in which a box can be seen: the same one, or one with the box in the middle. */
export function showing(view: View, box: Box, frame: Size): View {
  const { x, y, zoom } = view;
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  if (left >= 0 && top >= 0 && left + box.width * zoom <= frame.width && top + box.height * zoom <= frame.height) return view;
  return { x: frame.width / 2 - (box.x + box.width / 2) * zoom, y: frame.height / 2 - (box.y + box.height / 2) * zoom, zoom };
}
