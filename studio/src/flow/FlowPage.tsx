import "./flow.css";

/** The page of a flow: source with diagnostics, drawing, parked conversations, coverage. */
export function FlowPage({ flow }: { flow: string }) {
  return <h1 className="sr">{flow}</h1>;
}
