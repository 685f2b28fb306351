import "./timeline.css";
import { useMemo } from "react";
import { useNow } from "../app/clock";
import { useScope } from "../data/hooks";
import { useTiming } from "../data/timing";
import { useWhatIf } from "../data/whatIf";
import { wouldMove } from "../graph/useStanding";
import { comingOf } from "./coming";
import { Score } from "./ScoreView";
import { Transport } from "./Transport";
import { useTrack } from "./useTrack";
import { t } from "../i18n/t";

/** How often the times of what comes are written anew. */
const NOW_MS = 30_000;

/** The dock: transport, position, and a lane per node with the path and its decisions. */
export function Timeline() {
  const { track, position, selected } = useTrack();
  const canDebug = useScope("debug:read");
  const whatIf = useWhatIf();
  const would = wouldMove(whatIf, position.turn, position.seq);
  const { data } = useTiming();
  const now = useNow(NOW_MS);
  const coming = useMemo(() => (data ? comingOf(data, now) : []), [data, now]);
  return (
    <>
      <Transport track={track} position={position} selected={selected} coming={coming} />
      {track && track.turns.length > 0 && <Score track={track} position={position} selected={selected} would={would} coming={coming} />}
      {!canDebug && (
        <p className="tlnote">
          {t("Decisions need the scope")}{" "}<code>debug:read</code>.
        </p>
      )}
    </>
  );
}
