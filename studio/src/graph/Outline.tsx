import { AskWhy } from "../ask/AskWhy";
import "./outline.css";
import { useMemo, useState } from "react";
import type { FlowPage, GraphEdge, GraphLevel, GraphNode } from "../api/types";
import { setLayout } from "../data/layout";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { Details } from "./Details";
import { addressOf, isInside } from "./level";
import { FlowMap } from "./FlowMap";
import { isLarge } from "./large";
import { GoIn, Levels } from "./Levels";
import { showEdge } from "./show";
import { turnsText, type EdgeStanding } from "./standing";
import { searched, treeOf, type Branch } from "./tree";
import { goToLevel, select, useFlowNow, useSelection, type FlowNow } from "./useStanding";
import { edgeName, edgeSubject, edgeWords, nodeName, targetText } from "./words";
import { t, tx } from "../i18n/t";
import { outcomeInWords } from "../data/names";

/** The same as the graph, as a text tree. */
export function Outline() {
  const now = useFlowNow();
  const [text, setText] = useState("");
  return (
    <>
      <div className="lhead">
        <div className="row">
          <h2>{t("Outline")}</h2>
          <span className="muted hint">{t("the graph as text")}</span>
          <Button className="onlyphone" onClick={() => setLayout({ pane: "draw" })}>
            {t("Drawing")}
          </Button>
        </div>
        {now.page && now.level && <Levels page={now.page} level={now.level} onGo={goToLevel} className="onlyphone" />}
        <input type="search" placeholder={t("Find a node or transition")} aria-label={t("Find a node or transition")} value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      {now.page && now.level && isLarge(now.level) && <FlowMap page={now.page} level={now.level} standing={now.standing} />}
      <div className="lscroll" tabIndex={0} role="region" aria-label={t("Nodes and transitions")}>
        {now.page && now.level ? <Tree now={now} page={now.page} level={now.level} text={text} /> : <Loading label={t("Loading the outline")} />}
      </div>
    </>
  );
}

function Tree({ now, page, level, text }: { now: FlowNow; page: FlowPage; level: GraphLevel; text: string }) {
  const { graph } = level;
  const branches = useMemo(() => treeOf(graph), [graph]);
  const names = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  const found = searched(branches, text);
  if (!found.length) return <p className="muted none">{tx("No node and no transition has “{trim}” in its name.", { trim: text.trim() })}</p>;
  return (
    <ul className="tree">
      {found.map((branch) => (
        <NodeLine key={branch.node.id} branch={branch} now={now} page={page} level={level} names={names} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly now: FlowNow;
  readonly page: FlowPage;
  readonly level: GraphLevel;
  readonly names: ReadonlyMap<string, GraphNode>;
}

function NodeLine({ branch, now, page, level, names }: LineProps & { branch: Branch }) {
  const { node, edges, ends } = branch;
  const selection = useSelection();
  const address = addressOf(node);
  const standing = now.standing.node(address);
  const isAround = isInside(now.standing.here, address);
  const isOpen = selection?.kind === "node" && selection.id === address;
  return (
    <li>
      <div className="asks">
        {node.opens && <GoIn name={nodeName(node)} onGo={() => goToLevel(node.opens)} />}
        <button type="button" className="nd" aria-expanded={isOpen} onClick={() => select({ kind: "node", id: address })}>
          <span className="nm">{nodeName(node)}</span>
          {(standing.isHere || isAround) && <span className="tag here">{isAround ? t("inside") : t("here")}</span>}
          {!standing.isHere && !isAround && standing.turns.length > 0 && <span className="vs">{turnsText(standing.turns, 3)}</span>}
        </button>
        <span className="gask">
          <AskWhy subject={`node ${address}`} name={nodeName(node)} isSkipped={!isOpen} />
        </span>
      </div>
      {isOpen && <Inline now={now} page={page} level={level} />}
      {(edges.length > 0 || ends) && (
        <ul>
          {edges.map((edge) => (
            <EdgeLine key={edge.id} edge={edge} now={now} page={page} level={level} names={names} />
          ))}
          {ends && <li className="ends">{tx("ends: {ends}", { ends: outcomeInWords(ends) })}</li>}
        </ul>
      )}
    </li>
  );
}

function EdgeLine({ edge, now, page, level, names }: LineProps & { edge: GraphEdge }) {
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
            <code className="tech" title={edge.transition}>{edge.transition}</code>
            <b className={tone}>{line === "would" ? word : shortWords(edge, standing)}</b>
          </span>
          <span className="e2">→ {about}</span>
        </button>
        <span className="gask">
          <AskWhy subject={edgeSubject(edge)} name={edgeName(edge)} isSkipped={!isOpen} />
        </span>
      </div>
      {isOpen && <Inline now={now} page={page} level={level} />}
    </li>
  );
}

/** The outcome in a word or two: `unknown` now, `taken 3` and `false 2` for earlier turns. */
export function shortWords(edge: GraphEdge, standing: EdgeStanding): string {
  const { word } = edgeWords(edge, standing);
  if (!word) return t("not judged");
  if (standing.isNow) return word;
  return `${word} ${standing.taken.length ? standing.taken.at(-1) : standing.turn}`;
}

/** On the phone the drawing is elsewhere, so the details stand below the line. */
function Inline({ now, page, level }: { now: FlowNow; page: FlowPage; level: GraphLevel }) {
  const selection = useSelection();
  if (!selection) return null;
  return (
    <div className="onlyphone inline">
      <Details page={page} graph={level.graph} onEnter={goToLevel} standing={now.standing} position={now.position} selection={selection} onClose={() => select(null)} />
    </div>
  );
}
