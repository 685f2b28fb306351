// Where the nodes, labels and lines of a flow are drawn. Computed once per version of a flow, in a worker.

import { Graph, layout as dagre } from "@dagrejs/dagre";
import type { GraphEdge, GraphNode, GraphView } from "../api/types";
import { folded } from "./folded";
import { isPlace, LARGE, markText } from "./kinds";
import { linePath, portsOf, type Point } from "./lines";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  readonly path: string;
  /** The box of its label; `null` for the arrow from the start and other unnamed ones. */
  readonly label: Box | null;
}

export interface Layout {
  readonly nodes: readonly { readonly node: GraphNode; readonly box: Box }[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

const NODE = { width: 188, height: 68 };
/** A node with its name only, where all of a large flow is drawn. */
const NAME = { width: 122, height: 40 };
const LABEL_HEIGHT = 36;
type Direction = "TB" | "LR";

/** The frame in which a drawing should fit: that of the page at its usual size. */
const FRAME = { width: 620, height: 600 };
/** From left to right only where that is clearly larger: people read flows from top to bottom. */
const CLEARLY = 1.2;

/** The rows of nodes by their ids, where they are known before. */
export type Ranks = Readonly<Record<string, number>>;

/** Lay a flow out, from top to bottom, or from left to right where it is too wide for that. A large one is folded. */
export function layOut(view: GraphView, ranks: Ranks | null = null): Layout {
  if (ranks) return arranged(view, "TB", ranks);
  if (view.nodes.filter(isPlace).length > LARGE) return folded(view, arranged(view, "TB", null, false));
  const down = arranged(view, "TB");
  if (scaleOf(down) >= 0.8) return down;
  const across = arranged(view, "LR");
  return scaleOf(across) > scaleOf(down) * CLEARLY ? across : down;
}

function scaleOf({ width, height }: Layout): number {
  return Math.min(1, FRAME.width / Math.max(1, width), FRAME.height / Math.max(1, height));
}

/** The ends of an edge in the order of their rows: an edge back is laid out as if it led ahead. */
function endsOf(edge: GraphEdge, ranks: Ranks | null): { v: string; w: string; isTurned: boolean } {
  const isTurned = ranks !== null && (ranks[edge.target] ?? 0) < (ranks[edge.source] ?? 0);
  return isTurned ? { v: edge.target, w: edge.source, isTurned } : { v: edge.source, w: edge.target, isTurned };
}

function arranged(view: GraphView, direction: Direction, ranks: Ranks | null = null, hasLabels = true): Layout {
  const graph = new Graph({ multigraph: true });
  const isAcross = direction === "LR";
  graph.setGraph({ rankdir: direction, nodesep: isAcross ? 24 : 36, edgesep: 16, ranksep: isAcross ? 52 : 40, marginx: 20, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of view.nodes) graph.setNode(node.id, { ...(hasLabels || !isPlace(node) ? nodeSize(node) : NAME) });
  const order = new Map(view.nodes.map((node, place) => [node.id, place]));
  view.edges.forEach((edge, place) => {
    const isNext = (order.get(edge.target) ?? 0) - (order.get(edge.source) ?? 0) === 1;
    const size = hasLabels ? labelSize(edge) : null;
    const label = size ? { ...size, labelpos: "c" as const } : { width: 0, height: 0 };
    const { v, w } = endsOf(edge, ranks);
    graph.setEdge(v, w, { ...label, minlen: 1, weight: isNext ? 4 : 1 }, `${place}`);
  });
  dagre(graph);
  return placed(view, graph, isAcross, ranks, hasLabels);
}

function placed(view: GraphView, graph: Graph, isAcross: boolean, ranks: Ranks | null, hasLabels: boolean): Layout {
  const boxes = new Map(view.nodes.map((node) => [node.id, boxOf(graph.node(node.id) as Box)]));
  const drawn = view.edges.map((edge, place) => {
    const { v, w, isTurned } = endsOf(edge, ranks);
    const found = graph.edge({ v, w, name: `${place}` }) as { points: Point[]; x?: number; y?: number };
    return isTurned ? { ...found, points: [...found.points].reverse() } : found;
  });
  const lines = drawn.map(({ points }, place) => ({ source: view.edges[place]!.source, target: view.edges[place]!.target, points }));
  const ends = portsOf(lines, boxes, isAcross);
  const size = graph.graph() as { width?: number; height?: number };
  return {
    nodes: view.nodes.map((node) => ({ node, box: boxes.get(node.id)! })),
    edges: view.edges.map((edge, place) => {
      const label = hasLabels ? labelSize(edge) : null;
      const { x, y } = drawn[place]!;
      const box = label && x !== undefined && y !== undefined ? { x: x - label.width / 2, y: y - label.height / 2, ...label } : null;
      return { edge, path: linePath(ends[place]!, isAcross), label: box };
    }),
    width: size.width ?? 0,
    height: size.height ?? 0,
  };
}

function boxOf(node: Box): Box {
  return { x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height };
}

function nodeSize(node: GraphNode): { width: number; height: number } {
  if (node.kind === "start") return { width: 14, height: 14 };
  if (isPlace(node)) return NODE;
  return { width: 40 + 7.4 * Math.min(24, markText(node).length), height: 30 };
}

/** The second line of a label changes with the position, so its box has room for the longest common one. */
function labelSize(edge: GraphEdge): { width: number; height: number } | null {
  if (!edge.transition) return null;
  const width = Math.max(160, 36 + 7.2 * Math.min(22, edge.transition.length));
  return { width, height: LABEL_HEIGHT };
}
