import { describe, expect, it } from "vitest";
import type { GraphEdge, GraphLevel, GraphNode } from "../api/types";
import { near } from "./near";

const node = (id: string): GraphNode => ({ id, name: id, kind: "say", about: "", fields: [], remarks: [], parent: "frame", line: 0, file: "", address: id, opens: "", title: "" });
const edge = (source: string, target: string) => ({ id: `${source}${target}`, source, target, transition: "t" }) as GraphEdge;
const level: GraphLevel = { scope: "s", title: "", parent: null, graph: { nodes: ["a", "b", "c", "d"].map(node), edges: [edge("a", "b"), edge("b", "c"), edge("c", "d")], clusters: [["frame", "Frame", ""]] } };

describe("near", () => {
  it("has one step back and one on", () => {
    const found = near(level, { kind: "node", id: "b" })!.graph;
    expect([found.nodes.map(({ id }) => id), found.edges.map(({ id }) => id)]).toEqual([["a", "b", "c"], ["ab", "bc"]]);
    expect(found.nodes.every(({ parent }) => parent === "")).toBe(true);
  });

  it("is about the node that a transition leaves, and another one for each node", () => {
    expect(near(level, { kind: "edge", id: "cd" })!.graph.nodes.map(({ id }) => id)).toEqual(["b", "c", "d"]);
    expect(near(level, { kind: "edge", id: "cd" })!.scope).not.toBe(near(level, { kind: "node", id: "b" })!.scope);
  });

  it("is nothing for what the level does not have", () => {
    expect(near(level, { kind: "node", id: "x" })).toBeNull();
  });
});
