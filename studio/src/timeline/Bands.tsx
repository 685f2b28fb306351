// The scopes on the timeline: a band over the lanes of what is inside, from opening to closing.

import { memo } from "react";
import type { FrameInfo } from "../api/types";
import { isInside } from "../graph/level";
import { nameOf } from "../scopes/words";
import type { Later } from "./coming";
import type { OverlaySpan } from "./decode";
import type { Score } from "./score";

const HALF = 11;

interface Band {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

/** Where the band of a scope stands; `null` where nothing of it is visible. */
export function bandOf(geometry: Score, frame: FrameInfo): Band | null {
  const { track, lanes, width } = geometry;
  const inside = lanes.isRibbon ? [0] : lanes.shown.filter((lane) => isInside(track.lanes[lane] ?? "", frame.scope));
  const left = Math.max(0, geometry.x(frame.id));
  const right = Math.min(width, geometry.x(frame.closed_seq ?? track.last));
  if (!inside.length || right <= left) return null;
  const heights = inside.map((lane) => geometry.y(lane));
  const top = Math.min(...heights) - HALF;
  return { left, width: right - left, top, height: Math.max(...heights) + HALF - top };
}

/** Where the band of an overlay stands: over all lanes. One that is active goes on into what comes, up to its end. */
export function overlayBandOf(geometry: Score, span: OverlaySpan, later: Later | null = null): Band | null {
  const left = Math.max(0, geometry.x(span.from));
  const end = later === null ? geometry.width : (later.endOf(span.name) ?? later.whole);
  const right = span.to === null ? end : Math.min(geometry.width, geometry.x(span.to));
  return right <= left ? null : { left, width: right - left, top: 0, height: geometry.height };
}

/** The bands of the overlays, named where there is room. The chat says in words when each began and ended. */
export const OverlayBands = memo(function OverlayBands({ geometry, later }: { geometry: Score; later: Later | null }) {
  return (
    <div aria-hidden="true">
      {geometry.track.overlays.map((span) => {
        const band = overlayBandOf(geometry, span, later);
        const words = [span.name.replaceAll("_", " "), span.persona].filter(Boolean).join(" · ");
        return (
          band && (
            <i key={`${span.name} ${span.from}`} className="band overlay" style={band} title={words}>
              {band.width > 60 && <span>{words}</span>}
            </i>
          )
        );
      })}
    </div>
  );
});

/** The bands of the scopes. Chat and graph say the same in words, so they are silent. */
export const Bands = memo(function Bands({ geometry, frames }: { geometry: Score; frames: readonly FrameInfo[] }) {
  const scopes = frames.filter((frame) => frame.id > 0 && frame.status !== "undone");
  return (
    <div aria-hidden="true">
      {scopes.map((frame) => {
        const band = bandOf(geometry, frame);
        return band && <i key={frame.id} className="band" style={band} title={nameOf(frame)} />;
      })}
    </div>
  );
});
