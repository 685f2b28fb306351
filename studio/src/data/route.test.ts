import { describe, expect, it } from "vitest";
import { formatRoute, parseRoute, type Route } from "./route";

describe("route", () => {
  const routes: Route[] = [
    { page: "start" },
    { page: "flow", flow: "health_intake" },
    { page: "conversation", id: "owner:maria 1/2", turn: 4, decision: 2, view: "graph", tab: "events", ask: "", level: null, whatIf: true },
    { page: "conversation", id: "maria", turn: null, decision: null, view: "chat", tab: "why", ask: "", level: null, whatIf: false },
  ];
  it.each(routes)("reads what it writes: %j", (route) => {
    const [path = "", search = ""] = formatRoute(route).split("?");
    expect(parseRoute(path, search ? `?${search}` : "")).toEqual(route);
  });
  it("ignores a position that is none", () => {
    expect(parseRoute("c/maria", "?turn=0&decision=x&tab=other")).toMatchObject({ turn: null, decision: null, tab: "why" });
    expect(parseRoute("c/maria", "?decision=2")).toMatchObject({ turn: null, decision: null });
  });
  it("keeps a path that it does not know", () => {
    expect(parseRoute("x/y")).toEqual({ page: "lost", path: "x/y" });
  });
});
