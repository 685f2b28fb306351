import type { MouseEvent } from "react";
import { AskTab } from "../ask/AskTab";
import type { DecisionView, TurnTrace } from "../api/types";
import { useConversationProblem } from "../data/conversations";
import { useConversation, useConversationId, usePrefetchedTurns, useTurnTrace } from "../data/hooks";
import { usePosition } from "../data/position";
import { invalidate } from "../data/resource";
import type { PanelTab } from "../data/route";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { viewAt } from "./decision/views";
import { EventsTab } from "./events/EventsTab";
import { PromptTab } from "./prompt/PromptTab";
import { StateTab } from "./state/StateTab";
import { TimeTab } from "../time/TimeTab";
import { WhyTab } from "./why/WhyTab";
import { t, tx } from "../i18n/t";

/**
 * The content of a tab at the position. The old content stays while a new position loads; a press in it does nothing,
 * except that sections fold, which they do for every position.
 */
export function PanelBody({ tab }: { tab: PanelTab }) {
  const position = usePosition();
  const isLoaded = useConversation()?.isLoaded ?? false;
  const { data, problem, isOld } = useTurnTrace();
  const isUnknown = useConversationProblem(useConversationId())?.status === 404;
  usePrefetchedTurns(data !== null && !isOld);
  if (tab === "events") return <EventsTab />;
  if (tab === "time") return <TimeTab />;
  if (tab === "ask") return <AskTab />;
  if (problem && !data) return <Refusal problem={problem} onRetry={() => invalidate("trace:")} />;
  if (!data && isUnknown) return <Empty title={t("No such conversation")}>{t("There is nothing to explain.")}</Empty>;
  if (!data) return isLoaded && position.turn === 0 ? <NoDecisionYet /> : <Loading label={t("Loading the decision")} />;
  return (
    <>
      {problem && <Refusal problem={problem} onRetry={() => invalidate("trace:")} />}
      <div aria-busy={isOld} onClickCapture={isOld ? ignore : undefined}>
        <Tab tab={tab} trace={data} view={viewAt(data, position.seq)} />
      </div>
    </>
  );
}

function ignore(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("summary")) return;
  event.preventDefault();
  event.stopPropagation();
}

function Tab({ tab, trace, view }: { tab: Exclude<PanelTab, "events" | "time" | "ask">; trace: TurnTrace; view: DecisionView | null }) {
  if (trace.is_erased && !view) return <Erased trace={trace} />;
  switch (tab) {
    case "why":
      return <WhyTab trace={trace} view={view} />;
    case "state":
      return <StateTab trace={trace} />;
    case "prompt":
      return <PromptTab trace={trace} />;
  }
}

/** A turn of which retention has kept only the kinds and positions of its events. */
function Erased({ trace }: { trace: TurnTrace }) {
  return (
    <Empty title={t("Turn {turn} was erased", { turn: trace.turn })}>
      {tx("This is {about}. Events shows what is left of it.", { about: trace.about })}
    </Empty>
  );
}

function NoDecisionYet() {
  return <Empty title={t("Nothing has been judged yet")}>{t("Decisions appear here with the first message. Say hello, or press Start.")}</Empty>;
}
