import { useState, type FormEvent } from "react";
import { begin, openNew } from "../data/begin";
import { useConversation, useFlows } from "../data/hooks";
import { setLayout } from "../data/layout";
import { useRun } from "../data/run";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";
import { t } from "../i18n/t";

/** Begin a conversation: its flow and, if wanted, its name. */
export function NewDialog() {
  const flows = useFlows();
  const current = useConversation()?.summary?.flow;
  const [flow, setFlow] = useState("");
  const [name, setName] = useState("");
  const chosen = flow || current || flows.data?.[0]?.name || "";
  const { run, isBusy, problem } = useRun(async () => {
    const id = await begin(chosen, name.trim() || undefined);
    setLayout({ dialog: null, pane: "chat" });
    openNew(id);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run();
  };
  return (
    <Dialog title={t("New conversation")} className="narrow">
      <form className="fields" onSubmit={submit}>
        <label>
          <span>{t("Flow")}</span>
          <select value={chosen} onChange={(event) => setFlow(event.target.value)}>
            {flows.data?.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t("Name, if you want one")}</span>
          <input type="text" value={name} maxLength={120} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        </label>
        {problem && <Refusal problem={problem} />}
        <div className="acts">
          <Button look="solid" type="submit" disabled={!chosen} aria-disabled={isBusy}>
            {isBusy ? t("Beginning…") : t("Begin")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
