// What there is to know about one node or transition, beside the drawing or below its line of the outline.

import { useMayAsk } from "../ask/AskWhy";
import { askWhy } from "../ask/question";
import type { FlowPage, GraphEdge, GraphNode, GraphView } from "../api/types";
import type { Position } from "../data/position";
import { useSettings } from "../data/settings";
import { useTitles } from "../data/titles";
import { SourceLink } from "../source/SourceLink";
import { Button } from "../ui/Button";
import { Code } from "../ui/Code";
import type { Selection } from "./context";
import { addressOf } from "./level";
import type { Standing } from "./standing";
import { MOMENT_WORDS } from "../panel/decision/candidates";
import { edgeName, edgeSubject, nodeName, targetText, workText } from "./words";
import { t, tx } from "../i18n/t";

const SHOWN_TURNS = 8;

interface Props {
  readonly page: FlowPage;
  /** The level of the flow that is shown. */
  readonly graph: GraphView;
  /** The open conversation; without it the details are about the flow only. */
  readonly standing?: Standing;
  readonly position?: Position;
  readonly selection: Selection;
  /** Show what is inside of a scope. */
  readonly onEnter: (scope: string) => void;
  readonly onClose: () => void;
}

/** The details of the selected node or transition. */
export function Details({ page, graph, standing, position, selection, onEnter, onClose }: Props) {
  const node = selection.kind === "node" ? graph.nodes.find((one) => addressOf(one) === selection.id) : undefined;
  const edge = selection.kind === "edge" ? graph.edges.find((one) => one.id === selection.id) : undefined;
  const mayAsk = useMayAsk() && standing !== undefined;
  const hasSource = page.source !== null && page.source !== undefined;
  if (!node && !edge) return null;
  return (
    <section className="gdetails" aria-label={t("About {x}", { x: (node && nodeName(node)) ?? (edge ? edgeName(edge) : "") })}>
      {node ? <NodeDetails node={node} standing={standing} /> : <EdgeDetails edge={edge!} graph={graph} standing={standing} />}
      <div className="acts">
        {standing && position && <Turns position={position} turns={node ? standing.node(addressOf(node)).turns : edgeTurns(standing, edge!)} />}
        {hasSource && (node ?? edge)!.line > 0 && <SourceLink className="gsource" flow={page.flow.name} file={(node ?? edge)!.file} line={(node ?? edge)!.line} isOwn={(node ?? edge)!.file === page.flow.file} />}
        {node?.opens && (
          <Button icon="in" onClick={() => onEnter(node.opens)}>
            {t("Go inside")}
          </Button>
        )}
        {mayAsk && <Button onClick={() => askWhy(node ? `node ${addressOf(node)}` : edgeSubject(edge!))}>{t("Why?")}</Button>}
        {mayAsk && node && <Button onClick={() => askWhy(`to:${addressOf(node)}`)}>{t("How to get here?")}</Button>}
        <span className="grow" />
        <Button look="quiet" onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
    </section>
  );
}

function NodeDetails({ node, standing }: { node: GraphNode; standing?: Standing }) {
  const titles = useTitles();
  const visits = standing?.node(addressOf(node)).turns.length ?? -1;
  return (
    <>
      <h2>
        {nodeName(node)} <Code className="tech">{addressOf(node)}</Code> <small>{workText(node)}</small>
      </h2>
      {node.about && <p>{node.about}</p>}
      {!!node.fields?.length && (
        <p className="muted">
          {t("Fields:")}{" "}{node.fields.map(titles.field).join(", ")}
        </p>
      )}
      {node.kind === "scope" && !!node.remarks.length && <p className="muted">{node.remarks.join(" · ")}</p>}
      {visits >= 0 && <p className="muted">{visits === 0 ? t("Not visited before this position.") : t("Visited in {visits} {x}.", { visits, x: visits === 1 ? t("turn") : t("turns") })}</p>}
    </>
  );
}

function EdgeDetails({ edge, graph, standing }: { edge: GraphEdge; graph: GraphView; standing?: Standing }) {
  const { isTechnical } = useSettings();
  const now = standing?.edge(edge);
  const names = new Map(graph.nodes.map((node) => [node.id, node]));
  return (
    <>
      <h2>
        → {targetText(edge, names)} <Code className="tech">{edge.transition}</Code>{" "}
        <small>
          {MOMENT_WORDS[edge.moment] ?? edge.moment}
          {edge.remark ? `, ${edge.remark}` : ""}{t(", priority")}{" "}{edge.priority ?? 100}
        </small>
      </h2>
      {edge.because && <p>{edge.because}</p>}
      {edge.test && <Code className="gtest">{isTechnical ? edge.test : edge.condition || edge.test}</Code>}
      {now && now.judged > 0 && (
        <p className={now.isNeverTrue ? "unk" : "muted"}>
          {tx("Judged {judged} {x} in all conversations", { judged: now.judged, x: now.judged === 1 ? t("time") : t("times") })}{now.isNeverTrue ? t(", never true.") : "."}
        </p>
      )}
    </>
  );
}

function edgeTurns(standing: Standing, edge: GraphEdge): readonly number[] {
  const now = standing.edge(edge);
  return [...new Set([...now.taken, ...(now.turn ? [now.turn] : [])])].sort((a, b) => a - b);
}

function Turns({ turns, position }: { turns: readonly number[]; position: Position }) {
  if (turns.length === 0) return null;
  return (
    <span className="gturns" role="group" aria-label={t("Go to a turn")}>
      {turns.slice(-SHOWN_TURNS).map((turn) => (
        <Button key={turn} aria-current={turn === position.turn || undefined} onClick={() => position.go(turn)}>
          {tx("turn {turn}", { turn })}
        </Button>
      ))}
    </span>
  );
}
