import type { GraphEdge, GraphView } from "../api/types";

export type SketchNode = { id: string; x: number; y: number; width: number; height: number; isStart: boolean };
export type SketchEdge = { key: string; path: string; isMain: boolean };

const WIDTH = 162;
const HEIGHT = 150;
const MOST_ROWS = 5;
/** A row with more nodes is drawn with its first ones: the sketch shows a shape, not every node. */
const MOST_IN_ROW = 6;

const MARKS: ReadonlySet<string> = new Set(["start", "end", "any", "stay", "code", "unknown"]);

/** Levels by distance from the start, at most five; a level is a row of boxes. */
export function sketch(graph: GraphView): { nodes: SketchNode[]; edges: SketchEdge[] } {
  const real = graph.nodes.filter((node) => !MARKS.has(node.kind) && !node.parent).map((node) => node.id);
  const kinds = new Map(graph.nodes.map((node) => [node.id, node.kind]));
  const start = graph.edges.find((edge) => kinds.get(edge.source) === "start" && real.includes(edge.target))?.target ?? real[0];
  const isEverywhere = (edge: GraphEdge) => kinds.get(edge.source) === "any";
  const level = new Map<string, number>();
  const queue = start === undefined ? [] : [start];
  for (const id of queue) level.set(id, 0);
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const edge of graph.edges) {
      const isFromHere = edge.source === id || (id === start && isEverywhere(edge));
      if (!isFromHere || level.has(edge.target) || !real.includes(edge.target)) continue;
      level.set(edge.target, Math.min(MOST_ROWS - 1, (level.get(id) ?? 0) + 1));
      queue.push(edge.target);
    }
  }
  const below = Math.min(MOST_ROWS - 2, Math.max(0, ...level.values()) + 1);
  const loose = real.filter((id) => !level.has(id));
  loose.forEach((id, index) => level.set(id, Math.min(MOST_ROWS - 1, below + Math.floor(index / 2))));
  const rows = Math.max(1, ...[...level.values()].map((value) => value + 1));
  const height = Math.min(26, (HEIGHT - 8) / rows - 12);
  const step = rows === 1 ? 0 : Math.min(50, (HEIGHT - 12 - height) / (rows - 1));
  const nodes = Array.from({ length: rows }, (_, row) => {
    const peers = real.filter((id) => level.get(id) === row).slice(0, MOST_IN_ROW);
    const cell = WIDTH / peers.length;
    const y = HEIGHT / 2 + (row - (rows - 1) / 2) * step;
    return peers.map((id, at) => ({ id, x: cell * (at + 0.5), y, width: Math.min(58, cell - 8), height, isStart: row === 0 }));
  }).flat();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const edges: SketchEdge[] = [];
  for (const edge of graph.edges) {
    const from = byId.get(isEverywhere(edge) ? (start ?? "") : edge.source);
    const to = byId.get(edge.target);
    const key = `${from?.id} ${edge.target}`;
    if (!from || !to || from === to || seen.has(key)) continue;
    seen.add(key);
    const isDown = to.y > from.y;
    const isLevel = to.y === from.y;
    const y1 = isLevel ? from.y : from.y + (isDown ? from.height / 2 : -from.height / 2);
    const y2 = isLevel ? to.y : to.y - (isDown ? to.height / 2 : -to.height / 2);
    const bend = isDown ? 0 : from.x <= to.x ? -26 : 26;
    const x1 = isLevel ? from.x + Math.sign(to.x - from.x) * (from.width / 2) : from.x + bend / 3;
    const x2 = isLevel ? to.x - Math.sign(to.x - from.x) * (to.width / 2) : to.x + bend / 3;
    const middle = (y1 + y2) / 2;
    edges.push({ key, path: `M${x1} ${y1}C${x1 + bend} ${middle} ${x2 + bend} ${middle} ${x2} ${y2}`, isMain: isDown && !isEverywhere(edge) });
  }
  return { nodes, edges };
}
