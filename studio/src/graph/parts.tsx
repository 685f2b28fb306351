// The parts of the drawing: nodes, marks, labels and lines.

import type { KeyboardEvent } from "react";
import { AskWhy } from "../ask/AskWhy";
import type { GraphEdge, GraphNode } from "../api/types";
import { getSettings } from "../data/settings";
import { Icon } from "../ui/Icon";
import { useShown } from "./context";
import { addressOf } from "./level";
import { GoIn } from "./Levels";
import { edgeName, edgeSubject, markWords, nodeName, workText } from "./words";
import { t, tx } from "../i18n/t";
import { outcomeInWords } from "../data/names";

/** A node that a conversation can be in: a button with its name, its work and its visits. */
export function PlacePart({ node }: { node: GraphNode }) {
  const shown = useShown();
  const address = addressOf(node);
  const { text, isVisited, isHere, isAround, tag } = shown.node(node);
  const look = [isHere ? "now" : isAround ? "around" : isVisited ? "" : "dim", node.kind === "scope" ? "inner" : ""].join(" ");
  const isSelected = shown.selection?.kind === "node" && shown.selection.id === address;
  const enter = () => node.opens && shown.enter(node.opens);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !node.opens) return;
    event.preventDefault();
    enter();
  };
  return (
    <>
      <button type="button" className={`gn ${look}`} aria-pressed={isSelected} onClick={() => shown.select({ kind: "node", id: address })} onDoubleClick={enter} onKeyDown={onKeyDown}>
        <b>
          <span className="nm">{nodeName(node)}</span>
          {tag && <span className={isHere || isAround ? "tag here" : "tag"}>{tag}</span>}
        </b>
        <small>{workText(node)}</small>
        <small className={isVisited ? "vis" : ""}>{text}</small>
        {node.opens && <span className="sr">{t(", Enter goes inside")}</span>}
      </button>
      {node.opens && <GoIn name={nodeName(node)} onGo={enter} />}
      <span className="gask">
        <AskWhy subject={`node ${address}`} name={nodeName(node)} isSkipped={!isSelected} />
      </span>
    </>
  );
}

/** A mark that is no node: the start, an end, any node. */
export function MarkPart({ node }: { node: GraphNode }) {
  const text = node.kind === "end" ? <>{t("end:")}{" "}<b>{outcomeInWords(node.name)}</b></> : markWords(node);
  return <span className={node.kind === "start" ? "gstart" : `gn mark ${node.kind}`}>{node.kind === "start" ? <span className="sr">{t("start")}</span> : text}</span>;
}

/** The label of a transition: a button with its name, and what became of it. */
export function LabelPart({ edge, target }: { edge: GraphEdge; target: string }) {
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
        {getSettings().isTechnical ? <code>{edge.transition}</code> : <span className="nm">{edgeName(edge)}</span>}
        <span className="sr">{" "}{tx("to {target},", { target })}{" "}</span>
        <span className="st">
          {word && <b className={tone}>{word}</b>}
          {more && <span className="gmore">{more}</span>}
        </span>
      </button>
      <span className="gask">
        <AskWhy subject={edgeSubject(edge)} name={edgeName(edge)} isSkipped={!isSelected} />
      </span>
    </span>
  );
}

/** The line of a transition. Its label says the same in words, so the line is silent. */
export function Line({ edge, path }: { edge: GraphEdge; path: string }) {
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
