import { useEffect, useRef } from "react";
import { useAnswer } from "../ask/useAnswer";
import { useMe, useScope, useTurnTrace } from "../data/hooks";
import { useAction } from "../data/actions";
import { announce } from "../data/announce";
import { setLayout, useLayout } from "../data/layout";
import { useOperator } from "../data/operator";
import { usePosition } from "../data/position";
import { isCurrent } from "../data/resource";
import { useTiming } from "../data/timing";
import { moveTo, useRoute, type PanelTab } from "../data/route";
import { copyText, CopyButton } from "../ui/CopyButton";
import { Empty } from "../ui/Empty";
import { Button } from "../ui/Button";
import { Tabs } from "../ui/Tabs";
import { openWhatIf } from "../whatif/draft";
import { WhatIfPanel } from "../whatif/WhatIfPanel";
import { PersonPanel } from "../person/PersonPanel";
import { viewAt } from "./decision/views";
import { PanelBody } from "./PanelBody";
import { PERSON_TABS, TABS } from "./tabs";
import "./panel.css";
import "./parts.css";
import { t, tx } from "../i18n/t";

/** The debug panel: Why, State, Prompt & tools, Events, Time, and the person; what-if replaces its body. */
export function DebugPanel() {
  const route = useRoute();
  const canDebug = useScope("debug:read");
  const me = useMe();
  const trace = useTurnTrace();
  const { data } = trace;
  const position = usePosition();
  const { isPersonOpen } = useLayout();
  const { person } = useOperator();
  const isAllowed = useScope("operator");
  const isWhatIf = route.page === "conversation" && route.whatIf && !isPersonOpen;
  const tab = route.page === "conversation" ? route.tab : "why";
  const answer = useAnswer();
  const timing = useTiming();
  const canCopy = isCurrent(tab === "ask" ? answer : tab === "time" ? timing : trace);
  const copied = () => (tab === "ask" ? answer.data?.answer : tab === "time" ? timing.data : data && (tab === "why" ? (viewAt(data, position.seq)?.decision ?? data) : tab === "state" ? data.state : tab === "prompt" ? data.prompts : data.events));
  useAction("copy-json", () => (canCopy ? void copyText(copied()) : announce(t("Nothing was copied: it is not loaded yet"))));
  useAction("what-if", () => {
    setLayout({ isPersonOpen: false });
    if (isWhatIf) moveTo({ whatIf: false });
    else openWhatIf();
  });
  const open = (next: PanelTab | "person") => {
    setLayout({ isPersonOpen: next === "person" });
    if (next !== "person") moveTo({ tab: next, whatIf: false });
  };
  const shown = isPersonOpen ? "person" : tab;
  const isPerson = isPersonOpen || (isAllowed && person !== null);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tab === "why") body.current?.scrollTo({ top: 0 });
  }, [tab, position.seq]);
  useEffect(() => {
    if (isPersonOpen) focusPerson(body.current);
  }, [isPersonOpen]);
  if (me.data && !canDebug && !isPersonOpen) return <NoScope />;
  return (
    <>
      <div className="tabs">
        <Tabs label={t("Debug panel")} tabs={isPerson ? PERSON_TABS : TABS} selected={shown} isSelected={!isWhatIf} onSelect={open} panelId="panel" />
        <span className="grow" />
        <span className={isPerson ? "muted hw place sr" : "muted hw place"}>{position.turn > 0 && t("turn {turn}", { turn: position.turn })}{position.turn > 0 && position.seq !== null && <span className="tech">{tx(", seq {seq}", { seq: position.seq })}</span>}</span>
        {isPersonOpen ? (
          <Button look="quiet" icon="close" label={t("Close the panel of the person")} onClick={() => setLayout({ isPersonOpen: false })} />
        ) : (
          <CopyButton label={tab === "why" ? t("Copy this decision as JSON") : tab === "ask" ? t("Copy this answer as JSON") : t("Copy this tab as JSON")} text={copied} isOff={!canCopy} />
        )}
      </div>
      <div className="pscroll" key={isWhatIf ? "what-if" : shown} ref={body} id="panel" role="tabpanel" aria-labelledby={isWhatIf ? undefined : `panel-${shown}`} aria-label={isWhatIf ? t("What if") : undefined} tabIndex={0}>
        {isPersonOpen ? <PersonPanel /> : isWhatIf ? <WhatIfPanel /> : <PanelBody tab={tab} />}
      </div>
    </>
  );
}

/** Focus what the person needs first, unless the tab was reached by arrow keys. */
function focusPerson(panel: HTMLElement | null): void {
  if (!panel || document.activeElement?.closest("[role=tab]")) return;
  const name = panel.querySelector<HTMLInputElement>(".takeover input");
  (name?.value === "" ? name : (panel.querySelector<HTMLElement>(".same button, .takeover button") ?? panel)).focus();
}

function NoScope() {
  return (
    <Empty title={t("You can chat but not debug")}>
      {t("Decisions, prompts and state need a key with the scope")}{" "}<code>debug:read</code>.
    </Empty>
  );
}
