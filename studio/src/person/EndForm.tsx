// Ending a conversation as a person: the outcome is chosen first, so that no single press ends it.

import { useRef, useState } from "react";
import type { FlowPage } from "../api/types";
import { Button } from "../ui/Button";
import { outcomeInWords } from "../data/names";
import { t } from "../i18n/t";

const OTHER = "closed";

/** A button that opens the choice of an outcome. */
export function EndForm({ page, isBusy, onEnd }: { page: FlowPage; isBusy: boolean; onEnd: (outcome: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  wasOpen.current ||= isOpen;
  const known = [...new Set(page.graph.nodes.filter((node) => node.kind === "end").map((node) => node.name))];
  const outcomes = known.includes(OTHER) ? known : [...known, OTHER];
  const [outcome, setOutcome] = useState("");
  if (!isOpen) {
    return (
      <Button aria-disabled={isBusy} autoFocus={wasOpen.current} onClick={() => setOpen(true)}>
        {t("End the conversation")}
      </Button>
    );
  }
  return (
    <span className="endform" role="group" aria-label={t("End the conversation")}>
      <select aria-label={t("Outcome")} value={outcome} autoFocus onChange={(event) => setOutcome(event.target.value)}>
        <option value="">{t("choose an outcome")}</option>
        {outcomes.map((one) => (
          <option key={one} value={one}>
            {outcomeInWords(one)}
          </option>
        ))}
      </select>
      <Button disabled={!outcome} aria-disabled={isBusy} onClick={() => onEnd(outcome)}>
        {t("End with this outcome")}
      </Button>
      <Button look="quiet" onClick={() => setOpen(false)}>
        {t("Cancel")}
      </Button>
    </span>
  );
}
