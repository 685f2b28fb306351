// Taking a conversation over: who, and why.

import { useState, type FormEvent } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { useAction } from "../data/actions";
import { announce } from "../data/announce";
import { loadTranscript, takeResult } from "../data/conversations";
import { setSettings, useSettings } from "../data/settings";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";

/** A form with the operator's name, which this browser remembers, and a reason. */
export function TakeOver({ id }: { id: string }) {
  const { operator } = useSettings();
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const take = async () => {
    if (!operator.trim() || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      takeResult(id, await api.takeOver(id, operator.trim(), reason.trim()));
      void loadTranscript(id);
      announce(`${operator.trim()} is in charge`);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  useAction("take-over", () => void take());
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void take();
  };
  return (
    <form className="takeover" onSubmit={onSubmit}>
      <label>
        <span className="label">Your name, shown to the user</span>
        <input type="text" value={operator} maxLength={80} autoComplete="name" onChange={(event) => setSettings({ operator: event.target.value })} />
      </label>
      <label>
        <span className="label">Reason, shown in the trace</span>
        <input type="text" value={reason} maxLength={400} onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className="acts">
        <Button type="submit" look="solid" icon="person" disabled={!operator.trim() || isBusy}>
          Take over
        </Button>
      </div>
      {problem && <Refusal problem={problem} />}
    </form>
  );
}
