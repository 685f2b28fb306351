import { AskWhy } from "../ask/AskWhy";
import "./outline.css";
import { useMemo, useState } from "react";
import type { FlowPage, GraphEdge, GraphNode } from "../api/types";
import { setLayout } from "../data/layout";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { Details } from "./Details";
import { showEdge } from "./show";
import { turnsText, type EdgeStanding } from "./standing";
import { searched, treeOf, type Branch } from "./tree";
import { select, useFlowNow, useSelection, type FlowNow } from "./useStanding";
import { edgeSubject, edgeWords, targetText } from "./words";

/** The same as the graph, as a text tree. */
export function Outline() {
  const now = useFlowNow();
  const [text, setText] = useState("");
  return (
    <>
      <div className="lhead">
        <div className="row">
          <h2>Outline</h2>
          <span className="muted hint">the graph as text</span>
          <Button className="onlyphone" onClick={() => setLayout({ pane: "draw" })}>
            Drawing
          </Button>
        </div>
        <input type="search" placeholder="Find a node or transition" aria-label="Find a node or transition" value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      <div className="lscroll" tabIndex={0} role="region" aria-label="Nodes and transitions">
        {now.page ? <Tree now={now} page={now.page} text={text} /> : <Loading label="Loading the outline" />}
      </div>
    </>
  );
}

function Tree({ now, page, text }: { now: FlowNow; page: FlowPage; text: string }) {
  const branches = useMemo(() => treeOf(page.graph), [page.graph]);
  const names = useMemo(() => new Map(page.graph.nodes.map((node) => [node.id, node])), [page.graph]);
  const found = searched(branches, text);
  if (!found.length) return <p className="muted none">No node and no transition has “{text.trim()}” in its name.</p>;
  return (
    <ul className="tree">
      {found.map((branch) => (
        <NodeLine key={branch.node.id} branch={branch} now={now} page={page} names={names} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly now: FlowNow;
  readonly page: FlowPage;
  readonly names: ReadonlyMap<string, GraphNode>;
}

function NodeLine({ branch, now, page, names }: LineProps & { branch: Branch }) {
  const { node, edges, ends } = branch;
  const selection = useSelection();
  const standing = now.standing.node(node.name);
  const isOpen = selection?.kind === "node" && selection.id === node.name;
  return (
    <li>
      <div className="asks">
        <button type="button" className="nd" aria-expanded={isOpen} onClick={() => select({ kind: "node", id: node.name })}>
          <span className="nm">{node.name}</span>
          {standing.isHere && <span className="tag here">here</span>}
          {!standing.isHere && standing.turns.length > 0 && <span className="vs">{turnsText(standing.turns, 3)}</span>}
        </button>
        <span className="gask">
          <AskWhy subject={`node ${node.name}`} name={node.name} isSkipped={!isOpen} />
        </span>
      </div>
      {isOpen && <Inline now={now} page={page} />}
      {(edges.length > 0 || ends) && (
        <ul>
          {edges.map((edge) => (
            <EdgeLine key={edge.id} edge={edge} now={now} page={page} names={names} />
          ))}
          {ends && <li className="ends">ends: {ends}</li>}
        </ul>
      )}
    </li>
  );
}

function EdgeLine({ edge, now, page, names }: LineProps & { edge: GraphEdge }) {
  const selection = useSelection();
  const standing = now.standing.edge(edge);
  const { icon, tone, line, word } = showEdge(edge, now.standing, now.would);
  const isCurrent = standing.isNow && (standing.outcome === "taken" || edge.transition === now.nearest);
  const isOpen = selection?.kind === "edge" && selection.id === edge.id;
  const about = [targetText(edge, names), edge.because || edge.remark].filter(Boolean).join(", ");
  return (
    <li>
      <div className="asks">
        <button type="button" className="ed" aria-current={isCurrent || undefined} aria-expanded={isOpen} onClick={() => select({ kind: "edge", id: edge.id })}>
          <Icon name={icon} className={icon === "clock" ? "muted" : ""} />
          <span className="e1">
            <code title={edge.transition}>{edge.transition}</code>
            <b className={tone}>{line === "would" ? word : shortWords(edge, standing)}</b>
          </span>
          <span className="e2">→ {about}</span>
        </button>
        <span className="gask">
          <AskWhy subject={edgeSubject(edge)} name={edge.transition} isSkipped={!isOpen} />
        </span>
      </div>
      {isOpen && <Inline now={now} page={page} />}
    </li>
  );
}

/** The outcome in a word or two: `unknown` now, `taken 3` and `false 2` for earlier turns. */
export function shortWords(edge: GraphEdge, standing: EdgeStanding): string {
  const { word } = edgeWords(edge, standing);
  if (!word) return "not judged";
  if (standing.isNow) return word;
  return `${word} ${standing.taken.length ? standing.taken.at(-1) : standing.turn}`;
}

/** On the phone the drawing is elsewhere, so the details stand below the line. */
function Inline({ now, page }: { now: FlowNow; page: FlowPage }) {
  const selection = useSelection();
  if (!selection) return null;
  return (
    <div className="onlyphone inline">
      <Details page={page} standing={now.standing} position={now.position} selection={selection} onClose={() => select(null)} />
    </div>
  );
}
