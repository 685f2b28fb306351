import { useFlows } from "../data/hooks";
import { useList } from "../data/list";
import { LookCard } from "../look/FirstLook";
import { FailedDeliveries } from "../time/FailedDeliveries";
import { CopyButton } from "../ui/CopyButton";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import { FlowCard } from "./FlowCard";
import { Hero } from "./Hero";
import { OpenFile } from "./OpenFile";
import { Prepared } from "./Prepared";
import { Recent } from "./Recent";
import "./start.css";
import { t, tx } from "../i18n/t";

const COMMAND = "turnwise serve my.flow.yaml --reload";

/** What this is for, conversations to look into, the flows of this server, and ways to open a conversation. */
export function StartPage() {
  const flows = useFlows();
  const list = useList();
  const all = flows.data ?? [];
  const hasLook = all.some((flow) => flow.look !== null);
  const hasPrepared = all.some((flow) => flow.openings.some((one) => one.shows && list.byId[one.conversation]));
  return (
    <div className="wrap">
      <Hero hasLook={hasLook} hasFlows={all.length > 0} />
      {flows.problem && <LoadRefusal problem={flows.problem} loads="flows" />}
      {!flows.data && !flows.problem && <Loading label={t("Loading the flows")} shape={[188, 188]} />}
      {flows.data?.length === 0 && <Empty title={t("This server has no flow")}>{tx("Start it with one: {COMMAND}", { COMMAND })}</Empty>}
      {(hasPrepared || hasLook) && (
        <div className="sgrid">
          <Prepared flows={all} />
          <LookCard />
        </div>
      )}
      {all.length > 0 && (
        <section className="own" aria-labelledby="begin">
          <div className="h">
            <h2 id="begin">{hasPrepared ? t("Or begin your own") : t("Begin a conversation")}</h2>
            {hasLook && <span>{t("no account, no key, no network: a button sends the line, and it fits the question")}</span>}
          </div>
          <div className="ex">
            {all.map((flow) => (
              <FlowCard key={flow.name} flow={flow} />
            ))}
          </div>
        </section>
      )}
      <FailedDeliveries />
      <Recent />
      <div className="below">
        <section aria-labelledby="own-flow">
          <h2 id="own-flow">{t("Open your own flow")}</h2>
          <p className="soft">{t("Save the file, and diagnostics and graph update here.")}</p>
          <div className="cmd">
            <span className="muted" aria-hidden="true">
              $
            </span>
            <code>{COMMAND}</code>
            <span className="grow" />
            <CopyButton label={t("Copy the command")} text={() => COMMAND} />
          </div>
        </section>
        <OpenFile />
      </div>
    </div>
  );
}
