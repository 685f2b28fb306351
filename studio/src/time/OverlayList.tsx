import { useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { OverlayView, TimeView } from "../api/types";
import { useNow } from "../app/clock";
import { AskWhy } from "../ask/AskWhy";
import { outdate } from "../data/conversations";
import { useConversationId, useScope } from "../data/hooks";
import { Icon } from "../ui/Icon";
import { Refusal } from "../ui/Refusal";
import { overlayText } from "./words";
import { t } from "../i18n/t";

/** The overlays of the flow, and a switch that forces each on or off in this conversation. */
export function OverlayList({ view }: { view: TimeView }) {
  const now = useNow(1000);
  return (
    <div className="pad">
      <ul className="due">
        {view.overlays.map((one) => (
          <Overlay key={one.name} overlay={one} now={now} zone={view.time_zone} />
        ))}
      </ul>
    </div>
  );
}

function Overlay({ overlay, now, zone }: { overlay: OverlayView; now: number; zone: string }) {
  return (
    <li data-overlay={overlay.name} className={overlay.is_next ? "on" : undefined}>
      <span className="t">{overlay.is_next ? t("on") : t("off")}</span>
      <Icon name="overlay" />
      <span>
        <b>
          <AskWhy subject={overlay.subject}>{overlay.title}</AskWhy>
        </b>
        <p>{[overlay.persona_name && t("{speaker} speaks", { speaker: overlay.persona_name }), overlayText(overlay, now, zone)].filter(Boolean).join("; ")}</p>
        {overlay.is_active !== overlay.is_next && <p className="held">{overlay.is_next ? t("begins") : t("ends")}{" "}{t("with the next turn")}</p>}
      </span>
      <Switch overlay={overlay} />
    </li>
  );
}

const CHOICES: readonly [label: string, on: boolean | null, forced: OverlayView["forced"]][] = [
  [t("By date"), null, ""],
  [t("On"), true, "on"],
  [t("Off"), false, "off"],
];

/** Forces an overlay in this conversation, from its next turn on. */
function Switch({ overlay }: { overlay: OverlayView }) {
  const id = useConversationId();
  const mayForce = useScope("operator");
  const [problem, setProblem] = useState<Problem | null>(null);
  if (!mayForce || id === null) return null;
  const own = overlay.is_forced_for_all ? "" : overlay.forced;
  const force = (on: boolean | null) => {
    setProblem(null);
    api
      .forceOverlay(id, overlay.name, on)
      .then(() => outdate(id))
      .catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <>
      <div className="seg" role="group" aria-label={t("Force {title} in this conversation", { title: overlay.title })}>
        {CHOICES.map(([label, on, forced]) => (
          <button key={label} type="button" aria-pressed={own === forced} onClick={() => force(on)}>
            {label}
          </button>
        ))}
      </div>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
