// Which versions of the flows are shown. The stream reports a change once, to those that are open at that moment.

import { api } from "../api/calls";
import type { FlowSummary } from "../api/types";
import { invalidate, keep, known } from "./resource";

/** What is shown of a flow is of an earlier version of its files. */
export function outdateFlow(flow: string): void {
  invalidate(`flow:${flow}`);
  invalidate(`source:${flow}`);
  invalidate("flows");
}

const version = ({ fingerprint, errors, warnings }: FlowSummary): string => `${fingerprint} ${errors} ${warnings}`;

/** Ask for what changed while no stream told this tab of it. A text may change without another version. */
export function catchUpFlows(): void {
  invalidate("source:");
  const before = known<FlowSummary[]>("flows");
  if (before) void compare(new Map(before.map((flow) => [flow.name, version(flow)])));
}

async function compare(before: ReadonlyMap<string, string>): Promise<void> {
  const now = await api.flows().catch(() => null); // without an answer the next stream asks again
  if (!now) return;
  for (const flow of now) if (before.get(flow.name) !== version(flow)) invalidate(`flow:${flow.name}`);
  keep("flows", now);
}
