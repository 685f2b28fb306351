import type { FlowPage } from "../api/types";

export type NamedSubject = { kind: "field" | "node" | "transition"; name: string };

/** The names of a flow that can be asked about, as suggestions; the server knows all of them. */
export function subjectsOf(flow: FlowPage | null): NamedSubject[] {
  if (!flow) return [];
  const nodes = flow.graph.nodes.map((node): NamedSubject => ({ kind: "node", name: node.name }));
  const fields = flow.fields.map((field): NamedSubject => ({ kind: "field", name: field.name }));
  return [...fields, ...nodes];
}
