import { useMemo, useRef, type PointerEvent } from "react";
import type { FlowPage, GraphLevel } from "../api/types";
import { t, tn } from "../i18n/t";
import { isPlace } from "./kinds";
import { neighbourhood, placesOf, setExtent, useExtent } from "./large";
import { addressOf, isInside } from "./level";
import type { Box, Layout } from "./layout";
import { useGraphLayout } from "./useGraphLayout";
import type { Standing } from "./standing";

type Props = { page: FlowPage; level: GraphLevel; standing: Standing };

/** All of a large flow in small: the path of the conversation, where it is, and what the drawing shows of it. */
export function FlowMap({ page, level, standing }: Props) {
  const layout = useGraphLayout(page, level);
  const visited = useMemo(() => level.graph.nodes.filter((node) => isPlace(node) && standing.node(addressOf(node)).turns.length > 0).length, [level, standing]);
  const total = placesOf(level);
  const about = [tn(total, "1 node", "{n} nodes"), tn(level.graph.edges.length, "1 way", "{n} ways")].join(", ");
  return (
    <div className="gmap">
      <p className="gmaphead">
        <b>{t("Map")}</b>
        <span>{about}</span>
      </p>
      {layout === null && <div className="wait" />}
      {layout !== null && layout !== "failed" && <Picture layout={layout} level={level} standing={standing} label={t("Map: {about}, {visited} visited, here in {node}", { about, visited, node: standing.here || "–" })} />}
      <footer>
        <span>{t("{n} visited", { n: visited })}</span>
        <span>{t("press a place to look there")}</span>
      </footer>
    </div>
  );
}

/** The picture is as high as the frame that it has in the left region. */
const RATIO = 168 / 232;

function Picture({ layout, level, standing, label }: { layout: Layout; level: GraphLevel; standing: Standing; label: string }) {
  const { isWhole, around, seen } = useExtent();
  const svg = useRef<SVGSVGElement>(null);
  const here = layout.nodes.find(({ node }) => isPlace(node) && (addressOf(node) === standing.here || isInside(standing.here, addressOf(node))))?.box;
  const near = useMemo(() => (isWhole ? null : neighbourhood(level, around || standing.here)), [isWhole, level, around, standing.here]);
  const shown = isWhole ? seen : near && boxAround(layout.nodes.filter(({ node }) => near.ranks[node.id] !== undefined).map(({ box }) => box));
  const path = pathOf(layout, standing);
  const height = Math.max(layout.height, layout.width * RATIO);
  const width = Math.max(layout.width, height / RATIO);
  const unit = width / 232;
  const press = (event: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect();
    if (!box || !event.isPrimary || event.buttons === 0) return;
    const at = { x: ((event.clientX - box.left) / box.width) * width, y: ((event.clientY - box.top) / box.height) * height };
    if (isWhole) setExtent({ wanted: at });
    else setExtent({ around: nearest(layout, at) });
  };
  return (
    <svg ref={svg} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} onPointerDown={press} onPointerMove={press}>
      {layout.edges.map(({ edge, path: line }) => (
        <path key={edge.id} className="me" d={line} strokeWidth={unit * 0.6} />
      ))}
      <path className="mp" d={path} strokeWidth={unit * 1.8} />
      {layout.nodes.map(({ node, box }) => {
        if (!isPlace(node)) return null;
        const look = standing.here === addressOf(node) ? "here" : standing.node(addressOf(node)).turns.length ? "was" : "";
        return <rect key={node.id} className={`mn ${look}`} x={box.x} y={box.y} width={box.width} height={box.height} rx={unit * 1.5} strokeWidth={unit} data-node={addressOf(node)} />;
      })}
      {here && <circle className="mh" cx={here.x + here.width / 2} cy={here.y + here.height / 2} r={unit * 9} strokeWidth={unit * 1.5} />}
      {shown && <rect className="mb" data-box x={shown.x - unit * 2} y={shown.y - unit * 2} width={shown.width + unit * 4} height={shown.height + unit * 4} rx={unit * 3} strokeWidth={unit * 1.5} />}
    </svg>
  );
}

/** A line through the nodes that were visited, in the order of the turns. */
function pathOf(layout: Layout, standing: Standing): string {
  const stops = layout.nodes.flatMap(({ node, box }) => (isPlace(node) ? standing.node(addressOf(node)).turns.map((turn) => ({ turn, box })) : []));
  stops.sort((a, b) => a.turn - b.turn);
  return stops.map(({ box }, at) => `${at ? "L" : "M"}${box.x + box.width / 2} ${box.y + box.height / 2}`).join("");
}

function boxAround(boxes: readonly Box[]): Box | null {
  if (!boxes.length) return null;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return { x, y, width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

function nearest(layout: Layout, at: { x: number; y: number }): string {
  const distance = ({ box }: Layout["nodes"][number]) => Math.hypot(box.x + box.width / 2 - at.x, box.y + box.height / 2 - at.y);
  const places = layout.nodes.filter(({ node }) => isPlace(node));
  const found = places.reduce<Layout["nodes"][number] | undefined>((best, one) => (!best || distance(one) < distance(best) ? one : best), undefined);
  return found ? addressOf(found.node) : "";
}
