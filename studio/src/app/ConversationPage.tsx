import { lazy, Suspense, useEffect, type CSSProperties } from "react";
import { followBack } from "../ask/question";
import { Chat } from "../chat/Chat";
import { announce } from "../data/announce";
import { conversations, loadTranscript } from "../data/conversations";
import { useScope } from "../data/hooks";
import { getLayout, setLayout, useLayout } from "../data/layout";
import { useAnnouncedPerson } from "../data/operator";
import { nameOf } from "../data/names";
import { usePosition } from "../data/position";
import { useRoute } from "../data/route";
import { resumeSending } from "../data/sending";
import { useSettings } from "../data/settings";
import { useStore } from "../data/store";
import { goToFrame } from "../scopes/goTo";
import { FrameStack } from "../scopes/FrameStack";
import { Graph } from "../graph/Graph";
import { Outline } from "../graph/Outline";
import { ConversationList } from "../list/ConversationList";
import { DebugPanel } from "../panel/DebugPanel";
import { Timeline } from "../timeline/Timeline";
import { BottomBar } from "./BottomBar";
import { fileProblem } from "./files";
import { PanelResizer } from "./PanelResizer";
import { Loading } from "../ui/Loading";
import { SkipLink } from "./SkipLink";
import { TopBar } from "./TopBar";
import "./frame.css";
import "./narrow.css";
import { t } from "../i18n/t";
import { verdictLine } from "../i18n/texts";

const ConversationSource = lazy(async () => ({ default: (await import("../source/ConversationSource")).ConversationSource }));
const SourceFiles = lazy(async () => ({ default: (await import("../source/ConversationSource")).ConversationFiles }));

/** What the regions are called in each view. */
const LEFT = { chat: t("Conversations"), graph: t("Outline"), source: t("Files") };
const CENTRE = { chat: t("Conversation"), graph: t("Graph"), source: t("Source") };

/** A conversation: the list or the outline, chat or graph, the panel, and the timeline. */
export function ConversationPage({ id }: { id: string }) {
  const route = useRoute();
  const { hasPanel, panelWidth } = useSettings();
  const { pane, hasDrawer, isPersonOpen } = useLayout();
  const canDebug = useScope("debug:read");
  const position = usePosition();
  const view = route.page === "conversation" ? route.view : "chat";
  const isGraph = view === "graph";
  const isWhatIf = route.page === "conversation" && route.whatIf;
  const hasTab = route.page === "conversation" && route.tab !== "why";
  useEffect(() => {
    void loadTranscript(id);
    resumeSending(id);
    setLayout({ hasDrawer: false });
    fileProblem.set({ now: null });
  }, [id]);
  const isKnown = useStore(conversations, ({ byId }) => byId[id]?.summary != null);
  useEffect(() => {
    if (isKnown) announce(t("Conversation {id}", { id: nameOf(id) }));
  }, [id, isKnown]);
  useAnnouncedPerson();
  useEffect(() => {
    if (getLayout().pane !== "chat") return; // on a phone the address shows one pane
    if (isWhatIf || hasTab) setLayout({ pane: "why" });
    else if (view !== "chat") setLayout({ pane: view === "graph" ? "draw" : "source" });
  }, [id, view, isWhatIf, hasTab]);
  useEffect(() => {
    addEventListener("popstate", followBack);
    return () => removeEventListener("popstate", followBack);
  }, []);
  const { seq, turn, seam, isLive } = position;
  const verdict = seam ? verdictLine(seam) : "";
  useEffect(() => {
    if (!isLive) announce(t("Turn {turn}. {x}", { turn, x: verdict }));
  }, [seq, turn, isLive, verdict]);
  const classes = ["app", hasPanel || isPersonOpen ? "" : "nopanel", hasDrawer ? "drawer" : "", canDebug ? "" : "nodock"].filter(Boolean).join(" ");
  return (
    <div className={classes} data-pane={pane} style={{ "--right": `${panelWidth}px` } as CSSProperties}>
      <SkipLink label={t("Skip to the conversation")} />
      <TopBar />
      <main className="all">
        <section className="left" aria-label={LEFT[view]}>
          {isGraph ? <Outline key={id} /> : view === "source" ? <Suspense><SourceFiles /></Suspense> : <ConversationList />}
        </section>
        <section className="centre" id="main" aria-label={CENTRE[view]} tabIndex={-1}>
          <FrameStack key={`stack ${id}`} onGo={(frame) => goToFrame(frame, isGraph)} />
          {view === "graph" && <Graph key={id} />}
          {view === "chat" && <Chat key={id} id={id} />}
          {view === "source" && (
            <Suspense fallback={<Loading label={t("Loading the source")} />}>
              <ConversationSource key={id} />
            </Suspense>
          )}
        </section>
        {(hasPanel || isPersonOpen || pane === "why") && (
          <section className="right" aria-label={isPersonOpen ? t("A person takes over") : t("Debug panel")}>
            <PanelResizer />
            <DebugPanel key={id} />
          </section>
        )}
        {canDebug && (
          <section className="dock" aria-label={t("Timeline")}>
            <Timeline key={id} />
          </section>
        )}
      </main>
      {hasDrawer && <button type="button" className="scrim" aria-label={t("Close the list")} onClick={() => setLayout({ hasDrawer: false })} />}
      <BottomBar />
    </div>
  );
}
