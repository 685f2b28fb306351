import { useEffect, useRef } from "react";
import { useMe, useScope, useTurnTrace } from "../data/hooks";
import { useAction } from "../data/actions";
import { usePosition } from "../data/position";
import { moveTo, useRoute, type PanelTab } from "../data/route";
import { copyText, CopyButton } from "../ui/CopyButton";
import { Empty } from "../ui/Empty";
import { Tabs, type Tab } from "../ui/Tabs";
import { openWhatIf } from "../whatif/draft";
import { WhatIfPanel } from "../whatif/WhatIfPanel";
import { viewAt } from "./decision/views";
import { PanelBody } from "./PanelBody";
import "./panel.css";
import "./parts.css";

const TABS: readonly Tab<PanelTab>[] = [
  { id: "why", label: "Why" },
  { id: "state", label: "State" },
  {
    id: "prompt",
    label: (
      <>
        Prompt<span className="hw"> &amp; tools</span>
      </>
    ),
  },
  { id: "events", label: "Events" },
];

/** The debug panel: Why, State, Prompt & tools, Events; what-if replaces its body. */
export function DebugPanel() {
  const route = useRoute();
  const canDebug = useScope("debug:read");
  const me = useMe();
  const { data } = useTurnTrace();
  const position = usePosition();
  const isWhatIf = route.page === "conversation" && route.whatIf;
  const tab = route.page === "conversation" ? route.tab : "why";
  const copied = () => (data ? (tab === "why" ? (viewAt(data, position.seq)?.decision ?? data) : tab === "state" ? data.state : tab === "prompt" ? data.prompts : data.events) : null);
  useAction("copy-json", () => void copyText(copied()));
  useAction("what-if", () => (isWhatIf ? moveTo({ whatIf: false }) : openWhatIf()));
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tab === "why") body.current?.scrollTo({ top: 0 });
  }, [tab, position.seq]);
  if (me.data && !canDebug) return <NoScope />;
  return (
    <>
      <div className="tabs">
        <Tabs label="Debug panel" tabs={TABS} selected={tab} isSelected={!isWhatIf} onSelect={(next) => moveTo({ tab: next, whatIf: false })} panelId="panel" />
        <span className="grow" />
        <span className="muted hw place">{position.turn > 0 && `turn ${position.turn}${position.seq === null ? "" : `, seq ${position.seq}`}`}</span>
        <CopyButton label={tab === "why" ? "Copy this decision as JSON" : "Copy this tab as JSON"} text={copied} />
      </div>
      <div className="pscroll" key={isWhatIf ? "what-if" : tab} ref={body} id="panel" role="tabpanel" aria-labelledby={isWhatIf ? undefined : `panel-${tab}`} aria-label={isWhatIf ? "What if" : undefined} tabIndex={0}>
        {isWhatIf ? <WhatIfPanel /> : <PanelBody tab={tab} />}
      </div>
    </>
  );
}

function NoScope() {
  return (
    <Empty title="You can chat but not debug">
      Decisions, prompts and state need a key with the scope <code>debug:read</code>.
    </Empty>
  );
}
