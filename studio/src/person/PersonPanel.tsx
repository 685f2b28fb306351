import "./person.css";
import { useNow } from "../app/clock";
import { span } from "../app/words";
import type { ConversationSummary, PersonView } from "../api/types";
import { act } from "../data/actions";
import { useConversation, useFlow, useRecords, useScope } from "../data/hooks";
import { useOperator } from "../data/operator";
import { setSettings } from "../data/settings";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import { InCharge } from "./InCharge";
import { Queue } from "./Queue";
import { TakeOver } from "./TakeOver";

/** A person takes over, answers, sets fields and gives back; one of the tabs of the debug panel. */
export function PersonPanel() {
  const summary = useConversation()?.summary ?? null;
  const isAllowed = useScope("operator");
  if (!isAllowed) {
    return (
      <Empty title="You cannot take over">
        Taking over needs a key with the scope <code>operator</code>.
      </Empty>
    );
  }
  if (!summary) return <Loading label="Loading the conversation" />;
  return (
    <>
      <Body key={summary.id} summary={summary} />
      <Queue current={summary.id} isOpen={!summary.person} />
    </>
  );
}

function Body({ summary }: { summary: ConversationSummary }) {
  const { isMine } = useOperator();
  const { person } = summary;
  if (summary.status === "ended" || summary.status === "failed") {
    return (
      <Empty title={summary.status === "ended" ? "The conversation has ended" : "The conversation has failed"}>
        Nobody can take it over. Fork it to go on from an earlier turn.
      </Empty>
    );
  }
  if (!person?.operator) return <Waiting id={summary.id} person={person} />;
  if (!isMine) return <Elsewhere id={summary.id} person={person} />;
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

/** Another person is in charge, or the same one in another browser. */
function Elsewhere({ id, person }: { id: string; person: PersonView }) {
  const { own, hasKey, shown } = useOperator();
  const now = useNow(1000);
  const continueAs = () => {
    setSettings({ operator: person.operator });
    act("focus-message");
  };
  return (
    <>
      <div className="verdict">
        <h2>
          {shown} is in charge, {span(now - (person.taken_ms ?? person.since_ms))}
        </h2>
        <p>
          {person.reason && `${person.reason}. `}
          You can read along. {own ? `You are ${own}; only` : "Only"} {shown} can answer and give back.
        </p>
      </div>
      <div className="opside">
        {!hasKey && (
          <section className="same" aria-label={`You are ${shown}`}>
            <p>Are you {shown}, and this browser does not know it?</p>
            <Button onClick={continueAs}>Continue as {shown}</Button>
          </section>
        )}
        <TakeOver key={person.operator} id={id} from={person} />
      </div>
    </>
  );
}

function Mine({ summary, operator }: { summary: ConversationSummary; operator: string }) {
  const flow = useFlow(summary.flow);
  const records = useRecords(summary.turn);
  const problem = flow.problem ?? records.problem;
  if (problem) return <LoadRefusal problem={problem} loads="" />;
  if (!flow.data || !records.data) return <Loading label="Loading the fields" />;
  return <InCharge key={summary.id} summary={summary} operator={operator} page={flow.data} values={records.data.values} />;
}
