// What happens around the conversation, on a lane of its own: what the clock fires, offers, overlays, events of other systems.

import { memo } from "react";
import { Icon } from "../ui/Icon";
import { SIGN_ICONS } from "../ui/signs";
import type { Score } from "./score";
import { t } from "../i18n/t";

/** The signs of the visible turns. A press goes to the turn. */
export const Signs = memo(function Signs({ geometry, seq, go }: { geometry: Score; seq: number; go: (turn: number) => void }) {
  const [first, last] = geometry.range();
  return geometry.track.signs
    .filter((sign) => sign.seq >= first && sign.seq <= last)
    .map((sign) => (
      <button key={sign.seq} type="button" tabIndex={-1} className={sign.seq > seq ? "mk sign after" : "mk sign"} style={{ left: geometry.x(sign.seq), top: geometry.signY }} aria-label={t("Turn {turn}, {text}", { turn: sign.turn, text: sign.text })} title={sign.text} onClick={() => go(sign.turn)}>
        <Icon name={SIGN_ICONS[sign.sign]} />
      </button>
    ));
});
