import { useState, type FormEvent } from "react";
import { api } from "../api/calls";
import { openNew } from "../data/begin";
import { useConversationId } from "../data/hooks";
import { setLayout } from "../data/layout";
import { putSummary } from "../data/list";
import { usePosition } from "../data/position";
import { useRun } from "../data/run";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";
import { t, tx } from "../i18n/t";

/** Fork the conversation at the position: a copy that goes its own way. */
export function ForkDialog() {
  const id = useConversationId();
  const position = usePosition();
  const [name, setName] = useState("");
  const { run, isBusy, problem } = useRun(async () => {
    const summary = await api.fork(id ?? "", { turn: position.turn, ...(name.trim() ? { name: name.trim() } : {}) });
    putSummary(summary);
    setLayout({ dialog: null, pane: "chat" });
    openNew(summary.id);
  });
  if (id === null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run();
  };
  return (
    <Dialog title={t("Fork after turn {turn}", { turn: position.turn })} className="narrow">
      <form className="fields" onSubmit={submit}>
        <p>
          {tx("The fork begins with the turns 1 to {turn} of {id}. What happens in it does not change", { turn: position.turn, id: <code>{id}</code> })}{" "}<code>{id}</code>.
        </p>
        <label>
          <span>{t("Name, if you want one")}</span>
          <input type="text" value={name} maxLength={120} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        </label>
        {problem && <Refusal problem={problem} />}
        <div className="acts">
          <Button look="solid" type="submit" icon="fork" aria-disabled={isBusy}>
            {t("Fork")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
