import { useState, type FormEvent } from "react";
import { asProblem, type Problem } from "../api/problem";
import { begin, openNew } from "../data/begin";
import { useConversation, useFlows } from "../data/hooks";
import { setLayout } from "../data/layout";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";

/** Begin a conversation: its flow and, if wanted, its name. */
export function NewDialog() {
  const flows = useFlows();
  const current = useConversation()?.summary?.flow;
  const [flow, setFlow] = useState("");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const chosen = flow || current || flows.data?.[0]?.name || "";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    try {
      const id = await begin(chosen, name.trim() || undefined);
      setLayout({ dialog: null, pane: "chat" });
      openNew(id);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title="New conversation" className="narrow">
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <label>
          <span>Flow</span>
          <select value={chosen} onChange={(event) => setFlow(event.target.value)}>
            {flows.data?.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Name, if you want one</span>
          <input type="text" value={name} maxLength={120} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        </label>
        {problem && <Refusal problem={problem} />}
        <div className="acts">
          <Button look="solid" type="submit" disabled={!chosen}>
            Begin
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
