import { needsOutcome } from "./draft";
import { usePrepared } from "./giveBack";
import { useOutcomes } from "./useGiveBack";
import { OutcomeChoice } from "./OutcomeChoice";
import { t } from "../i18n/t";

/** Under the operator's message field: the outcome, where the node knows some, and giving back in one go. */
export function GiveBackControl({ id, hasText, onGiveBack }: { id: string; hasText: boolean; onGiveBack: () => void }) {
  const { draft, isBusy } = usePrepared(id);
  const known = useOutcomes(id);
  return (
    <span className="giveback">
      {known.length > 0 && (
        <OutcomeChoice id={id} outcome={draft.outcome} known={known} aria-label={t("Outcome")} />
      )}
      <button type="button" aria-disabled={isBusy || needsOutcome(draft, known)} onClick={onGiveBack} aria-keyshortcuts="Control+Enter">
        {hasText ? t("Send and give back") : t("Give back")} <kbd className="hw">{t("Ctrl Enter")}</kbd>
      </button>
    </span>
  );
}
