import { useEffect } from "react";
import { api } from "../api/calls";
import type { ConversationSummary, EdgeHistory, FlowPage, FlowSource, FlowSummary, FormLedger, Me, Records, StateView, Timeline, TurnTrace, Waiting } from "../api/types";
import { useConversationData } from "./conversations";
import { useSummary } from "./list";
import { usePosition } from "./position";
import { prefetch, useResource, type Resource } from "./resource";
import { conversationRoute, useConversationId, useRoute, type ConversationRoute } from "./route";
import type { ConversationData } from "./transcript";

/** Who is asking, with the scopes and limits. */
export const useMe = (): Resource<Me> => useResource("me", api.me);

/** Whether this reader may do a thing. While it is unknown: no. */
export function useScope(scope: Me["scopes"][number]): boolean {
  const { data } = useMe();
  return Boolean(data && (data.is_local || data.scopes.includes(scope) || data.scopes.includes("admin")));
}

export { useConversationId };

/** The open conversation: its summary, messages, decisions (`seams`) and drafts of the model. */
export function useConversation(): ConversationData | null {
  const id = useConversationId();
  const data = useConversationData(id);
  const listed = useSummary(id);
  if (data && !data.summary && listed) return { ...data, summary: listed };
  return data;
}

/** Everything about one turn of the open conversation; without a number of the turn of the position. */
export function useTurnTrace(turn?: number): Resource<TurnTrace> {
  const id = useConversationId();
  const position = usePosition();
  const canDebug = useScope("debug:read");
  const number = Math.min(turn ?? position.turn, position.lastTurn);
  return useResource(id !== null && canDebug && number > 0 ? `trace:${id}#${number}` : null, () => api.trace(id ?? "", number));
}

/** The questions of the form in charge at the end of a turn, and what each answer would do; `null` where no form is. */
export function useLedger(turn: number, hasForm: boolean): FormLedger | null {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  const isWanted = id !== null && canDebug && hasForm && turn > 0;
  return useResource(isWanted ? `trace:${id}#${turn} ledger` : null, () => api.ledger(id ?? "", turn)).data?.ledger ?? null;
}

const SOON = 150;

/** Load the turns beside the position when the reader rests there, so that a step needs no wait. */
export function usePrefetchedTurns(isReady: boolean): void {
  const id = useConversationId();
  const { turn, lastTurn } = usePosition();
  useEffect(() => {
    if (!isReady || id === null) return;
    const timer = setTimeout(() => {
      for (const near of [turn + 1, turn - 1]) if (near >= 1 && near <= lastTurn) prefetch(`trace:${id}#${near}`, () => api.trace(id, near));
    }, SOON);
    return () => clearTimeout(timer);
  }, [id, turn, lastTurn, isReady]);
}

/** The path of the open conversation. */
export function useTimeline(): Resource<Timeline> {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  return useResource(id !== null && canDebug ? `timeline:${id}` : null, () => api.timeline(id ?? ""));
}

/** The state at the end of a turn of the open conversation. */
export function useStateView(turn: number): Resource<StateView> {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  return useResource(id !== null && canDebug && turn > 0 ? `state:${id}#${turn}` : null, () => api.state(id ?? "", turn));
}

/** The records of the open conversation after a turn. */
export function useRecords(turn: number): Resource<Records> {
  const id = useConversationId();
  return useResource(id !== null ? `records:${id}#${turn}` : null, () => api.records(id ?? ""));
}

/** How often each transition was judged and taken in the open conversation. */
export function useEdges(): Resource<EdgeHistory[]> {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  return useResource(id !== null && canDebug ? `edges:${id}` : null, () => api.edges(id ?? ""));
}

/** A flow by its name; without one the flow of the page or of the open conversation. */
export function useFlow(name?: string): Resource<FlowPage> {
  const route = useRoute();
  const conversation = useConversation();
  const flow = name ?? (route.page === "flow" ? route.flow : conversation?.summary?.flow);
  return useResource(flow ? `flow:${flow}` : null, () => api.flow(flow ?? ""));
}

/** The documents of a flow with their texts, for readers who may see them. */
export function useFlowSource(flow: string | undefined): Resource<FlowSource> {
  const canDebug = useScope("debug:read");
  return useResource(flow && canDebug ? `source:${flow}` : null, () => api.flowSource(flow ?? ""));
}

/** How often each transition of a flow was judged and taken in all conversations. */
export function useFlowEdges(flow: string | undefined): Resource<EdgeHistory[]> {
  const canDebug = useScope("debug:read");
  return useResource(flow && canDebug ? `flow-edges:${flow}` : null, () => api.flowEdges(flow ?? ""));
}

/** Returns the route of a conversation: at its end, but where the demonstration opens it while nothing has changed there. */
export function useRouteTo(): (summary: Pick<ConversationSummary, "id" | "flow" | "seq">) => ConversationRoute {
  const flows = useFlows().data;
  return (summary) => {
    const opening = flows?.find((one) => one.name === summary.flow)?.openings.find((one) => one.conversation === summary.id && one.seq === summary.seq);
    return { ...conversationRoute(summary.id), turn: opening?.turn || null };
  };
}

export const useFlows = (): Resource<FlowSummary[]> => useResource("flows", api.flows);

/** The conversations that wait for a person, for readers who may take them over. */
export function useQueue(): Resource<Waiting[]> {
  const isAllowed = useScope("operator");
  return useResource(isAllowed ? "queue" : null, api.queue);
}
