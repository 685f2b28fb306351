import { describe, expect, it } from "vitest";
import type { GraphEdge, GraphNode } from "../api/types";
import { sketch } from "./sketch";

const node = (id: string, kind: GraphNode["kind"] = "say"): GraphNode => ({ id, name: id, kind, about: "", fields: [], remarks: [], parent: "", line: 0, file: "", address: "", opens: "", title: "" });
const edge = (source: string, target: string): GraphEdge => ({ id: `${source}${target}`, source, target, transition: "t", action: "to", moment: "", node: "", test: "", condition: "", because: "", priority: 100, is_code: false, is_mirror: false, is_timer: false, remark: "", line: 0, file: "" });

describe("sketch", () => {
  it("draws boxes of some width inside of the picture, also of many nodes and of circles", () => {
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`);
    const edges = [edge("start", "n0"), ...names.slice(1).map((name, n) => edge(`n${n}`, name)), edge("n29", "n0")];
    const drawn = sketch({ nodes: [node("start", "start"), ...names.map((name) => node(name))], edges, clusters: [] });
    expect(drawn.nodes).toHaveLength(10);
    for (const one of drawn.nodes) {
      expect(one.width).toBeGreaterThan(0);
      expect(one.x - one.width / 2).toBeGreaterThanOrEqual(0);
      expect(one.x + one.width / 2).toBeLessThanOrEqual(162);
      expect(one.y - one.height / 2).toBeGreaterThanOrEqual(0);
      expect(one.y + one.height / 2).toBeLessThanOrEqual(150);
    }
    expect(drawn.nodes[0]?.isStart).toBe(true);
  });
  it("draws a flow without nodes as nothing", () => {
    expect(sketch({ nodes: [], edges: [], clusters: [] })).toEqual({ nodes: [], edges: [] });
  });
});
