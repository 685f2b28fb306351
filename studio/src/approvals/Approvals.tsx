// The calls of the open conversation that wait for approval: each is approved, changed or declined by itself.

import { useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { CallChoice, WaitingCall } from "../api/types";
import { announce } from "../data/announce";
import { loadTranscript, takeResult } from "../data/conversations";
import { useConversation, useScope } from "../data/hooks";
import { useOperator } from "../data/operator";
import { useResource } from "../data/resource";
import { Button } from "../ui/Button";
import { LoadRefusal, Refusal } from "../ui/Refusal";
import { ApprovalCard } from "./ApprovalCard";
import { argumentsOf, type Edits } from "./edits";
import "./approvals.css";
import { t, tx } from "../i18n/t";

const NONE: readonly WaitingCall[] = [];

/** All calls that wait, in the order of the calls. Nothing where none does. */
export function Approvals({ id }: { id: string }) {
  const summary = useConversation()?.summary;
  const waits = summary?.waits_for === "button" || summary?.waits_for === "approval" || summary?.waits_for === "person";
  const { data, problem, isOld } = useResource<readonly WaitingCall[]>(waits ? `approvals:${id}#${summary.seq}` : null, () => api.approvals(id));
  const calls = waits ? (data ?? NONE) : NONE;
  if (problem) return <LoadRefusal problem={problem} loads="approvals:" />;
  return calls.length > 0 ? <CallList key={id} id={id} calls={calls} isOld={isOld} /> : null;
}

function CallList({ id, calls, isOld }: { id: string; calls: readonly WaitingCall[]; isOld: boolean }) {
  const [edits, setEdits] = useState<Readonly<Record<string, Edits>>>({});
  const [failed, setFailed] = useState<{ call: string; problem: Problem } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isOperator = useScope("operator");
  const { own } = useOperator();
  const mine = calls.filter((call) => call.approver === "user" || isOperator);

  const decide = async (choices: readonly CallChoice[]) => {
    if (isBusy || !choices.length) return;
    setBusy(true);
    setFailed(null);
    const isOf = (approver: WaitingCall["approver"]) => choices.filter((one) => calls.find((call) => call.id === one.call)?.approver === approver);
    try {
      if (isOf("user").length) takeResult(id, await api.decide(id, isOf("user")));
      if (isOf("operator").length) takeResult(id, await api.decideAsOperator(id, isOf("operator"), own || "operator"));
      announce(choices.length === 1 ? (choices[0]?.approve ? t("Approved") : t("Declined")) : t("{length} calls decided", { length: choices.length }));
    } catch (error) {
      const found = asProblem(error);
      setFailed({ call: choices.length === 1 ? (choices[0]?.call ?? "") : "", problem: found });
    } finally {
      setBusy(false);
      void loadTranscript(id);
    }
  };
  const approving = (call: WaitingCall): CallChoice => ({ call: call.id, approve: true, arguments: argumentsOf(call, edits[call.id] ?? {}) });

  return (
    <section className="approvals" aria-label={heading(calls)} aria-busy={isBusy || isOld}>
      <header>
        <h2>{heading(calls)}</h2>
        {mine.length > 1 && (
          <span className="all">
            <Button aria-disabled={isBusy} onClick={() => void decide(mine.map(approving))}>
              {tx("Approve all {length}", { length: mine.length })}
            </Button>
            <Button look="quiet" aria-disabled={isBusy} onClick={() => void decide(mine.map((call) => ({ call: call.id, approve: false })))}>
              {t("Decline all")}
            </Button>
          </span>
        )}
      </header>
      {failed && failed.call === "" && <Refusal problem={failed.problem} />}
      <ol>
        {calls.map((call, index) => (
          <ApprovalCard
            key={call.id}
            call={call}
            place={calls.length > 1 ? index + 1 : 0}
            edits={edits[call.id] ?? {}}
            mayDecide={mine.includes(call)}
            isBusy={isBusy}
            problem={failed?.call === call.id ? failed.problem : null}
            onEdit={(next) => setEdits((all) => ({ ...all, [call.id]: next }))}
            onApprove={() => void decide([approving(call)])}
            onDecline={(reason) => void decide([{ call: call.id, approve: false, reason }])}
          />
        ))}
      </ol>
    </section>
  );
}

const heading = (calls: readonly WaitingCall[]): string => (calls.length === 1 ? t("Waits for an approval") : t("Waits for {length} approvals", { length: calls.length }));
