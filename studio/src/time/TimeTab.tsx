import type { TimeView } from "../api/types";
import { useNow } from "../app/clock";
import { useTiming } from "../data/timing";
import { Section } from "../panel/Section";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import { Deliveries } from "./Deliveries";
import { DueList } from "./DueList";
import { MoveTime } from "./MoveTime";
import { OverlayList } from "./OverlayList";
import { Spending, spentWords } from "./Spending";
import { nextText, speakerText, zoneText } from "./words";
import "./time.css";
import { t } from "../i18n/t";

/** What the conversation does by the clock, and what it spent: as it is now, whatever the position. */
export function TimeTab() {
  const { data, problem } = useTiming();
  if (!data) return problem ? <LoadRefusal problem={problem} loads="time:" /> : <Loading label={t("Loading what is due")} />;
  return (
    <div className="time">
      {problem && <LoadRefusal problem={problem} loads="time:" />}
      <Next view={data} />
      <MoveTime due={data.due} />
      {data.due.length + data.offers.length > 0 && (
        <Section id="due" title={t("What is due")} aside={t("{length}, by the clock in {time_zone}", { length: data.due.length + data.offers.length, time_zone: zoneText(data.time_zone) })} isOpen>
          <DueList view={data} />
        </Section>
      )}
      {data.overlays.length > 0 && (
        <Section id="overlays" title={t("Overlays")} aside={overlaysAside(data)} isOpen>
          <OverlayList view={data} />
        </Section>
      )}
      {data.spending.calls + data.spending.budgets.length > 0 && (
        <Section id="spending" title={t("Spending")} aside={spentWords(data.spending)} isOpen>
          <Spending spending={data.spending} />
        </Section>
      )}
      <Deliveries zone={data.time_zone} />
    </div>
  );
}

const overlaysAside = ({ overlays }: TimeView): string => {
  const active = overlays.filter((one) => one.is_next).length;
  return active ? t("{active} of {n} on", { active, n: overlays.length }) : t("none is on");
};

function Next({ view }: { view: TimeView }) {
  const now = useNow(1000);
  const speaker = speakerText(view.overlays, now, view.time_zone);
  return (
    <div className="verdict">
      <h2>{nextText(view.due, now, view.time_zone)}</h2>
      {speaker ? <p>{speaker}</p> : !view.due.length && <p>{t("Timers and schedules stand here while they are armed.")}</p>}
    </div>
  );
}
