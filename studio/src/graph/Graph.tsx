import "./graph.css";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { NotLive } from "../app/NotLive";
import { useConversation, useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { Button } from "../ui/Button";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import type { Shown } from "./context";
import { Details } from "./Details";
import { Legend } from "./Legend";
import { Levels } from "./Levels";
import { ExtentBar } from "./ExtentBar";
import { isLarge, neighbourhood, setExtent, useExtent } from "./large";
import { hiddenEdge, showEdge, showNode } from "./show";
import { goToLevel, select, useFlowNow, useSelection } from "./useStanding";
import { inWords } from "../data/names";
import { t, tx } from "../i18n/t";

const Drawing = lazy(() => import("./Drawing"));

/** The flow as a drawing, with the path of the open conversation. */
export function Graph() {
  const { page, level, standing, position, would, problem } = useFlowNow();
  const isOther = useConversation()?.summary?.marks.includes("other_version") ?? false;
  const selection = useSelection();
  const canDebug = useScope("debug:read");
  const node = useConversation()?.summary?.node ?? "";
  const hidden = useMemo(() => (canDebug ? null : { here: node }), [canDebug, node]);
  useCloseByEscape(selection !== null);
  const shown = useMemo<Shown>(
    () => ({
      node: (node) => showNode(node, standing, hidden),
      edge: (edge) => (hidden ? hiddenEdge(edge) : showEdge(edge, standing, would)),
      here: hidden?.here ?? standing.here,
      selection,
      select,
      enter: goToLevel,
    }),
    [standing, would, selection, hidden],
  );
  const large = level !== null && isLarge(level);
  const { isWhole, around: chosen } = useExtent();
  const around = useMemo(() => (level && large && !isWhole ? neighbourhood(level, chosen || shown.here) : null), [level, large, isWhole, chosen, shown.here]);
  useEffect(() => setExtent({ around: "" }), [shown.here]);
  if (problem && !page) return <LoadRefusal problem={problem} loads="flow:" />;
  if (!page || !level) return <Loading label={t("Loading the flow")} shape={[68, 36, 68, 36, 68]} />;
  const outline = (
    <Button className="onlyphone" onClick={() => setLayout({ pane: "graph" })}>
      {t("Outline")}
    </Button>
  );
  return (
    <>
      <NotLive>{t("Chat, graph, state and panel show it as it was then.")}</NotLive>
      <Levels page={page} level={level} onGo={goToLevel} />
      {large && <ExtentBar level={level} further={around?.further ?? 0} />}
      <div className="gwrap">
        <Suspense fallback={<Loading label={t("Loading the drawing")} shape={[68, 36, 68, 36, 68]} />}>
          <Drawing page={page} level={around?.level ?? level} ranks={around?.ranks ?? null} isWhole={large && !around} canFollow shown={shown} label={t("Graph of {x}", { x: [page.flow.title || inWords(page.flow.name), level.scope && inWords(level.scope)].filter(Boolean).join(", inside ") })}>
            <Legend hasHypothetical={would !== null} canDebug={canDebug} />
            {outline}
          </Drawing>
        </Suspense>
      </div>
      {selection && <Details page={page} graph={level.graph} onEnter={goToLevel} standing={standing} position={position} selection={selection} onClose={() => select(null)} />}
      {isOther && <p className="gversion">{tx("The flow has changed: this is its version {version} now, and the conversation uses an earlier one.", { version: page.flow.version })}</p>}
    </>
  );
}

function useCloseByEscape(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector('[role="dialog"]')) {
        event.preventDefault();
        select(null);
      }
    };
    addEventListener("keydown", close, { capture: true });
    return () => removeEventListener("keydown", close, { capture: true });
  }, [isOpen]);
}
