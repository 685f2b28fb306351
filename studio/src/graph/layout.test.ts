import { describe, expect, it } from "vitest";
import type { GraphEdge, GraphNode, GraphView } from "../api/types";
import { partsOf } from "./Drawing";
import { layOut, type Box } from "./layout";
import { linePath, portsOf } from "./lines";
import { searched, treeOf } from "./tree";
import { firstView, focusOn } from "./viewport";

const node = (id: string, kind: GraphNode["kind"] = "prompt"): GraphNode => ({ id, name: id, kind, about: "", fields: [], remarks: [], parent: "", line: 0, file: "", address: "", opens: "", title: "" });
const edge = (source: string, target: string, transition: string, more: Partial<GraphEdge> = {}): GraphEdge => ({
  id: `${source}-${target}-${transition}`,
  source,
  target,
  transition,
  action: "to",
  moment: "before",
  node: source,
  test: "", condition: "",
  because: "",
  priority: 100,
  is_code: false,
  is_mirror: false,
  is_timer: false,
  remark: "",
  line: 0, file: "",
  ...more,
});

const VIEW: GraphView = {
  nodes: [node("start", "start"), node("intro"), node("out"), node("profile"), node("done", "end")],
  edges: [
    edge("intro", "out", "male"),
    edge("intro", "out", "young"),
    edge("intro", "profile", "complete"),
    edge("out", "intro", "corrected"),
    edge("profile", "done", "", { action: "end" }),
    edge("start", "intro", "", { action: "start" }),
  ],
  clusters: [],
};

const overlaps = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("layOut", () => {
  const layout = layOut(VIEW);

  it("places every node and label without overlap", () => {
    const boxes = [...layout.nodes.map(({ box }) => box), ...layout.edges.flatMap(({ label }) => (label ? [label] : []))];
    expect(boxes).toHaveLength(9);
    for (const [place, box] of boxes.entries()) {
      expect(boxes.slice(place + 1).filter((other) => overlaps(box, other))).toEqual([]);
    }
  });

  it("puts the start at the top", () => {
    const top = [...layout.nodes].sort((a, b) => a.box.y - b.box.y)[0];
    expect(top?.node.id).toBe("start");
  });

  it("gives labels to named transitions only", () => {
    expect(layout.edges.filter(({ label }) => label).map(({ edge: one }) => one.transition)).toEqual(["male", "young", "complete", "corrected"]);
  });

  it("goes from left to right where it would be too wide", () => {
    const many = Array.from({ length: 6 }, (_, place) => node(`n${place}`));
    const hub = layOut({ nodes: [node("any", "any"), ...many], edges: many.map((one) => edge("any", one.id, `enter_${one.id}`)), clusters: [] });
    expect(hub.width).toBeLessThan(hub.height * 1.3);
    const start = hub.nodes[0]!.box;
    for (const { box } of hub.nodes.slice(1)) expect(box.x).toBeGreaterThan(start.x + start.width);
  });

  it("lays out two hundred nodes", () => {
    const many = Array.from({ length: 200 }, (_, place) => node(`n${place}`));
    const edges = many.slice(1).map((one, place) => edge(`n${Math.floor(place / 2)}`, one.id, `t${place}`));
    expect(layOut({ nodes: many, edges, clusters: [] }).nodes).toHaveLength(200);
  });
});

describe("partsOf", () => {
  it("puts the labels after the node that they leave, in the order of reading", () => {
    const ids = partsOf(layOut(VIEW)).map(({ id }) => id);
    expect(ids.slice(1, 6)).toEqual(["intro", "label intro-out-male", "label intro-out-young", "label intro-profile-complete", "out"]);
  });
});

describe("firstView", () => {
  const frame = { width: 600, height: 400 };

  it("shows all of a small drawing, near the top", () => {
    expect(firstView({ width: 300, height: 200 }, null, frame)).toEqual({ x: 150, y: 36, zoom: 1 });
  });

  it("makes a drawing smaller while it can be read", () => {
    expect(firstView({ width: 720, height: 300 }, null, frame).zoom).toBeCloseTo(0.8);
    expect(firstView({ width: 900, height: 300 }, null, frame).zoom).toBeCloseTo(0.64);
    expect(firstView({ width: 1200, height: 300 }, null, frame).zoom).toBe(0.78);
  });

  it("shows the current node of a large drawing, and no empty space beside it", () => {
    const at = (y: number) => ({ node: { x: 0, y, width: 100, height: 68 }, near: { x: 0, y, width: 100, height: 68 } });
    const view = firstView({ width: 500, height: 2000 }, at(1000), frame);
    expect(view.zoom).toBe(0.85);
    expect(view.y).toBeCloseTo(200 - 1034 * 0.85);
    expect(firstView({ width: 500, height: 2000 }, at(0), frame).y).toBe(12);
  });

  it("shows the current node with its neighbours, as large as they fit, unless they are too many", () => {
    const node = { x: 900, y: 0, width: 100, height: 68 };
    const view = firstView({ width: 2000, height: 300 }, { node, near: { x: 500, y: 0, width: 900, height: 300 } }, frame);
    expect(view.zoom).toBeCloseTo(576 / 900);
    expect(view.x + 500 * view.zoom).toBeCloseTo(12);
    const crowd = firstView({ width: 4000, height: 300 }, { node, near: { x: 0, y: 0, width: 3000, height: 300 } }, frame);
    expect(crowd).toMatchObject({ zoom: 0.78, x: 300 - 950 * 0.78 });
  });

  it("finds what is near a node: its transitions and the nodes that they join", () => {
    const layout = layOut(VIEW);
    const { node, near } = focusOn(layout, "profile")!;
    expect(node).toEqual(layout.nodes.find((one) => one.node.name === "profile")!.box);
    const names = layout.nodes.filter(({ box }) => box.x >= near.x && box.y >= near.y && box.x + box.width <= near.x + near.width && box.y + box.height <= near.y + near.height).map((one) => one.node.name);
    expect(names).toContain("intro");
    expect(focusOn(layout, "")).toEqual({ node: layout.nodes[0]!.box, near: { x: 0, y: 0, width: layout.width, height: layout.height } });
  });
});

describe("lines", () => {
  const boxes = new Map<string, Box>([
    ["a", { x: 0, y: 0, width: 100, height: 40 }],
    ["b", { x: 0, y: 200, width: 100, height: 40 }],
  ]);

  it("keeps the ends of parallel lines apart", () => {
    const lines = [1, 2, 3].map(() => ({ source: "a", target: "b", points: [{ x: 50, y: 40 }, { x: 50, y: 120 }, { x: 50, y: 200 }] }));
    const xs = portsOf(lines, boxes).map((points) => points[0]!.x);
    expect(xs[1]! - xs[0]!).toBeGreaterThanOrEqual(18);
    expect(xs[2]! - xs[1]!).toBeGreaterThanOrEqual(18);
  });

  it("leaves a node below and enters the next above", () => {
    const [points] = portsOf([{ source: "a", target: "b", points: [{ x: 90, y: 30 }, { x: 300, y: 120 }, { x: 90, y: 210 }] }], boxes);
    expect([points![0]!.y, points![2]!.y]).toEqual([40, 200]);
  });

  it("is vertical at its ends", () => {
    expect(linePath([{ x: 0, y: 0 }, { x: 10, y: 20 }])).toBe("M0.0 0.0C0.0 10.0 10.0 10.0 10.0 20.0");
  });
});

describe("treeOf", () => {
  it("lists nodes with their transitions, and where the flow ends", () => {
    const tree = treeOf(VIEW);
    expect(tree.map((branch) => branch.node.id)).toEqual(["intro", "out", "profile"]);
    expect(tree[0]?.edges.map((one) => one.transition)).toEqual(["male", "young", "complete"]);
    expect(tree[2]?.ends).toBe("done");
  });

  it("finds transitions by a part of their name, and nodes with all of theirs", () => {
    expect(searched(treeOf(VIEW), "CORR").map((branch) => branch.edges.length)).toEqual([1]);
    expect(searched(treeOf(VIEW), "intro")[0]?.edges).toHaveLength(3);
    expect(searched(treeOf(VIEW), "nothing")).toEqual([]);
  });
});
