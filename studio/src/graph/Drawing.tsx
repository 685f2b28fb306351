// The drawing of a level of a flow. Loaded when it is first shown.

import "./canvas.css";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { FlowPage, GraphEdge, GraphLevel, GraphNode } from "../api/types";
import { useSize } from "../timeline/useSize";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { ShownProvider, useShown, type Shown } from "./context";
import { isPlace } from "./kinds";
import { addressOf } from "./level";
import type { Box, Layout } from "./layout";
import { ArrowHeads, LabelPart, Line, MarkPart, PlacePart } from "./parts";
import { useGraphLayout } from "./useGraphLayout";
import { usePanZoom } from "./usePanZoom";
import { FAR, firstView, fitted, focusOn, showing, zoomed, type View } from "./viewport";
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

/** The drawing, and the bar under it, so that nothing in it is covered: what the lines mean, and the zoom. */
function Canvas({ layout, here, label, children }: { layout: Layout; here: string; label: string; children: ReactNode }) {
  const parts = useMemo(() => partsOf(layout), [layout]);
  const [measure, size] = useSize();
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(BEFORE);
  const isPlaced = useRef(false);
  usePanZoom(frame, setView);
  useLayoutEffect(() => {
    if (!size.width || !size.height || isPlaced.current) return;
    isPlaced.current = true;
    setView(firstView(layout, focusOn(layout, here), size));
  }, [size, layout, here]);
  const { selection } = useShown();
  useEffect(() => {
    if (!selection || !isPlaced.current) return;
    const part = parts.find((one) => (selection.kind === "edge" ? one.id === `label ${selection.id}` : one.kind === "place" && addressOf(one.node) === selection.id));
    if (part) setView((now) => showing(now, part.box, size)); // it may have been selected in the text
  }, [selection, parts, size]);
  const onFocus = (target: HTMLElement) => {
    const box = parts.find(({ id }) => id === target.closest<HTMLElement>(".gpart")?.dataset["id"])?.box;
    if (box && target.matches(":focus-visible")) setView((now) => showing(now, box, size));
    if (frame.current) frame.current.scrollTop = frame.current.scrollLeft = 0; // the browser shows what has the focus by scrolling
  };
  const middle = { x: size.width / 2, y: size.height / 2 };
  return (
    <>
      <div className={view.zoom < FAR ? "gcan far" : "gcan"} ref={measure}>
        <ArrowHeads />
        <div className="gframe" ref={frame} role="group" aria-label={label} onFocus={(event) => onFocus(event.target)}>
          <div className="gview" style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}>
            <Parts layout={layout} parts={parts} />
          </div>
        </div>
      </div>
      <div className="gbar">
        {children}
        <div className="gzoom" role="group" aria-label="Zoom">
          <Button icon="plus" label="Zoom in" onClick={() => setView((now) => zoomed(now, STEP, middle))} />
          <Button icon="minus" label="Zoom out" onClick={() => setView((now) => zoomed(now, 1 / STEP, middle))} />
          <Button onClick={() => setView(fitted(layout, size))}>Fit</Button>
        </div>
      </div>
    </>
  );
}

/** The drawing of one level of a flow, as the conversation stands now; `children` stand in the bar under it. */
export default function Drawing({ page, level, shown, label, children }: { page: FlowPage; level: GraphLevel; shown: Shown; label: string; children?: ReactNode }) {
  const layout = useGraphLayout(page, level);
  if (layout === null) return <Loading label={`Laying out ${level.graph.nodes.length} nodes`} shape={[68, 36, 68, 36, 68]} isLong />;
  if (layout === "failed") return <Empty title="This flow cannot be laid out">The outline shows the same nodes and transitions.</Empty>;
  return (
    <ShownProvider value={shown}>
      <Canvas key={`${page.flow.name} ${page.flow.fingerprint} ${level.scope}`} layout={layout} label={label} here={shown.here}>
        {children}
      </Canvas>
    </ShownProvider>
  );
}
