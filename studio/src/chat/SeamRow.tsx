import { memo } from "react";
import type { Seam } from "../api/types";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/icons";
import { useTitles } from "../data/titles";
import { MOMENT_WORDS } from "../panel/decision/candidates";
import { markOf, OutcomeMark } from "../ui/OutcomeMark";
import { activityText, verdictWords } from "../i18n/texts";
import { t } from "../i18n/t";

/** `before`: the decision before it in its turn, if that one moved. */
type Props = { seam: Seam; before: Seam | null; number: number; isSelected: boolean; onSelect: (seam: Seam, number: number) => void };

/** A decision in the transcript, in one line, where it was made. A click opens it in the panel. */
export const SeamRow = memo(function SeamRow({ seam, before, number, isSelected, onSelect }: Props) {
  const hasMoved = seam.outcome === "moved" || seam.outcome === "ended" || (seam.outcome === "person" && seam.target !== "");
  return (
    <button type="button" className={hasMoved ? "seam move" : "seam"} aria-current={isSelected ? "true" : undefined} onClick={() => onSelect(seam, number)}>
      {seam.outcome === "person" || seam.activity ? <Icon name={iconOf(seam)} /> : <OutcomeMark outcome={markOf(seam.mark, hasMoved)} />}
      <span className="tx">
        <span className="sr">{seam.moment === "person" ? t(", act of a person: ") : t(", decision, {moment}: ", { moment: lowered(MOMENT_WORDS[seam.moment] ?? seam.moment) })}</span>
        {(!hasMoved && activityText(seam.activity)) || <Verdict seam={seam} before={before} hasReason={hasMoved || seam.outcome === "person"} />}
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

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** A headline as a further step of a turn that has moved already: `Then in Ineligible: stayed: needs …`. */
const afterMove = (headline: string, node: string): string => (node ? t("Then in {node}: {headline}", { node, headline: lowered(headline) }) : t("Then {headline}", { headline: lowered(headline) }));

/** What was decided; of a move, and of an act of a person, also why. */
function Verdict({ seam, before, hasReason }: { seam: Seam; before: Seam | null; hasReason: boolean }) {
  const titles = useTitles();
  const { headline, reason } = verdictWords(seam);
  return (
    <>
      {before ? afterMove(headline, seam.node === before.target ? titles.node(seam.node) : "") : headline}
      {hasReason && reason && (
        <>
          {": "}
          <span className="because">{reason}</span>
        </>
      )}
    </>
  );
}
