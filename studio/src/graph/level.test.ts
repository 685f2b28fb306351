import { describe, expect, it } from "vitest";
import type { FlowPage, GraphLevel, GraphNode } from "../api/types";
import { decode } from "../timeline/decode";
import { TIMELINE } from "../timeline/example";
import { allNodes, levelOf, levelsTo, scopeAround } from "./level";
import { showNode } from "./show";
import { standingAt } from "./standing";
import { fitted, pinched, showing, zoomed } from "./viewport";

const node = (address: string, kind: GraphNode["kind"] = "form"): GraphNode => ({ id: address, name: address.split("/").at(-1)!, kind, about: "", fields: [], remarks: [], parent: "", line: 0, file: "", address, opens: kind === "scope" ? address : "", title: "" });
const level = (scope: string, ...nodes: GraphNode[]): GraphLevel => ({ scope, title: scope, parent: scope ? scopeAround(scope) : null, graph: { nodes, edges: [], clusters: [] } });
const page = { levels: [level("", node("chat"), node("quiz", "scope")), level("quiz", node("quiz/first"), node("quiz/aside", "scope")), level("quiz/aside", node("quiz/aside/tell"), node("chat"))] } as unknown as FlowPage;

describe("levels", () => {
  it("finds the level of a scope, or the one around a scope without a level", () => {
    expect(levelOf(page, "quiz").scope).toBe("quiz");
    expect(levelOf(page, "quiz/first").scope).toBe("quiz");
    expect(levelOf(page, "other/form").scope).toBe("");
  });
  it("leads out through every level around", () => {
    expect(levelsTo(page, levelOf(page, "quiz/aside")).map((one) => one.scope)).toEqual(["", "quiz", "quiz/aside"]);
  });
  it("lists each node once", () => {
    expect(allNodes(page).map((one) => one.address)).toEqual(["chat", "quiz", "quiz/first", "quiz/aside", "quiz/aside/tell"]);
  });
});

describe("the standing of a scope", () => {
  const track = decode({ ...TIMELINE, lanes: ["chat", "quiz", "quiz/first"], depths: [0, 0, 1], turns: [[1, 1, 11, 1, 0, "said", false, 0, 0], [2, 12, 24, 2, 2, "said", false, 14, 1]], marks: [[13, 2, 2, 0, "taken", -1, "opened a scope", false, "before", "asks", 0, "t", 0, 0, false], [20, 2, 2, 2, "false", -1, "stayed", false, "before", "", 1, "f", 14, 1, false]], moves: [[14, 0, 2]] });
  const show = (address: string, at: number | null) => showNode(node(address, address === "quiz" ? "scope" : "form"), standingAt(track, track.decisions.find((one) => one.seq === at) ?? null, []));
  it("has the visits of what is inside, and says that the conversation is inside", () => {
    expect(show("quiz", null)).toMatchObject({ text: "turn 2", isHere: false, isAround: true, tag: "inside" });
    expect(show("quiz/first", null)).toMatchObject({ isHere: true, tag: "here" });
  });
  it("is inside after the decision that opened it", () => {
    expect(show("quiz/first", 13)).toMatchObject({ isHere: true });
    expect(show("chat", 13)).toMatchObject({ isHere: false, tag: "" });
  });
});

describe("the view", () => {
  const view = { x: 10, y: 20, zoom: 1 };
  it("keeps the point below the pointer where it is, and stays within its limits", () => {
    expect(zoomed(view, 1.5, { x: 110, y: 120 })).toEqual({ x: -40, y: -30, zoom: 1.5 });
    expect(zoomed(view, 99, { x: 0, y: 0 }).zoom).toBe(1.6);
    expect(zoomed(view, 0.001, { x: 0, y: 0 }).zoom).toBe(0.02);
  });
  it("follows two fingers", () => {
    expect(pinched(view, [{ x: 0, y: 0 }, { x: 100, y: 0 }], [{ x: 10, y: 0 }, { x: 110, y: 0 }])).toEqual({ x: 20, y: 20, zoom: 1 });
    expect(pinched(view, [{ x: 0, y: 0 }, { x: 100, y: 0 }], [{ x: 0, y: 0 }, { x: 150, y: 0 }]).zoom).toBe(1.5);
  });
  it("shows all of a drawing in the middle", () => {
    expect(fitted({ width: 1000, height: 100 }, { width: 500, height: 400 })).toEqual({ x: 20, y: 177, zoom: 0.46 });
  });
  it("moves only where a part cannot be seen", () => {
    const frame = { width: 400, height: 300 };
    expect(showing(view, { x: 0, y: 0, width: 100, height: 50 }, frame)).toBe(view);
    expect(showing(view, { x: 900, y: 0, width: 100, height: 50 }, frame)).toEqual({ x: -750, y: 125, zoom: 1 });
  });
});
