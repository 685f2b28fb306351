import type { FlowSummary } from "../api/types";
import { Link } from "../app/Link";
import { begin, openNew } from "../data/begin";
import { useFlows } from "../data/hooks";
import { useRun } from "../data/run";
import { FailedDeliveries } from "../time/FailedDeliveries";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { LoadRefusal, Refusal } from "../ui/Refusal";
import { FlowPicture } from "./FlowPicture";
import { OpenFile } from "./OpenFile";
import { Recent } from "./Recent";
import "./start.css";

const COMMAND = "turnwise serve my.flow.yaml --reload";

/** The flows of this server, and ways to open a conversation. */
export function StartPage() {
  const flows = useFlows();
  return (
    <div className="wrap">
      <div className="hero">
        <h1>Talk with a flow. Then ask why.</h1>
        <p>Begin a conversation, and see for each decision why it went this way, and why not another. Where no model is connected, a fixed reply stands in.</p>
      </div>
      {flows.problem && <LoadRefusal problem={flows.problem} loads="flows" />}
      {!flows.data && !flows.problem && <Loading label="Loading the flows" shape={[188, 188]} />}
      {flows.data?.length === 0 && <Empty title="This server has no flow">Start it with one: {COMMAND}</Empty>}
      <div className="cards">
        {flows.data?.map((flow) => (
          <Card key={flow.name} flow={flow} />
        ))}
      </div>
      <FailedDeliveries />
      <Recent />
      <div className="below">
        <section aria-labelledby="own-flow">
          <h2 id="own-flow">Open your own flow</h2>
          <p className="soft">Save the file, and diagnostics and graph update here.</p>
          <div className="cmd">
            <span className="muted" aria-hidden="true">
              $
            </span>
            <code>{COMMAND}</code>
            <span className="grow" />
            <CopyButton label="Copy the command" text={() => COMMAND} />
          </div>
        </section>
        <OpenFile />
      </div>
    </div>
  );
}

function Card({ flow }: { flow: FlowSummary }) {
  const { run, isBusy, problem } = useRun(async () => openNew(await begin(flow.name)));
  const facts = [`${flow.nodes} ${flow.nodes === 1 ? "node" : "nodes"}`, `version ${flow.version}`, flow.is_autonomous ? "autonomous" : "", flow.conversations ? `${flow.conversations} ${flow.conversations === 1 ? "conversation" : "conversations"}` : ""];
  return (
    <article className="card">
      <div className="tx">
        <h2>{flow.name}</h2>
        <p>{flow.description || flow.title}</p>
        {flow.tries && <p className="tries">{flow.tries}</p>}
        <span className="fact">{facts.filter(Boolean).join(", ")}</span>
        {flow.errors > 0 && <span className="fact no">{flow.errors === 1 ? "1 problem" : `${flow.errors} problems`} in the file</span>}
        {problem && <Refusal problem={problem} />}
        <span className="try">
          <Button look="solid" onClick={run} aria-disabled={isBusy}>
            {isBusy ? "Beginning…" : "Begin"}<span className="sr"> a conversation with {flow.name}</span>
          </Button>
          <Link className="btn quiet" to={{ page: "flow", flow: flow.name }}>
            See the flow<span className="sr"> {flow.name}</span>
          </Link>
        </span>
      </div>
      <div className="pic">
        <FlowPicture flow={flow.name} />
      </div>
    </article>
  );
}
