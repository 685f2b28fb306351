import { address, request } from "../api/client";
import { announce } from "../data/announce";
import { setServerTime } from "../data/serverTime";
import { durationText } from "../panel/format";
import { t } from "../i18n/t";

/** The answer of `POST /demo/clock`. */
interface ClockView {
  now_ms: number;
  ahead_ms: number;
  fired: number;
}

/** Moves the clock of a demonstration forward. Timers that are due then fire. */
export async function moveClock(ms: number): Promise<void> {
  const answer = await request<ClockView>(address(["demo", "clock"]), { method: "POST", body: { advance_s: ms / 1000 } });
  setServerTime(answer.now_ms);
  announce(t("The time moved forward by {ms}; {x} fired", { ms: durationText(ms), x: answer.fired === 1 ? t("1 timer") : t("{fired} timers", { fired: answer.fired }) }));
}
