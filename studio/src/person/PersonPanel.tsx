import "./person.css";
import { useNow } from "../app/clock";
import { span } from "../app/words";
import type { ConversationSummary, PersonView } from "../api/types";
import { useConversation, useFlow, useRecords, useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { moveTo, type PanelTab } from "../data/route";
import { operatorName, useOperator } from "../data/operator";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { Tabs, type Tab } from "../ui/Tabs";
import { InCharge } from "./InCharge";
import { Queue } from "./Queue";
import { TakeOver } from "./TakeOver";

const TABS: readonly Tab<PanelTab | "person">[] = [
  { id: "person", label: "Person" },
  { id: "why", label: "Why" },
  { id: "state", label: "State" },
  { id: "events", label: "Events" },
];

/** A person takes over, answers, sets fields and gives back; replaces the body of the debug panel. */
export function PersonPanel() {
  const summary = useConversation()?.summary ?? null;
  const isAllowed = useScope("operator");
  const open = (tab: PanelTab | "person") => {
    if (tab === "person") return;
    setLayout({ isPersonOpen: false });
    moveTo({ tab, whatIf: false });
  };
  return (
    <>
      <div className="tabs">
        <Tabs label="Debug panel" tabs={TABS} selected="person" onSelect={open} panelId="panel" />
        <span className="grow" />
        <Button look="quiet" icon="close" label="Close the panel of the person" onClick={() => setLayout({ isPersonOpen: false })} />
      </div>
      <div className="pscroll" id="panel" role="tabpanel" aria-labelledby="panel-person" tabIndex={0}>
        {!isAllowed ? (
          <Empty title="You cannot take over">
            Taking over needs a key with the scope <code>operator</code>.
          </Empty>
        ) : summary ? (
          <>
            <Body summary={summary} />
            <Queue current={summary.id} isOpen={!summary.person} />
          </>
        ) : (
          <Loading label="Loading the conversation" />
        )}
      </div>
    </>
  );
}

function Body({ summary }: { summary: ConversationSummary }) {
  const operator = useOperator();
  const { person } = summary;
  if (summary.status === "ended" || summary.status === "failed") {
    return (
      <Empty title={summary.status === "ended" ? "The conversation has ended" : "The conversation has failed"}>
        Nobody can take it over. Fork it to go on from an earlier turn.
      </Empty>
    );
  }
  if (!person?.operator) return <Waiting id={summary.id} person={person} />;
  if (person.operator !== operator) return <Elsewhere person={person} name={operator} />;
  return <Mine summary={summary} operator={person.operator} />;
}

/** Nobody is in charge: the conversation waits in a queue, or the machine goes on. */
function Waiting({ id, person }: { id: string; person: PersonView | null }) {
  const now = useNow(1000);
  return (
    <>
      <div className="verdict">
        {person ? (
          <h2>
            Waits for a person{person.queue && <> in <code>{person.queue}</code></>}, {span(now - person.since_ms)}
          </h2>
        ) : (
          <h2>The machine is in charge</h2>
        )}
        <p>{person?.about || "Take over to answer the user yourself. No model is called and nothing is judged until you give back."}</p>
      </div>
      <div className="opside">
        <TakeOver id={id} />
      </div>
    </>
  );
}

/** Another person is in charge. */
function Elsewhere({ person, name }: { person: PersonView; name: string }) {
  const now = useNow(1000);
  return (
    <div className="verdict">
      <h2>
        {operatorName(person)} is in charge, {span(now - (person.taken_ms ?? person.since_ms))}
      </h2>
      <p>
        {person.reason && `${person.reason}. `}
        You can read along. {name ? `You are ${name}; only ${operatorName(person)} can answer and give back.` : `Only ${operatorName(person)} can answer and give back.`}
      </p>
    </div>
  );
}

function Mine({ summary, operator }: { summary: ConversationSummary; operator: string }) {
  const flow = useFlow(summary.flow);
  const records = useRecords(summary.turn);
  const problem = flow.problem ?? records.problem;
  if (problem) return <Refusal problem={problem} />;
  if (!flow.data || !records.data) return <Loading label="Loading the fields" />;
  return <InCharge key={summary.id} summary={summary} operator={operator} page={flow.data} values={records.data.values} />;
}
