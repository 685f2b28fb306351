import { useRef } from "react";
import type { ConversationSummary } from "../api/types";
import { useAction } from "../data/actions";
import { setLayout } from "../data/layout";
import { usePosition } from "../data/position";
import { Button } from "../ui/Button";
import { saveScenario } from "../app/files";
import { headlineOf } from "../i18n/texts";
import { t, tx } from "../i18n/t";

/** The end of a conversation, and what can follow. */
export function Ended({ summary }: { summary: ConversationSummary }) {
  const position = usePosition();
  const root = useRef<HTMLDivElement>(null);
  useAction("focus-message", () => root.current?.querySelector("button")?.focus());
  return (
    <div className="ended" ref={root}>
      <span>
        {headlineOf(summary)}
      </span>
      <span className="grow" />
      <Button icon="fork" onClick={() => setLayout({ dialog: "fork" })}>
        {tx("Fork from turn {turn}", { turn: position.turn })}
      </Button>
      <Button onClick={() => void saveScenario(summary.id)}>{t("Save as a scenario")}</Button>
    </div>
  );
}
