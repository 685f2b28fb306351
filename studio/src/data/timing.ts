import { api } from "../api/calls";
import type { TimeView } from "../api/types";
import { useScope } from "./hooks";
import { useResource, type Resource } from "./resource";
import { useConversationId } from "./route";

/** What the open conversation does by the clock, and what it spent: as it is now, at every position. */
export function useTiming(): Resource<TimeView> {
  const id = useConversationId();
  const canDebug = useScope("debug:read");
  return useResource(id !== null && canDebug ? `time:${id}` : null, () => api.time(id ?? ""));
}
