import { useMemo } from "react";
import { api } from "../api/calls";
import type { Timeline } from "../api/types";
import { useScope } from "../data/hooks";
import { useResource } from "../data/resource";
import { t } from "../i18n/t";
import { trackOf } from "../timeline/useTrack";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import type { Pair, Parting } from "./pairs";
import { rowOfKey } from "./SidePage";

const HEIGHT = 100;
const MOST = 7;

type Props = { one: string; other: string; pairs: readonly Pair[]; parting: Parting | null; row: number; onGo: (row: number) => void };

/** Both paths over the same lanes: that of A in green, that of B in black, each with its name at its end. */
export function SideScore({ one, other, pairs, parting, row, onGo }: Props) {
  const canDebug = useScope("debug:read");
  const left = useResource(canDebug ? `timeline:${one}` : null, () => api.timeline(one)).data;
  const right = useResource(canDebug ? `timeline:${other}` : null, () => api.timeline(other)).data;
  const lanes = useMemo(() => lanesOf(left, right), [left, right]);
  const rows = pairs.map((pair) => pair.row);
  const at = Math.max(0, rows.indexOf(row));
  const x = (place: number): number => ((place + 0.5) / Math.max(1, rows.length)) * 100;
  const y = (lane: number): number => (lanes.length < 2 ? HEIGHT / 2 : 10 + (lane * (HEIGHT - 22)) / (lanes.length - 1));
  const meet = parting ? rows.indexOf(Math.max(parting.turn, parting.otherTurn)) : -1;
  const step = (by: number) => onGo(rows[Math.min(rows.length - 1, Math.max(0, at + by))] ?? row);
  const sides = [
    { id: one, letter: "A", stops: stopsOf(left, lanes, pairs.map((pair) => pair.one?.number ?? null)), shift: -1.5, look: "a" },
    { id: other, letter: "B", stops: stopsOf(right, lanes, pairs.map((pair) => pair.other?.number ?? null)), shift: 1.5, look: "b" },
  ];
  return (
    <>
      <div className="tlh">
        <Button look="quiet" icon="first" label={t("First turn")} onClick={() => step(-rows.length)} />
        <Button look="quiet" icon="prev" label={t("Previous turn")} onClick={() => step(-1)} />
        <Button look="quiet" icon="chev" label={t("Next turn")} onClick={() => step(1)} />
        <Button look="quiet" icon="last" label={t("Last turn")} onClick={() => step(rows.length)} />
        <span className="pos">
          {t("row {n} of {all}", { n: at + 1, all: rows.length })}
          {meet === at && meet >= 0 ? ` · ${t("first difference")}` : ""}
        </span>
        {meet >= 0 && (
          <Button look="quiet" icon="differs" onClick={() => onGo(rows[meet] ?? row)}>
            {t("First difference")}
          </Button>
        )}
        <span className="grow" />
        <span className="lg">
          {sides.map((side) => (
            <span key={side.letter}>
              <i className={`sw ${side.look}`} />
              {side.letter} {side.id}
            </span>
          ))}
        </span>
      </div>
      <div className="tlb">
        <div className="lanes" aria-hidden="true">
          {lanes.map((name, lane) => (
            <span key={name} style={{ top: y(lane) }}>
              {name.split("/").at(-1)}
            </span>
          ))}
        </div>
        <div className="score both">
          <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {lanes.map((name, lane) => (
              <path key={name} className="rule" d={`M0 ${y(lane)}H1000`} vectorEffect="non-scaling-stroke" />
            ))}
            {sides.map((side) => (
              <path key={side.letter} className={`way ${side.look}`} d={pathOf(side.stops, x, (lane) => y(lane) + side.shift)} vectorEffect="non-scaling-stroke" />
            ))}
          </svg>
          {meet >= 0 && <i className="meet" style={{ left: `${x(meet)}%`, width: `${100 / Math.max(1, rows.length)}%` }} aria-hidden="true" />}
          {sides.map((side) => {
            const last = side.stops.at(-1);
            return last ? (
              <span key={side.letter} className={`sidelab ${side.look}`} style={{ left: `${x(last.place)}%`, top: y(last.lane) + (side.look === "a" ? -9 : 9) }} aria-hidden="true">
                {side.letter}
              </span>
            ) : null;
          })}
          <div
            className="head"
            role="slider"
            tabIndex={0}
            aria-label={t("Turn that is shown")}
            aria-valuemin={1}
            aria-valuemax={Math.max(1, rows.length)}
            aria-valuenow={at + 1}
            aria-valuetext={t("row {n} of {all}", { n: at + 1, all: rows.length })}
            style={{ left: `${x(at)}%` }}
            onKeyDown={(event) => {
              const next = rowOfKey(event, rows, rows[at] ?? row);
              if (next === undefined) return;
              event.preventDefault();
              onGo(next);
            }}
          />
          {pairs.map((pair, place) => (
            <button key={pair.row} type="button" tabIndex={-1} className="tn" style={{ left: `${x(place)}%` }} aria-current={place === at || undefined} onClick={() => onGo(pair.row)}>
              {pair.one?.number ?? pair.other?.number}
            </button>
          ))}
        </div>
      </div>
      {!lanes.length && canDebug && <Icon name="clock" className="sr" />}
    </>
  );
}

/** The nodes in which one of both was at the end of a turn, in the order of the flow; the first ones where there are many. */
function lanesOf(...timelines: readonly (Timeline | null)[]): string[] {
  const tracks = timelines.flatMap((one) => (one ? [trackOf(one)] : []));
  const visited = new Set(tracks.flatMap((track) => track.turns.map((turn) => track.lanes[turn.lane] ?? "")));
  const known = [...new Set(tracks.flatMap((track) => track.lanes))];
  return known.filter((name) => visited.has(name)).slice(0, MOST);
}

interface Stop {
  readonly place: number;
  readonly lane: number;
}

/** Where a side was at the end of each of its turns, by row. */
function stopsOf(timeline: Timeline | null, lanes: readonly string[], numbers: readonly (number | null)[]): Stop[] {
  if (!timeline) return [];
  const track = trackOf(timeline);
  const ends = new Map(track.turns.map((turn) => [turn.number, track.lanes[turn.lane] ?? ""]));
  return numbers.flatMap((number, place) => {
    const lane = number === null ? -1 : lanes.indexOf(ends.get(number) ?? "");
    return lane < 0 ? [] : [{ place, lane }];
  });
}

const pathOf = (stops: readonly Stop[], x: (place: number) => number, y: (lane: number) => number): string =>
  stops.map(({ place, lane }, at) => (at ? `H${x(place) * 10}V${y(lane)}` : `M${x(place) * 10} ${y(lane)}`)).join("");
