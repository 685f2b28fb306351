// The parts of the drawing: nodes, marks, labels and lines, as @xyflow/react renders them.

import { Handle, Position, type EdgeProps, type NodeProps } from "@xyflow/react";
import type { GraphEdge, GraphNode } from "../api/types";
import { Icon } from "../ui/Icon";
import { OUTCOME_CLASS } from "../ui/OutcomeMark";
import { useShown, wouldTake } from "./context";
import { markText } from "./kinds";
import { edgeIcon, edgeWords, visitsText, workText } from "./words";

export interface NodeData extends Record<string, unknown> {
  readonly node: GraphNode;
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
  const standing = shown.standing.node(node.name);
  const look = standing.isHere ? "now" : standing.turns.length ? "" : "dim";
  const isSelected = shown.selection?.kind === "node" && shown.selection.id === node.name;
  return (
    <>
      <Ends />
      <button type="button" className={`gn ${look}`} aria-pressed={isSelected} onClick={() => shown.onNode(node.name)}>
        <b>
          <span className="nm">{node.name}</span>
          {standing.isHere && <span className="tag here">here</span>}
        </b>
        <small>{workText(node)}</small>
        <small className={standing.turns.length ? "vis" : ""}>{visitsText(standing)}</small>
      </button>
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

/** The label of a transition: a button with its name, and what became of it. */
export function LabelNode({ data }: NodeProps) {
  const { edge, target } = data as LabelData;
  const shown = useShown();
  const standing = shown.standing.edge(edge);
  const words = edgeWords(edge, standing);
  const would = wouldTake(shown, edge);
  const icon = would ? "taken" : edgeIcon(edge, standing);
  const isSelected = shown.selection?.kind === "edge" && shown.selection.id === edge.id;
  const look = would ? "would" : standing.isNeverTrue ? "never" : "";
  return (
    <button
      type="button"
      className={`ge ${look}`}
      aria-current={standing.isNow || undefined}
      aria-pressed={isSelected}
      onClick={() => shown.onEdge(edge)}
    >
      <Icon name={icon} className={icon === "clock" ? "muted" : ""} />
      <code>{edge.transition}</code>
      <span className="sr"> to {target}, </span>
      <span className="st">
        {would ? (
          <b className="ok">would be taken</b>
        ) : (
          <>
            {words.word && <b className={OUTCOME_CLASS[standing.isNow ? standing.outcome : standing.taken.length ? "taken" : standing.outcome]}>{words.word}</b>}
            {words.more}
          </>
        )}
      </span>
    </button>
  );
}

/** The line of a transition. Its label says the same in words, so the line is silent. */
export function Line({ data }: EdgeProps) {
  const { edge, path } = data as LineData;
  const shown = useShown();
  const standing = shown.standing.edge(edge);
  const look = lineLook(edge, standing.taken.length > 0, standing.isNeverTrue, wouldTake(shown, edge));
  return <path className={`gl ${look}`} d={path} markerEnd={`url(#arrow-${look})`} />;
}

export type LineLook = "taken" | "would" | "never" | "timer" | "plain";

/** The look of a line: the path taken, a hypothetical one, one that is never true, a timer, or none of these. */
export function lineLook(edge: GraphEdge, isTaken: boolean, isNeverTrue: boolean, would: boolean): LineLook {
  if (would) return "would";
  if (isTaken) return "taken";
  if (isNeverTrue) return "never";
  return edge.is_timer ? "timer" : "plain";
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
