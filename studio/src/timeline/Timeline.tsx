import "./timeline.css";
import { useScope } from "../data/hooks";
import { useWhatIf } from "../data/whatIf";
import { wouldMove } from "../graph/useStanding";
import { Score } from "./ScoreView";
import { Transport } from "./Transport";
import { useTrack } from "./useTrack";

/** The dock: transport, position, and a lane per node with the path and its decisions. */
export function Timeline() {
  const { track, position, selected } = useTrack();
  const canDebug = useScope("debug:read");
  const whatIf = useWhatIf();
  const would = wouldMove(whatIf, position.turn, position.seq);
  return (
    <>
      <Transport track={track} position={position} selected={selected} />
      {track && track.turns.length > 0 && <Score track={track} position={position} selected={selected} would={would} />}
      {!canDebug && (
        <p className="tlnote">
          Decisions need the scope <code>debug:read</code>.
        </p>
      )}
    </>
  );
}
