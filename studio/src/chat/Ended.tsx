import type { ConversationSummary } from "../api/types";
import { setLayout } from "../data/layout";
import { usePosition } from "../data/position";
import { Button } from "../ui/Button";
import { saveScenario } from "../app/files";

/** The end of a conversation, and what can follow. */
export function Ended({ summary }: { summary: ConversationSummary }) {
  const position = usePosition();
  return (
    <div className="ended">
      <span>
        Ended with <code>{summary.outcome || "no outcome"}</code>
      </span>
      <span className="grow" />
      <Button icon="fork" onClick={() => setLayout({ dialog: "fork" })}>
        Fork from turn {position.turn}
      </Button>
      <Button onClick={() => void saveScenario(summary.id)}>Save as a scenario</Button>
    </div>
  );
}
