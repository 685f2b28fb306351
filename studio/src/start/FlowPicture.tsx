import { useMemo } from "react";
import type { GraphView } from "../api/types";
import { useFlow } from "../data/hooks";
import { sketch } from "./sketch";

/** A small drawing of a flow: its nodes and the ways between them, without names. */
export function FlowPicture({ flow }: { flow: string }) {
  const { data } = useFlow(flow);
  if (!data) return null;
  return <Sketch graph={data.levels[0]?.graph ?? data.graph} />;
}

function Sketch({ graph }: { graph: GraphView }) {
  const { nodes, edges } = useMemo(() => sketch(graph), [graph]);
  return (
    <svg viewBox="0 0 162 150" aria-hidden="true">
      {edges.map((edge) => (
        <path key={edge.key} className={edge.isMain ? "p" : "e"} d={edge.path} />
      ))}
      {nodes.map((node) => (
        <rect key={node.id} className={node.isStart ? "n on" : "n"} x={node.x - node.width / 2} y={node.y - node.height / 2} width={node.width} height={node.height} rx={5} />
      ))}
    </svg>
  );
}
