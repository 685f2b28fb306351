// Taking a conversation over, from the machine or from another person: who, and why.

import { useId, useRef, useState, type FormEvent } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { PersonView } from "../api/types";
import { act, useAction } from "../data/actions";
import { loadTranscript, takeResult } from "../data/conversations";
import { operatorName, useOperator } from "../data/operator";
import { setSettings, useSettings } from "../data/settings";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { forget } from "./giveBack";
import { t, tx } from "../i18n/t";

/**
 * A form with the operator's name, which this browser remembers, and a reason. Taking over from the person in charge
 * (`from`) is confirmed first.
 */
export function TakeOver({ id, from = null }: { id: string; from?: PersonView | null }) {
  const settings = useSettings();
  const [operator, setOperator] = useState(settings.operator);
  const [isAsking, setAsking] = useState(false);
  const wasAsking = useRef(false);
  wasAsking.current ||= isAsking;
  const name = operator.trim();
  const { hasKey } = useOperator();
  const other = operatorName(from);
  const isSame = !hasKey && name !== "" && name === from?.operator;
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const hint = useId();
  const take = async () => {
    if (isBusy) return;
    if (!name) return field.current?.focus();
    setSettings({ operator: name });
    if (isSame) return void act("focus-message");
    if (from && !isAsking) return setAsking(true);
    setBusy(true);
    setProblem(null);
    try {
      takeResult(id, await api.takeOver(id, name, reason.trim(), from?.operator));
      forget(id);
      void loadTranscript(id);
      act("focus-message");
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
      setAsking(false);
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
        <span className="label">{t("Your name, shown to the user")}</span>
        <input ref={field} type="text" value={operator} maxLength={80} autoComplete="name" onChange={(event) => setOperator(event.target.value)} />
      </label>
      <label>
        <span className="label">{t("Reason, shown in the trace")}</span>
        <input type="text" value={reason} maxLength={400} onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className="acts">
        {isAsking ? (
          <Confirmation from={other} isBusy={isBusy} onCancel={() => setAsking(false)} />
        ) : (
          <Button type="submit" look="solid" icon="person" disabled={!name} aria-describedby={name ? undefined : hint} aria-disabled={isBusy} autoFocus={wasAsking.current}>
            {isSame ? t("Continue as {other}", { other }) : from ? t("Take over from {other}", { other }) : t("Take over")}
          </Button>
        )}
      </div>
      {!name && (
        <p className="muted small" id={hint}>
          {t("Enter your name first: the user sees who writes.")}
        </p>
      )}
      {problem && <Refusal problem={problem} />}
    </form>
  );
}

function Confirmation({ from, isBusy, onCancel }: { from: string; isBusy: boolean; onCancel: () => void }) {
  const id = useId();
  return (
    <div className="confirm" role="group" aria-labelledby={id}>
      <p id={id}>{tx("{from} can then neither answer nor give back.", { from })}</p>
      <Button type="submit" look="solid" icon="person" aria-disabled={isBusy} autoFocus>
        {tx("Yes, take over from {from}", { from })}
      </Button>
      <Button look="quiet" onClick={onCancel}>
        {t("Cancel")}
      </Button>
    </div>
  );
}
