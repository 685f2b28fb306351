import { createContext, useContext, useSyncExternalStore } from "react";

/** What the address says. `turn` and `decision` count from 1; without `turn` the position is live. `level` is the scope whose inside the graph shows; without one it follows the conversation. */
export type Route =
  | { page: "start"; all?: true }
  | { page: "flow"; flow: string }
  | { page: "conversation"; id: string; turn: number | null; decision: number | null; view: View; tab: PanelTab; ask: string; level: string | null; whatIf: boolean }
  | { page: "side"; one: string; other: string; turn: number | null }
  | { page: "queue"; id: string }
  | { page: "lost"; path: string };

/** What stands in the centre of a conversation. */
export type View = "chat" | "graph" | "source";
export type PanelTab = "why" | "state" | "prompt" | "events" | "time" | "ask";
export type ConversationRoute = Extract<Route, { page: "conversation" }>;

const VIEWS: readonly string[] = ["chat", "graph", "source"];
const TABS: readonly string[] = ["why", "state", "prompt", "events", "time", "ask"];

const number = (text: string | null) => {
  const value = Number(text);
  return text && Number.isInteger(value) && value > 0 ? value : null;
};

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The route of an address below the base path. */
export function parseRoute(path: string, search = ""): Route {
  const [kind = "", ...rest] = path.replace(/^\/+|\/+$/g, "").split("/");
  const name = decoded(rest.join("/"));
  const query = new URLSearchParams(search);
  if (!kind || kind === "index.html") return query.has("all") ? { page: "start", all: true } : { page: "start" };
  if (kind === "side" && rest.length === 2) return { page: "side", one: decoded(rest[0] ?? ""), other: decoded(rest[1] ?? ""), turn: number(query.get("turn")) };
  if (kind === "queue") return { page: "queue", id: name };
  if (kind === "f" && name) return { page: "flow", flow: name };
  if (kind === "c" && name) {
    const turn = number(query.get("turn"));
    const tab = query.get("tab") ?? "";
    return {
      page: "conversation",
      id: name,
      turn,
      decision: turn === null ? null : number(query.get("decision")),
      view: VIEWS.includes(query.get("view") ?? "") ? (query.get("view") as View) : "chat",
      tab: TABS.includes(tab) ? (tab as PanelTab) : "why",
      ask: query.get("ask") ?? "",
      level: query.get("level"),
      whatIf: query.has("what-if"),
    };
  }
  return { page: "lost", path };
}

/** The address of a route, relative to the base path. */
export function formatRoute(route: Route): string {
  if (route.page === "start") return route.all ? "?all" : "";
  if (route.page === "flow") return `f/${encodeURIComponent(route.flow)}`;
  if (route.page === "lost") return route.path;
  if (route.page === "queue") return route.id ? `queue/${encodeURIComponent(route.id)}` : "queue";
  if (route.page === "side") return `side/${encodeURIComponent(route.one)}/${encodeURIComponent(route.other)}${route.turn === null ? "" : `?turn=${route.turn}`}`;
  const query = new URLSearchParams();
  if (route.turn !== null) query.set("turn", String(route.turn));
  if (route.turn !== null && route.decision !== null) query.set("decision", String(route.decision));
  if (route.view !== "chat") query.set("view", route.view);
  if (route.view === "graph" && route.level !== null) query.set("level", route.level);
  if (route.tab !== "why") query.set("tab", route.tab);
  if (route.tab === "ask" && route.ask) query.set("ask", route.ask);
  if (route.whatIf) query.set("what-if", "");
  const text = query.toString().replace(/what-if=(?=&|$)/, "what-if");
  return `c/${encodeURIComponent(route.id)}${text ? `?${text}` : ""}`;
}

/** The address of a conversation at its live position. */
export const conversationRoute = (id: string): ConversationRoute => ({ page: "conversation", id, turn: null, decision: null, view: "chat", tab: "why", ask: "", level: null, whatIf: false });

const base = () => new URL(".", document.baseURI).pathname;
const listeners = new Set<() => void>();
let last: { href: string; route: Route } | null = null;

/** The route of the page's address now. */
export function currentRoute(): Route {
  if (last?.href !== location.href) {
    const path = location.pathname.startsWith(base()) ? location.pathname.slice(base().length) : location.pathname;
    last = { href: location.href, route: parseRoute(path, location.search) };
  }
  return last.route;
}

/** Go to a route. A move inside of a conversation replaces the entry of the history, so that Back leaves it. */
export function navigate(route: Route, { replace = false } = {}): void {
  const url = new URL(formatRoute(route), new URL(base(), location.origin));
  if (url.href === location.href) return;
  history[replace ? "replaceState" : "pushState"](null, "", url);
  for (const listener of [...listeners]) listener();
}

/** Change some parts of the address of the conversation, if one is open. With `isStep` Back undoes the change. */
export function moveTo(change: Partial<Omit<ConversationRoute, "page" | "id">>, { isStep = false } = {}): void {
  const now = currentRoute();
  if (now.page === "conversation") navigate({ ...now, ...change }, { replace: !isStep });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

/** The route of the address; renders again when it changes. */
export const useRoute = (): Route => useSyncExternalStore(subscribe, currentRoute);

const openId = () => {
  const route = currentRoute();
  return route.page === "conversation" ? route.id : null;
};

/** The conversation that a part of the page is about, where the page shows several. */
export const ConversationScope = createContext<string | null>(null);

/** The id of the open conversation, or of the one that this part is about. A move inside of it does not render again. */
export function useConversationId(): string | null {
  const scope = useContext(ConversationScope);
  const open = useSyncExternalStore(subscribe, openId);
  return scope ?? open;
}

/** The full address of a route, for links that open in a new tab as well. */
export const href = (route: Route): string => new URL(formatRoute(route), new URL(base(), location.origin)).href;
