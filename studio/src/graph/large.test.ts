import { describe, expect, it } from "vitest";
import type { GraphEdge, GraphLevel, GraphNode } from "../api/types";
import { layOut, type Box } from "./layout";
import { isLarge, neighbourhood } from "./large";
import { centred, fitted } from "./viewport";

const node = (id: string): GraphNode => ({ id, name: id, kind: "node", address: "", opens: "", title: "", parent: "", work: "", says: "", ends: "" }) as unknown as GraphNode;
const edge = (source: string, target: string): GraphEdge => ({ id: `${source}-${target}`, source, target, transition: `${source}${target}`, node: source, moment: "before", because: "", is_timer: false, remark: "" }) as unknown as GraphEdge;

/** A chain of nodes, with a way two steps on from every third, and one back from every fifth. */
function chain(count: number): GraphLevel {
  const nodes = Array.from({ length: count }, (_, at) => node(`n${at}`));
  const edges = nodes.flatMap((_, at) => [
    ...(at + 1 < count ? [edge(`n${at}`, `n${at + 1}`)] : []),
    ...(at % 3 === 0 && at + 2 < count ? [edge(`n${at}`, `n${at + 2}`)] : []),
    ...(at % 5 === 4 ? [edge(`n${at}`, `n${at - 1}`)] : []),
  ]);
  return { scope: "", title: "", parent: null, graph: { nodes, edges, clusters: [] } } as unknown as GraphLevel;
}

const overlap = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("neighbourhood", () => {
  it("has one step back and two ahead, each in its row, and counts the others", () => {
    const found = neighbourhood(chain(60), "n30")!;
    expect(found.ranks).toEqual({ n30: 0, n31: 1, n32: 1, n29: -1, n33: 2 });
    expect(found.further).toBe(55);
    const { nodes } = layOut(found.level.graph, found.ranks);
    const top = (id: string) => nodes.find(({ node: one }) => one.id === id)!.box.y;
    expect(top("n29")).toBeLessThan(top("n30"));
    expect(top("n30")).toBeLessThan(top("n31"));
    expect(top("n33")).toBeGreaterThan(top("n32"));
  });
  it("draws a way back below, where the node that it leaves stands", () => {
    const found = neighbourhood(chain(60), "n33")!;
    expect(found.ranks["n34"]).toBe(1);
    const { nodes } = layOut(found.level.graph, found.ranks);
    const top = (id: string) => nodes.find(({ node: one }) => one.id === id)!.box.y;
    expect(top("n34")).toBeGreaterThan(top("n33"));
    expect(found.level.graph.edges.some(({ id }) => id === "n34-n33")).toBe(true);
  });
  it("is nothing where the level has no such node", () => expect(neighbourhood(chain(40), "elsewhere")).toBeNull());
});

describe("a large flow", () => {
  it("is folded: no two nodes lie on each other, and its shape is that of a page", () => {
    for (const count of [31, 60, 200]) {
      const level = chain(count);
      expect(isLarge(level)).toBe(true);
      const layout = layOut(level.graph);
      const boxes = layout.nodes.map(({ box }) => box);
      expect(boxes.some((box, at) => boxes.slice(at + 1).some((other) => overlap(box, other)))).toBe(false);
      expect(layout.width / layout.height).toBeGreaterThan(0.5);
      expect(layout.width / layout.height).toBeLessThan(2.6);
    }
  });
  it("fits its frame however large it is", () => {
    const frame = { width: 600, height: 500 };
    for (const drawing of [{ width: 9000, height: 400 }, { width: 300, height: 40_000 }]) {
      const { x, y, zoom } = fitted(drawing, frame);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + drawing.width * zoom).toBeLessThanOrEqual(frame.width);
      expect(y + drawing.height * zoom).toBeLessThanOrEqual(frame.height);
    }
  });
  it("has the current node in the middle of the frame", () => {
    const frame = { width: 600, height: 500 };
    const { x, y, zoom } = centred({ x: 0, y: 0, zoom: 1 }, { x: 2000, y: 3000, width: 100, height: 50 }, { width: 5000, height: 5000 }, frame);
    expect([2050 * zoom + x, 3025 * zoom + y]).toEqual([300, 250]);
  });
});
