import { api } from "../api/calls";
import type { DeliveryView, TimeView } from "../api/types";
import { useScope } from "./hooks";
import { useResource, type Resource } from "./resource";
import { useConversationId } from "./route";

/** What the open conversation does by the clock, and what it spent: as it is now, at every position. */
export function useTiming(): Resource<TimeView> {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  return useResource(id !== null && canDebug ? `time:${id}` : null, () => api.time(id ?? ""));
}

/** What the open conversation said by itself and is on its way to the user, the oldest first. */
export function useDeliveries(): Resource<DeliveryView[]> {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  return useResource(id !== null && canDebug ? `deliveries:${id}` : null, () => api.deliveries(id ?? ""));
}
