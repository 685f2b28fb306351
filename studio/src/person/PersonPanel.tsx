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
import { t, tx } from "../i18n/t";

/** A person takes over, answers, sets fields and gives back; one of the tabs of the debug panel. */
export function PersonPanel() {
  const summary = useConversation()?.summary ?? null;
  const isAllowed = useScope("operator");
  if (!isAllowed) {
    return (
      <Empty title={t("You cannot take over")}>
        {t("Taking over needs a key with the scope")}{" "}<code>{t("operator")}</code>.
      </Empty>
    );
  }
  if (!summary) return <Loading label={t("Loading the conversation")} />;
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
      <Empty title={summary.status === "ended" ? t("The conversation has ended") : t("The conversation has failed")}>
        {t("Nobody can take it over. Fork it to go on from an earlier turn.")}
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
            {t("Waits for a person")}{person.queue && <>{" "}{t("in")}{" "}<code>{person.queue}</code></>}, {span(now - person.since_ms)}
          </h2>
        ) : (
          <h2>{t("The machine is in charge")}</h2>
        )}
        <p>{person?.about || t("Take over to answer the user yourself. No model is called and nothing is judged until you give back.")}</p>
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
          {tx("{shown} is in charge, {now}", { shown, now: span(now - (person.taken_ms ?? person.since_ms)) })}
        </h2>
        <p>
          {person.reason && `${person.reason}. `}
          {tx("You can read along. {x} {shown} can answer and give back.", { x: own ? t("You are {own}; only", { own }) : t("Only"), shown })}
        </p>
      </div>
      <div className="opside">
        {!hasKey && (
          <section className="same" aria-label={t("You are {shown}", { shown })}>
            <p>{tx("Are you {shown}, and this browser does not know it?", { shown })}</p>
            <Button onClick={continueAs}>{tx("Continue as {shown}", { shown })}</Button>
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
  if (!flow.data || !records.data) return <Loading label={t("Loading the fields")} />;
  return <InCharge key={summary.id} summary={summary} operator={operator} page={flow.data} values={records.data.values} />;
}
