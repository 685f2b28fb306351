// The parts of the drawing: nodes, marks, labels and lines, as @xyflow/react renders them.

import { AskWhy } from "../ask/AskWhy";
import { Handle, Position, type EdgeProps, type NodeProps } from "@xyflow/react";
import type { GraphEdge, GraphNode } from "../api/types";
import { Icon } from "../ui/Icon";
import { useShown } from "./context";
import { markText } from "./kinds";
import { edgeSubject, workText } from "./words";

export interface NodeData extends Record<string, unknown> {
  readonly node: GraphNode;
}

export interface FrameData extends Record<string, unknown> {
  readonly name: string;
}

export interface LabelData extends Record<string, unknown> {
  readonly edge: GraphEdge;
  readonly target: string;
}

export interface LineData extends Record<string, unknown> {
  readonly edge: GraphEdge;
  readonly path: string;
}

/** Where lines are attached, as the library wants it. The lines themselves follow the layout. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

/** A node that a conversation can be in: a button with its name, its work and its visits. */
export function PlaceNode({ data }: NodeProps) {
  const { node } = data as NodeData;
  const shown = useShown();
  const { text, isVisited, isHere, tag } = shown.node(node);
  const look = isHere ? "now" : isVisited ? "" : "dim";
  const isSelected = shown.selection?.kind === "node" && shown.selection.id === node.name;
  return (
    <>
      <Ends />
      <button type="button" className={`gn ${look}`} aria-pressed={isSelected} onClick={() => shown.select({ kind: "node", id: node.name })}>
        <b>
          <span className="nm">{node.name}</span>
          {tag && <span className={isHere ? "tag here" : "tag"}>{tag}</span>}
        </b>
        <small>{workText(node)}</small>
        <small className={isVisited ? "vis" : ""}>{text}</small>
      </button>
      <span className="gask">
        <AskWhy subject={`node ${node.name}`} name={node.name} isSkipped={!isSelected} />
      </span>
    </>
  );
}

/** A mark that is no node: the start, an end, any node. */
export function MarkNode({ data }: NodeProps) {
  const { node } = data as NodeData;
  const text = node.kind === "end" ? <>end: <b>{node.name}</b></> : markText(node);
  return (
    <>
      <Ends />
      <span className={node.kind === "start" ? "gstart" : `gn mark ${node.kind}`}>{node.kind === "start" ? <span className="sr">start</span> : text}</span>
    </>
  );
}

/** The frame around the nodes of an inner conversation, with its name. */
export function FrameNode({ data }: NodeProps) {
  const { name } = data as FrameData;
  return (
    <div className="gframe">
      <code>{name}</code>
    </div>
  );
}

/** The label of a transition: a button with its name, and what became of it. */
export function LabelNode({ data }: NodeProps) {
  const { edge, target } = data as LabelData;
  const shown = useShown();
  const { icon, word, tone, more, line, isNow } = shown.edge(edge);
  const isSelected = shown.selection?.kind === "edge" && shown.selection.id === edge.id;
  return (
    <span className="gel">
      <button
        type="button"
        className={`ge ${line === "would" || line === "never" ? line : ""}`}
        aria-current={isNow || undefined}
        aria-pressed={isSelected}
        onClick={() => shown.select({ kind: "edge", id: edge.id })}
      >
        <Icon name={icon} className={icon === "clock" ? "muted" : ""} />
        <code>{edge.transition}</code>
        <span className="sr"> to {target}, </span>
        <span className="st">
          {word && <b className={tone}>{word}</b>}
          {more}
        </span>
      </button>
      <span className="gask">
        <AskWhy subject={edgeSubject(edge)} name={edge.transition} isSkipped={!isSelected} />
      </span>
    </span>
  );
}

/** The line of a transition. Its label says the same in words, so the line is silent. */
export function Line({ data }: EdgeProps) {
  const { edge, path } = data as LineData;
  const look = useShown().edge(edge).line;
  return <path className={`gl ${look}`} d={path} markerEnd={`url(#arrow-${look})`} />;
}

/** The heads of the arrows, one for each look. */
export function ArrowHeads() {
  return (
    <svg className="gheads" aria-hidden="true" focusable="false">
      <defs>
        {(["taken", "would", "never", "timer", "plain"] as const).map((look) => (
          <marker key={look} id={`arrow-${look}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto">
            <path className={`gh ${look}`} d={look === "taken" ? "M1 1 7 4 1 7Z" : "M1 1 7 4 1 7"} />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
