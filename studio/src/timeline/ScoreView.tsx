// The lanes of the timeline with the path, the marks and the playhead; a window of turns in long conversations.

import { AskName } from "../ask/AskWhy";
import { useMemo, useRef } from "react";
import { useFrames } from "../data/frames";
import type { Position } from "../data/position";
import type { WouldMove } from "../graph/useStanding";
import { laneAfter, type Decision, type Track } from "./decode";
import { Bands, OverlayBands } from "./Bands";
import { ComingMarks } from "./ComingMarks";
import { laterIn, type Coming } from "./coming";
import { useSettings } from "../data/settings";
import { chooseLanes, laneName } from "./lanes";
import { Marks } from "./Marks";
import { Overview } from "./Overview";
import { Playhead } from "./Playhead";
import { Signs } from "./Signs";
import { capacityOf, Score as Geometry, stays, steppedPath, turnIndexAt, windowFor } from "./score";
import { useScrub } from "./useScrub";
import { useSize } from "./useSize";
import { t, tx } from "../i18n/t";

const FOOT = 24;
const OVERVIEW = 14;
const INDENT = 12;

interface Props {
  readonly track: Track;
  readonly position: Position;
  readonly selected: Decision | null;
  /** The move that a what-if would make. */
  readonly would: WouldMove | null;
  /** What happens by itself after the last turn. */
  readonly coming: readonly Coming[];
}

/** The score: lanes, path, marks and playhead. */
export function Score({ track, position, selected, would, coming }: Props) {
  const [ref, size] = useSize();
  const { isTechnical } = useSettings();
  const start = useRef(Infinity);
  const later = useMemo(() => laterIn(size.width, coming), [size.width, coming]);
  const capacity = capacityOf(later.left);
  const isLong = track.turns.length > capacity;
  const at = track.turns.findIndex((turn) => turn.number === position.turn);
  const window = windowFor(start.current, at < 0 ? track.turns.length - 1 : at, capacity, track.turns.length);
  start.current = window.start;
  const lanes = useMemo(() => chooseLanes(track), [track]);
  const height = Math.max(40, size.height - FOOT - (isLong ? OVERVIEW : 0));
  const geometry = useMemo(
    () => new Geometry(track, lanes, { start: window.start, count: window.count }, later.left, height, later.shown.length > 0),
    [track, lanes, window.start, window.count, later, height],
  );
  const isAtEnd = window.start + window.count === track.turns.length;
  const scrub = useScrub(geometry, position);
  const frames = useFrames();
  const seq = position.seq ?? track.turns[at]?.last ?? selected?.seq ?? track.last;
  return (
    <div className="tlb">
      <LaneNames geometry={geometry} here={hereLane(track, selected)} />
      <div className="score" ref={ref} role="group" aria-label={t("Turns and decisions")}>
        {size.width > 0 && (
          <>
            <div className="field" onPointerDown={scrub} style={{ height }}>
              <OverlayBands geometry={geometry} later={isAtEnd ? later : null} />
              <Bands geometry={geometry} frames={frames} />
              <Path geometry={geometry} seq={seq} />
              <Marks frames={frames} geometry={geometry} position={position} seq={seq} />
              <Signs geometry={geometry} seq={seq} go={position.go} />
              {would && <Ghost geometry={geometry} seq={would.seq} lane={track.lanes.indexOf(would.node)} target={track.lanes.indexOf(would.target)} name={isTechnical ? would.target : track.titles[would.target] || would.target} />}
              {isAtEnd && later.shown.length > 0 && <ComingMarks geometry={geometry} later={later} />}
              <Playhead geometry={geometry} position={position} selected={selected} seq={seq} onPointerDown={scrub} />
            </div>
            <TurnNumbers geometry={geometry} position={position} />
            {isLong && <Overview track={track} window={geometry.window} index={turnIndexAt(track, seq)} position={position} />}
          </>
        )}
      </div>
    </div>
  );
}

function hereLane(track: Track, selected: Decision | null): number {
  if (!selected) return track.turns.at(-1)?.lane ?? -1;
  return laneAfter(track, selected);
}

function LaneNames({ geometry, here }: { geometry: Geometry; here: number }) {
  const { lanes, track } = geometry;
  const { isTechnical } = useSettings();
  const shown = lanes.isRibbon ? [here] : lanes.shown;
  const isNested = track.depths.some((depth) => depth > 0);
  return (
    <div className={isNested ? "lanes nested" : "lanes"}>
      {shown.map((lane) => {
        const depth = track.depths[lane] ?? 0;
        return (
          <span key={lane} className={lane === (lanes.shared.get(here) ?? here) ? "on" : ""} style={{ top: geometry.y(lane), paddingLeft: depth * INDENT }} title={track.lanes[lane]}>
            {depth > 0 && <i aria-hidden="true">↳ </i>}
            <AskName subject={`node ${track.lanes[lane]}`} isSkipped>
              {laneName(track, lanes, lane, isTechnical)}
            </AskName>
          </span>
        );
      })}
      {geometry.hasSigns && (
        <span className="plain" style={{ top: geometry.signY }}>
          {t("around it")}
        </span>
      )}
    </div>
  );
}

function Path({ geometry, seq }: { geometry: Geometry; seq: number }) {
  const { track, lanes, width, height } = geometry;
  const path = useMemo(() => stays(track), [track]);
  const [first, last] = geometry.range();
  const rules = useMemo(() => lanes.shown.map((lane) => `M0 ${geometry.y(lane)}H${width}`).join(""), [geometry, lanes, width]);
  const bars = useMemo(() => Array.from({ length: geometry.window.count - 1 }, (_, place) => `M${(place + 1) * geometry.turnWidth} 2V${height}`).join(""), [geometry, height]);
  return (
    <svg width={width} height={height} aria-hidden="true" focusable="false">
      <path className="rule" d={rules} />
      <path className="bar" d={bars} />
      <path className="whole" d={steppedPath(geometry, path, Math.max(first, seq), last)} />
      <path className="past" d={steppedPath(geometry, path, first, Math.min(seq, last))} />
      {lanes.isRibbon && <RibbonNames geometry={geometry} />}
    </svg>
  );
}

function RibbonNames({ geometry }: { geometry: Geometry }) {
  const { isTechnical } = useSettings();
  const [first, last] = geometry.range();
  return (
    <>
      {stays(geometry.track)
        .filter((stay) => stay.to >= first && stay.from <= last)
        .map((stay) => {
          const [from, to] = [geometry.x(Math.max(first, stay.from)), geometry.x(Math.min(last, stay.to))];
          const address = geometry.track.lanes[stay.lane] ?? "";
          const name = isTechnical ? address : geometry.track.titles[address] || address;
          const room = Math.floor((to - from - 8) / 6.7);
          return room < 3 ? null : (
            <text key={stay.from} className="rname" x={from + 4} y={geometry.height / 2 - 20}>
              {name.length > room ? `${name.slice(0, room - 1)}…` : name}
            </text>
          );
        })}
    </>
  );
}

function Ghost({ geometry, seq, lane, target, name }: { geometry: Geometry; seq: number; lane: number; target: number; name: string }) {
  if (target < 0 || lane < 0 || !geometry.isVisible(seq)) return null;
  const [x, from, to] = [geometry.x(seq), geometry.y(lane), geometry.y(target)];
  return (
    <>
      <svg className="ghost" width={geometry.width} height={geometry.height} aria-hidden="true" focusable="false">
        <path d={`M${x} ${from}V${to}h36`} />
      </svg>
      <span className="ghosttag" style={{ left: Math.min(x + 24, geometry.width - 120), top: to }}>
        {tx("would: {name}", { name })}
      </span>
    </>
  );
}

function TurnNumbers({ geometry, position }: { geometry: Geometry; position: Position }) {
  return (
    <div className="tns">
      {geometry.turns().map(({ index, number, isUndone }) => (
        <button
          key={number}
          type="button"
          tabIndex={-1}
          className={`tn ${isUndone ? "undone" : ""}`}
          style={{ left: geometry.centre(index) }}
          aria-current={number === position.turn || undefined}
          aria-label={t("Turn {number}{x}", { number, x: isUndone ? t(", undone") : "" })}
          onClick={() => position.go(number)}
        >
          {number}
        </button>
      ))}
    </div>
  );
}
