import { address, request } from "../../api/client";
import { useNow } from "../../app/clock";
import { announce } from "../../data/announce";
import { Store, useStore } from "../../data/store";
import { durationText } from "../format";

/** The answer of `POST /demo/clock`. */
interface ClockView {
  now_ms: number;
  ahead_ms: number;
  fired: number;
}

const clock = new Store<{ aheadMs: number }>({ aheadMs: 0 });

/** The time of the server: a demonstration may be ahead of this browser. */
export function useServerNow(): number {
  const now = useNow(1000);
  return now + useStore(clock, ({ aheadMs }) => aheadMs);
}

/** Moves the clock of a demonstration forward. Timers that are due then fire. */
export async function moveClock(ms: number): Promise<void> {
  const answer = await request<ClockView>(address(["demo", "clock"]), { method: "POST", body: { advance_s: ms / 1000 } });
  clock.set({ aheadMs: answer.now_ms - Date.now() });
  announce(`The time moved forward by ${durationText(ms)}; ${answer.fired === 1 ? "1 timer" : `${answer.fired} timers`} fired`);
}
