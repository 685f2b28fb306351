// The drawing of a flow. Loaded when it is first shown, with the libraries for layout and panning.

import { ReactFlow, ReactFlowProvider, useReactFlow, useStore, type Edge, type Node } from "@xyflow/react";
import "./canvas.css";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { FlowPage, GraphNode } from "../api/types";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { ShownProvider, type Shown } from "./context";
import { isPlace } from "./kinds";
import type { Box, Layout } from "./layout";
import { ArrowHeads, FrameNode, LabelNode, Line, MarkNode, PlaceNode } from "./parts";
import { useGraphLayout } from "./useGraphLayout";
import { targetText } from "./words";

const NODE_TYPES = { place: PlaceNode, mark: MarkNode, label: LabelNode, frame: FrameNode };
const EDGE_TYPES = { line: Line };
const SILENT = { "aria-roledescription": undefined, "aria-describedby": undefined } as Record<string, unknown>;

/** The elements of a layout for @xyflow/react: the frames, and each node followed by the labels of the transitions that leave it. */
export function elementsOf(layout: Layout): { nodes: Node[]; edges: Edge[] } {
  const names = new Map<string, GraphNode>(layout.nodes.map(({ node }) => [node.id, node]));
  const fixed = { draggable: false, selectable: false, focusable: false, domAttributes: SILENT };
  const nodes: Node[] = layout.frames.map(({ id, name, box }) => {
    const at = { position: { x: box.x, y: box.y }, width: box.width, height: box.height };
    return { ...fixed, ...at, id, type: "frame", zIndex: -1, data: { name } };
  });
  for (const { node, box } of layout.nodes) {
    const { x, y, width, height } = box;
    nodes.push({ ...fixed, id: node.id, type: isPlace(node) ? "place" : "mark", position: { x, y }, width, height, data: { node } });
    for (const { edge, label } of layout.edges) {
      if (!label || edge.source !== node.id) continue;
      const at = { position: { x: label.x, y: label.y }, width: label.width, height: label.height };
      nodes.push({ ...fixed, ...at, id: `label ${edge.id}`, type: "label", zIndex: 1, data: { edge, target: targetText(edge, names) } });
    }
  }
  const edges = layout.edges.map(({ edge, path }) => ({
    id: edge.id,
    source: edge.source,
    target: edge.target,
    type: "line",
    focusable: false,
    ariaRole: "presentation" as const,
    ariaLabel: null as unknown as string,
    domAttributes: { "aria-roledescription": undefined, "aria-hidden": true } as Record<string, unknown>,
    data: { edge, path },
  }));
  return { nodes, edges: edges as Edge[] };
}

/** Smaller text cannot be read: the first view then shows a part. */
const LEAST_ZOOM = 0.78;
/** From further away the drawing shows names only, in larger letters. */
const FAR = 0.7;
/** The furthest view in which these names can be read. */
const LEAST_FAR_ZOOM = 0.5;
const EDGE = 12;

/** A node, and the box around it, its transitions and the nodes that they join. */
export interface Focus {
  readonly node: Box;
  readonly near: Box;
}

/** Where to look at first: the node of this name and what is near it; without a name the whole drawing. */
export function focusOn(layout: Layout, name: string): Focus | null {
  const at = layout.nodes.find(({ node }) => node.name === name);
  if (!at) return layout.nodes[0] ? { node: layout.nodes[0].box, near: { x: 0, y: 0, width: layout.width, height: layout.height } } : null;
  const touching = layout.edges.filter(({ edge }) => edge.source === at.node.id || edge.target === at.node.id);
  const joined = new Set([at.node.id, ...touching.flatMap(({ edge }) => [edge.source, edge.target])]);
  const labels = touching.flatMap(({ label }) => (label ? [label] : []));
  return { node: at.box, near: around([...layout.nodes.filter(({ node }) => joined.has(node.id)).map(({ box }) => box), ...labels]) };
}

function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

type Size = { width: number; height: number };

/** The first view: all of the drawing if it can be read then, else the current node with its neighbours. */
export function firstView(layout: Size, focus: Focus | null, frame: Size): { x: number; y: number; zoom: number } {
  const zoomFor = ({ width, height }: Size) => Math.min(1, (frame.width - 2 * EDGE) / width, (frame.height - 2 * EDGE) / height);
  const [all, near] = [zoomFor(layout), focus ? zoomFor(focus.near) : 0];
  const zoom = all >= LEAST_ZOOM ? all : near >= LEAST_FAR_ZOOM ? Math.min(0.85, near) : LEAST_ZOOM;
  const shown = near >= zoom ? focus?.near : focus?.node;
  const along = (size: number, room: number, middle: number, most = Infinity) => {
    if (size * zoom + 2 * EDGE <= room) return Math.min(most, (room - size * zoom) / 2);
    return Math.min(EDGE, Math.max(room - EDGE - size * zoom, room / 2 - middle * zoom));
  };
  const x = along(layout.width, frame.width, shown ? shown.x + shown.width / 2 : 0);
  return { x, y: along(layout.height, frame.height, shown ? shown.y + shown.height / 2 : 0, 3 * EDGE), zoom };
}

/** The bar under the drawing, so that nothing in it is covered: what the lines mean, and the zoom. */
function Bar({ layout, here, children }: { layout: Layout; here: string; children: ReactNode }) {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const isPlaced = useRef(false);
  const fit = () => void flow.fitView({ padding: 0.04, maxZoom: 1.1 });
  useEffect(() => {
    if (!width || !height || isPlaced.current) return;
    isPlaced.current = true;
    void flow.setViewport(firstView(layout, focusOn(layout, here), { width, height }));
  }, [width, height, layout, here, flow]);
  return (
    <div className="gbar">
      {children}
      <div className="gzoom" role="group" aria-label="Zoom">
        <Button icon="plus" label="Zoom in" onClick={() => void flow.zoomIn()} />
        <Button icon="minus" label="Zoom out" onClick={() => void flow.zoomOut()} />
        <Button onClick={fit}>Fit</Button>
      </div>
    </div>
  );
}

/** Keep a part in view when the keyboard moves the focus to it. */
function useFocusInView(layout: Layout) {
  const flow = useReactFlow();
  const size = useStore((state) => ({ width: state.width, height: state.height }), (a, b) => a.width === b.width && a.height === b.height);
  return (target: EventTarget) => {
    const id = (target as HTMLElement).closest<HTMLElement>(".react-flow__node")?.dataset["id"];
    const box = layout.nodes.find(({ node }) => node.id === id)?.box ?? layout.edges.find(({ edge }) => `label ${edge.id}` === id)?.label;
    if (!box || !(target as HTMLElement).matches(":focus-visible")) return;
    const { x, y, zoom } = flow.getViewport();
    const [left, top] = [box.x * zoom + x, box.y * zoom + y];
    const isInView = left >= 0 && top >= 0 && left + box.width * zoom <= size.width && top + box.height * zoom <= size.height;
    if (!isInView) void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom });
  };
}

function Canvas({ layout, label }: { layout: Layout; label: string }) {
  const { nodes, edges } = useMemo(() => elementsOf(layout), [layout]);
  const frame = useRef<HTMLDivElement>(null);
  const focusInView = useFocusInView(layout);
  const isFar = useStore((state) => state.transform[2] < FAR);
  useEffect(() => {
    // The library calls itself an application, which would take the keys of screen readers away from the buttons.
    frame.current?.querySelector(".react-flow")?.setAttribute("role", "group");
  }, []);
  return (
    <div className={isFar ? "gcan far" : "gcan"} ref={frame} onFocus={(event) => focusInView(event.target)}>
      <ArrowHeads />
      <ReactFlow
        aria-label={label}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={0.2}
        maxZoom={1.6}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        proOptions={{ hideAttribution: true }}
      />
    </div>
  );
}

/** The drawing of a flow, as the conversation stands now; `children` stand in the bar under it. */
export default function Drawing({ page, shown, label, children }: { page: FlowPage; shown: Shown; label: string; children?: ReactNode }) {
  const layout = useGraphLayout(page);
  if (layout === null) return <Loading label={`Laying out ${page.graph.nodes.length} nodes`} shape={[68, 36, 68, 36, 68]} isLong />;
  if (layout === "failed") return <Empty title="This flow cannot be laid out">The outline shows the same nodes and transitions.</Empty>;
  return (
    <ShownProvider value={shown}>
      <ReactFlowProvider key={`${page.flow.name} ${page.flow.fingerprint}`}>
        <Canvas layout={layout} label={label} />
        <Bar layout={layout} here={shown.here}>
          {children}
        </Bar>
      </ReactFlowProvider>
    </ShownProvider>
  );
}
