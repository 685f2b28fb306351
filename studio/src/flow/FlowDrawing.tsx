// The drawing on the page of a flow, with what stored conversations did.

import { lazy, Suspense, useMemo } from "react";
import type { FlowPage } from "../api/types";
import type { Selection, Shown } from "../graph/context";
import { Details } from "../graph/Details";
import { levelOf } from "../graph/level";
import { Levels } from "../graph/Levels";
import { near } from "../graph/near";
import { coveredEdge, coveredNode } from "../graph/show";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { inWords } from "../data/names";
import { t } from "../i18n/t";

/** A drawing with more nodes has no room beside the text. */
const MANY = 40;

const Drawing = lazy(() => import("../graph/Drawing"));

interface Props {
  readonly page: FlowPage;
  readonly selection: Selection | null;
  readonly scope: string;
  readonly onSelect: (selection: Selection | null) => void;
  readonly onEnter: (scope: string) => void;
  /** Beside the text: of a large flow only what is near the selected part. */
  readonly isBeside?: boolean;
}

/** One level of the flow, and below it the details of the selected part. */
export function FlowDrawing({ page, selection, scope, onSelect, onEnter, isBeside = false }: Props) {
  const level = levelOf(page, scope);
  const isPart = isBeside && level.graph.nodes.length > MANY;
  const drawn = isPart ? selection && near(level, selection) : level;
  const shown = useMemo<Shown>(
    () => ({
      node: (node) => coveredNode(node, page.coverage, page.parked),
      edge: (edge) => coveredEdge(edge, page.coverage),
      here: isPart && selection?.kind === "node" ? selection.id : "",
      selection,
      select: (next) => onSelect(selection?.id === next.id && selection.kind === next.kind ? null : next),
      enter: onEnter,
    }),
    [page, selection, scope, isPart],
  );
  return (
    <div className={isBeside ? "fdraw small" : "fdraw"}>
      <Levels page={page} level={level} onGo={onEnter} />
      <div className="gwrap">
        {drawn ? (
          <Suspense fallback={<Loading label={t("Loading the drawing")} shape={[68, 36, 68, 36, 68]} />}>
            <Drawing page={page} level={drawn} isWhole={isBeside && !isPart} shown={shown} label={t("Graph of {x}", { x: [page.flow.title || inWords(page.flow.name), level.scope && inWords(level.scope)].filter(Boolean).join(", inside ") })} />
          </Suspense>
        ) : (
          <Empty title={t("{length} nodes", { length: level.graph.nodes.length })}>{t("Choose a line: what is one step before and after it is drawn here. “Drawing” shows all.")}</Empty>
        )}
      </div>
      {selection && <Details page={page} graph={level.graph} onEnter={onEnter} selection={selection} onClose={() => onSelect(null)} />}
    </div>
  );
}
