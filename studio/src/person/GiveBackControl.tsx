import { api } from "../api/calls";
import { useConversation } from "../data/hooks";
import { useResource } from "../data/resource";
import { usePrepared } from "./giveBack";
import { OutcomeChoice } from "./OutcomeChoice";
import { t } from "../i18n/t";

/** Under the operator's message field: the outcome, where the node knows some, and giving back in one go. */
export function GiveBackControl({ id, hasText, onGiveBack }: { id: string; hasText: boolean; onGiveBack: () => void }) {
  const node = useConversation()?.summary?.node ?? "";
  const { draft, isBusy } = usePrepared(id);
  const { data } = useResource(`outcomes:${id}@${node}`, () => api.previewGiveBack(id, {}));
  const known = data?.outcomes ?? [];
  return (
    <span className="giveback">
      {known.length > 0 && (
        <label>
          {t("Outcome")} <OutcomeChoice id={id} outcome={draft.outcome} known={known} />
        </label>
      )}
      <button type="button" aria-disabled={isBusy} onClick={onGiveBack} aria-keyshortcuts="Control+Enter">
        {hasText ? t("Send and give back") : t("Give back")} <kbd className="hw">{t("Ctrl Enter")}</kbd>
      </button>
    </span>
  );
}
