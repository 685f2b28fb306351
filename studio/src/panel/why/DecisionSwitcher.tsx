import type { DecisionView } from "../../api/types";
import { markOf, OutcomeMark } from "../../ui/OutcomeMark";
import { useTitles } from "../../data/titles";
import { t } from "../../i18n/t";

type Props = { turn: number; views: readonly DecisionView[]; selected: DecisionView | null; onSelect: (seq: number) => void };

/** One pill per decision of the turn, in order. A turn with one decision needs none. */
export function DecisionSwitcher({ turn, views, selected, onSelect }: Props) {
  const titles = useTitles();
  if (views.length < 2) return null;
  return (
    <div className="decs" role="group" aria-label={t("Decisions of turn {turn}", { turn })}>
      {views.map((view) => (
        <button key={view.decision.seq} type="button" aria-pressed={view === selected} onClick={() => onSelect(view.decision.seq)}>
          <OutcomeMark outcome={markOf(view.seam.mark, view.seam.outcome !== "stayed")} />
          <span>
            {titles.node(view.decision.node)} <span className="muted tech">{view.decision.moment}</span>
          </span>
        </button>
      ))}
    </div>
  );
}
