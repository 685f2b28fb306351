// The drawing of a level of a flow. Loaded when it is first shown.

import "./canvas.css";
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode, type RefObject } from "react";
import type { FlowPage, GraphEdge, GraphLevel, GraphNode } from "../api/types";
import { useSize } from "../timeline/useSize";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { ShownProvider, useShown, type Shown } from "./context";
import { isPlace } from "./kinds";
import { setExtent, useExtent } from "./large";
import { addressOf, isInside } from "./level";
import type { Box, Layout, Ranks } from "./layout";
import { ArrowHeads, LabelPart, Line, MarkPart, PlacePart } from "./parts";
import { useGraphLayout } from "./useGraphLayout";
import { usePanZoom } from "./usePanZoom";
import { t } from "../i18n/t";
import { centred, FAR, firstView, fitted, focusOn, showing, zoomed, type Size, type View } from "./viewport";
import { targetText } from "./words";

/** A part of the drawing: a node, or the label of a transition. */
export type Part = { id: string; box: Box } & ({ kind: "place" | "mark"; node: GraphNode } | { kind: "label"; edge: GraphEdge; target: string });

/** The parts in the order of reading: each node followed by the labels of the transitions that leave it. */
export function partsOf(layout: Layout): Part[] {
  const names = new Map(layout.nodes.map(({ node }) => [node.id, node]));
  return layout.nodes.flatMap(({ node, box }): Part[] => [
    { id: node.id, box, kind: isPlace(node) ? "place" : "mark", node },
    ...layout.edges.flatMap(({ edge, label }): Part[] => (label && edge.source === node.id ? [{ id: `label ${edge.id}`, box: label, kind: "label", edge, target: targetText(edge, names) }] : [])),
  ]);
}

/** All lines and parts; they follow the context, so that moving the view draws none of them again. */
const Parts = memo(function Parts({ layout, parts }: { layout: Layout; parts: readonly Part[] }) {
  return (
    <>
      <svg className="glines" aria-hidden="true" focusable="false">
        {layout.edges.map(({ edge, path }) => (
          <Line key={edge.id} edge={edge} path={path} />
        ))}
      </svg>
      {parts.map((part) => (
        <div key={part.id} className={`gpart ${part.kind}`} data-id={part.id} style={{ transform: `translate(${part.box.x}px, ${part.box.y}px)`, width: part.box.width, height: part.box.height }}>
          {part.kind === "label" ? <LabelPart edge={part.edge} target={part.target} /> : part.kind === "mark" ? <MarkPart node={part.node} /> : <PlacePart node={part.node} />}
        </div>
      ))}
    </>
  );
});

const BEFORE: View = { x: 0, y: 0, zoom: 1 };
const STEP = 1.2;

const CLOSE = 0.85;

type CanvasProps = { layout: Layout; here: string; label: string; ranks: Ranks | null; isWhole: boolean; canFollow: boolean; children: ReactNode };

/** The drawing, and the bar under it, so that nothing in it is covered: what the lines mean, and the zoom. */
function Canvas({ layout, here, label, ranks, isWhole, canFollow, children }: CanvasProps) {
  const parts = useMemo(() => partsOf(layout), [layout]);
  const [measure, size] = useSize();
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(BEFORE);
  const isPlaced = useRef(false);
  const placed = useRef<{ size: Size; isKnown: boolean } | null>(null);
  const isMoved = useRef(false);
  const move = useCallback((next: (now: View) => View) => {
    isMoved.current = true;
    setView(next);
  }, []);
  usePanZoom(frame, move);
  useLayoutEffect(() => {
    // what stands around the frame, and the path of the conversation, may load later: the first view is for them as they are then
    const isKnown = here !== "";
    if (!size.width || !size.height || isMoved.current || (placed.current?.size === size && placed.current.isKnown === isKnown)) return;
    isPlaced.current = true;
    placed.current = { size, isKnown };
    setView(isWhole ? fitted(layout, size) : firstView(layout, focusOn(layout, here), size));
  }, [size, layout, here, isWhole]);
  useEffect(() => {
    const seen = { x: -view.x / view.zoom, y: -view.y / view.zoom, width: size.width / view.zoom, height: size.height / view.zoom };
    if (isWhole && size.width) setExtent({ seen });
  }, [view, size, isWhole]);
  useFollow({ layout, here, size, isWhole, isPlaced, move });
  const rows = useMemo(() => (ranks ? rowsOf(layout, ranks) : []), [layout, ranks]);
  const current = boxOfNode(layout, here);
  const { follows } = useExtent();
  const { selection } = useShown();
  useEffect(() => {
    if (!selection || !isPlaced.current) return;
    const part = parts.find((one) => (selection.kind === "edge" ? one.id === `label ${selection.id}` : one.kind === "place" && addressOf(one.node) === selection.id));
    if (part) move((now) => showing(now, part.box, size)); // it may have been selected in the text
  }, [selection, parts, size]);
  const onFocus = (target: HTMLElement) => {
    const box = parts.find(({ id }) => id === target.closest<HTMLElement>(".gpart")?.dataset["id"])?.box;
    if (box && target.matches(":focus-visible")) move((now) => showing(now, box, size));
    if (frame.current) frame.current.scrollTop = frame.current.scrollLeft = 0; // the browser shows what has the focus by scrolling
  };
  const middle = { x: size.width / 2, y: size.height / 2 };
  return (
    <>
      <div className={["gcan", view.zoom < FAR || isWhole ? "far" : "", isWhole ? "whole" : ""].filter(Boolean).join(" ")} ref={measure}>
        <ArrowHeads />
        <div className="gframe" ref={frame} role="group" aria-label={label} onFocus={(event) => onFocus(event.target)}>
          <div className="gview" style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`, "--zoom": view.zoom } as CSSProperties}>
            <Parts layout={layout} parts={parts} />
          </div>
          {rows.map((row) => (
            <span key={row.rank} className="rowl" aria-hidden="true" style={{ top: row.top * view.zoom + view.y - 8 }}>
              {ROW_NAMES[row.rank]?.()}
            </span>
          ))}
        </div>
      </div>
      <div className="gbar">
        {children}
        <div className="gzoom" role="group" aria-label={t("Zoom")}>
          {canFollow && (
            <label className="check">
              <input type="checkbox" checked={follows} onChange={(event) => setExtent({ follows: event.target.checked, around: "" })} />
              {t("Follow")}
            </label>
          )}
          {current && <Button onClick={() => move((now) => centred(now, current, layout, size, Math.max(CLOSE, now.zoom)))}>{t("Centre")}</Button>}
          <Button icon="plus" label={t("Zoom in")} onClick={() => move((now) => zoomed(now, STEP, middle))} />
          <Button icon="minus" label={t("Zoom out")} onClick={() => move((now) => zoomed(now, 1 / STEP, middle))} />
          <Button onClick={() => move(() => fitted(layout, size))}>{t("Fit")}</Button>
        </div>
      </div>
    </>
  );
}

type FollowProps = { layout: Layout; here: string; size: Size; isWhole: boolean; isPlaced: RefObject<boolean>; move: (next: (now: View) => View) => void };

/** Keep the current node in the middle as the playhead moves, and move to a place that was chosen on the map. */
function useFollow({ layout, here, size, isWhole, isPlaced, move }: FollowProps): void {
  const { follows, wanted } = useExtent();
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isPlaced.current) return;
    const box = follows && hasBegun.current ? boxOfNode(layout, here) : null;
    hasBegun.current = here !== ""; // the first view is chosen by what is near the node
    if (box) move((now) => centred(now, box, layout, size));
  }, [here, follows, layout, size, isPlaced, move]);
  useEffect(() => {
    if (!wanted || !isWhole) return;
    setExtent({ wanted: null });
    move((now) => centred(now, { ...wanted, width: 0, height: 0 }, layout, size, Math.max(now.zoom, CLOSE / 2)));
  }, [wanted, isWhole, layout, size, move]);
}

/** The box of a node, or of the scope around it. */
function boxOfNode(layout: Layout, name: string): Box | null {
  const own = layout.nodes.find(({ node }) => isPlace(node) && addressOf(node) === name);
  return (own ?? layout.nodes.find(({ node }) => isPlace(node) && isInside(name, addressOf(node))))?.box ?? null;
}

const ROW_NAMES: Record<number, () => string> = {
  [-1]: () => t("one back"),
  0: () => t("here"),
  1: () => t("one ahead"),
  2: () => t("two ahead"),
};

/** The rows of a neighbourhood, each with its upper edge. */
function rowsOf(layout: Layout, ranks: Ranks): { rank: number; top: number }[] {
  const tops = new Map<number, number>();
  for (const { node, box } of layout.nodes) {
    const rank = ranks[node.id] ?? 0;
    if (isPlace(node)) tops.set(rank, Math.min(tops.get(rank) ?? Infinity, box.y));
  }
  return [...tops].map(([rank, top]) => ({ rank, top }));
}

type Props = { page: FlowPage; level: GraphLevel; shown: Shown; label: string; ranks?: Ranks | null; isWhole?: boolean; canFollow?: boolean; children?: ReactNode };

/** The drawing of one level of a flow, as the conversation stands now; `children` stand in the bar under it. */
export default function Drawing({ page, level, shown, label, ranks = null, isWhole = false, canFollow = false, children }: Props) {
  const layout = useGraphLayout(page, level, ranks);
  if (layout === null) return <Loading label={t("Laying out {length} nodes", { length: level.graph.nodes.length })} shape={[68, 36, 68, 36, 68]} isLong />;
  if (layout === "failed") return <Empty title={t("This flow cannot be laid out")}>{t("The outline shows the same nodes and transitions.")}</Empty>;
  return (
    <ShownProvider value={shown}>
      <Canvas key={`${page.flow.name} ${page.flow.fingerprint} ${level.scope}`} layout={layout} label={label} here={shown.here} ranks={ranks} isWhole={isWhole} canFollow={canFollow}>
        {children}
      </Canvas>
    </ShownProvider>
  );
}
