import { useConversation, useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { useOperator } from "../data/operator";
import { usePosition } from "../data/position";
import { sendTurn } from "../data/sending";
import { useStore } from "../data/store";
import { copyText } from "../ui/CopyButton";
import { Refusal } from "../ui/Refusal";
import { openWhatIf } from "../whatif/draft";
import { fileProblem, saveExport, saveScenario } from "./files";
import { Menu, type Entry } from "./Menu";
import { t } from "../i18n/t";

function suppose(): void {
  setLayout({ isPersonOpen: false, pane: "why" });
  openWhatIf();
}

/** What can be done with the open conversation as a whole. */
export function ConversationMenu({ id }: { id: string }) {
  const conversation = useConversation();
  const position = usePosition();
  const canDebug = useScope("debug:read");
  const { now: problem } = useStore(fileProblem, (value) => value);
  const isAllowed = useScope("operator");
  const { isMine } = useOperator();
  const entries: Entry[] = [
    { label: t("Search"), run: () => setLayout({ dialog: "search" }) },
    ...(canDebug ? [{ label: t("What if"), run: suppose }] : []),
    ...(isAllowed && conversation?.summary?.status !== "ended" ? [{ label: isMine ? t("Give back") : t("Take over"), run: () => setLayout({ isPersonOpen: true, pane: "why" }) }] : []),
    { label: t("Undo the last turn"), run: () => void sendTurn(id, { undo: {} }, t("Undo turn")), isOff: !conversation?.messages.length },
    { label: t("Export as a file"), run: () => void saveExport(id) },
    { label: t("Save as a scenario"), run: () => void saveScenario(id), isOff: !canDebug },
    { label: t("Copy the id"), run: () => void copyText(id) },
    { label: t("Copy the transcript as JSON"), run: () => void copyText({ messages: conversation?.messages ?? [], decisions: conversation?.seams ?? [] }) },
    { label: t("Fork after turn {turn}", { turn: position.turn }), run: () => setLayout({ dialog: "fork" }), isOff: !position.turn },
    { label: t("Settings"), run: () => setLayout({ dialog: "settings" }) },
    { label: t("Delete for good"), run: () => setLayout({ dialog: "delete" }), isDangerous: true },
  ];
  return (
    <Menu label={t("More about this conversation")} icon="menu" entries={entries}>
      {problem && (
        <div className="menu-list problem">
          <Refusal problem={problem} />
          <button type="button" className="btn quiet" onClick={() => fileProblem.set({ now: null })}>
            {t("Dismiss")}
          </button>
        </div>
      )}
    </Menu>
  );
}
