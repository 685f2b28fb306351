import { useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { announce } from "../data/announce";
import { drop } from "../data/conversations";
import { useConversationId } from "../data/hooks";
import { setLayout } from "../data/layout";
import { removeSummary } from "../data/list";
import { useName } from "../data/names";
import { navigate } from "../data/route";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";
import { t, tx } from "../i18n/t";

/** Delete the open conversation for good, after its name was typed. */
export function DeleteDialog() {
  const id = useConversationId();
  const name = useName(id ?? "");
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  if (id === null) return null;
  const isTyped = [id, name].includes(typed.trim());
  const forget = async () => {
    try {
      await api.forget(id);
      setLayout({ dialog: null });
      navigate({ page: "start" });
      drop(id);
      removeSummary(id);
      announce(t("{name} was deleted for good", { name }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={t("Delete {name} for good", { name })} className="narrow">
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) void forget();
        }}
      >
        <p>{t("Every event, message and value of this conversation is removed from the store. Nobody can undo this.")}</p>
        <label>
          <span>
            {tx("Type {name} to confirm", { name: <b>{name}</b> })}{name === id ? "" : <span className="muted">{t(", or its id")}{" "}<code>{id}</code></span>}
          </span>
          <input type="text" value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </label>
        {problem && <Refusal problem={problem} />}
        <div className="acts">
          <Button type="submit" className="danger" disabled={!isTyped}>
            {t("Delete for good")}
          </Button>
          <Button look="quiet" onClick={() => setLayout({ dialog: null })}>
            {t("Keep it")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
