import { memo } from "react";
import type { Seam } from "../api/types";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/icons";
import { markOf, OutcomeMark } from "../ui/OutcomeMark";
import { activityText, verdictWords } from "../i18n/texts";
import { t } from "../i18n/t";

type Props = { seam: Seam; number: number; isSelected: boolean; onSelect: (seam: Seam, number: number) => void };

/** A decision in the transcript, in one line, where it was made. A click opens it in the panel. */
export const SeamRow = memo(function SeamRow({ seam, number, isSelected, onSelect }: Props) {
  const hasMoved = seam.outcome === "moved" || seam.outcome === "ended" || (seam.outcome === "person" && seam.target !== "");
  return (
    <button type="button" className={hasMoved ? "seam move" : "seam"} aria-current={isSelected ? "true" : undefined} onClick={() => onSelect(seam, number)}>
      {seam.outcome === "person" || seam.activity ? <Icon name={iconOf(seam)} /> : <OutcomeMark outcome={markOf(seam.mark, hasMoved)} />}
      <span className="tx">
        <span className="sr">{seam.moment === "person" ? t(", act of a person: ") : t(", decision at {moment}: ", { moment: seam.moment })}</span>
        {(!hasMoved && activityText(seam.activity)) || <Verdict seam={seam} hasReason={hasMoved || seam.outcome === "person"} />}
        <span className="tech engine" lang="en">
          {seam.text}
        </span>
      </span>
    </button>
  );
});

/** What the conversation does, as a picture: a question of a form, a yes that it waits for, or a person. */
function iconOf({ activity }: Seam): IconName {
  const kind = activity?.kind ?? "";
  if (/person/.test(kind) || !kind) return "person";
  return /approval|confirms|offers|budget/.test(kind) ? "approval" : "list";
}

/** What was decided; of a move, and of an act of a person, also why. */
function Verdict({ seam, hasReason }: { seam: Seam; hasReason: boolean }) {
  const { headline, reason } = verdictWords(seam);
  return (
    <>
      {headline}
      {hasReason && reason && (
        <>
          {": "}
          <span className="because">{reason}</span>
        </>
      )}
    </>
  );
}
