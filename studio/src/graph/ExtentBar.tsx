import type { GraphLevel } from "../api/types";
import { t, tn } from "../i18n/t";
import { placesOf, setExtent, useExtent } from "./large";

/** How much of a large drawing is shown: what is around the current node, or all of it. */
export function ExtentBar({ level, further }: { level: GraphLevel; further: number }) {
  const { isWhole } = useExtent();
  return (
    <div className="gextent">
      <div className="seg" role="group" aria-label={t("How much is drawn")}>
        <button type="button" aria-pressed={!isWhole} onClick={() => setExtent({ isWhole: false })}>
          {t("Around here")}
        </button>
        <button type="button" aria-pressed={isWhole} onClick={() => setExtent({ isWhole: true })}>
          {t("All {n}", { n: placesOf(level) })}
        </button>
      </div>
      {!isWhole && <span>{[t("1 step back, 2 ahead"), further > 0 ? tn(further, "1 more node is further away", "{n} more nodes are further away") : ""].filter(Boolean).join(" · ")}</span>}
    </div>
  );
}
