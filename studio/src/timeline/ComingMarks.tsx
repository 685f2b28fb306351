// What comes by itself, behind the last turn: the path goes on dashed, with a mark and a time for each.

import { openTab } from "../app/openTab";
import { Icon } from "../ui/Icon";
import { SIGN_ICONS } from "../ui/signs";
import type { Later } from "./coming";
import { stays, type Score } from "./score";
import { t } from "../i18n/t";

/** A press on a mark shows the tab Time, which says the same in a list. */
export function ComingMarks({ geometry, later }: { geometry: Score; later: Later }) {
  const last = stays(geometry.track).at(-1);
  const y = last ? geometry.y(last.lane) : geometry.height / 2;
  const from = geometry.x(geometry.track.last);
  return (
    <>
      <svg className="comes" width={later.whole} height={geometry.height} aria-hidden="true" focusable="false">
        <path className="dashed" d={`M${from.toFixed(1)} ${y}H${later.whole}`} />
        <path className="bar" d={`M${later.left} 2V${geometry.height}`} />
      </svg>
      {later.shown.map((one, place) => (
        <span key={one.key} className="coming" style={{ left: later.x(place), top: geometry.signY }}>
          <button type="button" tabIndex={-1} className="mk soon" aria-label={t("Comes {when}, {text}", { when: one.when, text: one.text })} title={one.text} onClick={() => openTab("time")}>
            <Icon name={SIGN_ICONS[one.sign]} />
          </button>
          <small aria-hidden="true">{one.when}</small>
        </span>
      ))}
    </>
  );
}
