// A page of a flow with two nodes, a problem and some coverage.

import type { FlowPage } from "../api/types";

const graph = {
  nodes: [
    { id: "n0", name: "greet", kind: "prompt", parent: "", line: 2, file: "f" },
    { id: "n1", name: "part", kind: "say", parent: "", line: 4, file: "f" },
    { id: "n2", name: "done", kind: "end", parent: "", line: 0, file: "" },
  ],
  edges: [
    { id: "e0", source: "n0", target: "n1", transition: "go", node: "greet", moment: "before", line: 3, file: "f" },
    { id: "e1", source: "n1", target: "n2", transition: "", node: "part", moment: "", line: 0, file: "" },
  ],
  clusters: [],
};

export const page = {
  flow: { name: "visit", file: "f", conversations: 2 },
  graph,
  levels: [{ scope: "", title: "", parent: null, graph }],
  source: "nodes:\n  greet: {}\n  - {id: go}\n  part: {}\n",
  diagnostics: [{ code: "TW031", severity: "error", message: "m", hint: "", file: "f", line: 3, column: 6 }],
  parked: { greet: 2 },
  coverage: { nodes: { greet: 2 }, edges: [{ node: "greet", moment: "before", transition: "go", target: "part", judged: 3, held: 0, taken: 0, line: "", outcomes: {} }], conversations: 2 },
} as unknown as FlowPage;
