// One call that waits for approval: what it does, its arguments to change, its deadline, and who may decide.

import { useId, useRef, useState, type ReactNode } from "react";
import type { Problem } from "../api/problem";
import type { WaitingArgument, WaitingCall } from "../api/types";
import { useNow } from "../app/clock";
import { span } from "../app/words";
import { clockText } from "../panel/format";
import { AskWhy } from "../ask/AskWhy";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { ItemCells } from "../ui/ItemCells";
import { Options, optionsOf } from "../ui/Options";
import { Refusal } from "../ui/Refusal";
import { changed, questionOf, textOf, type Edits } from "./edits";
import { t, tx } from "../i18n/t";

interface Props {
  readonly call: WaitingCall;
  /** Its place among several, from 1; 0 where it is the only one. */
  readonly place: number;
  readonly edits: Edits;
  readonly mayDecide: boolean;
  readonly isBusy: boolean;
  /** Why the server refused the last decision. */
  readonly problem: Problem | null;
  readonly onEdit: (edits: Edits) => void;
  readonly onApprove: () => void;
  readonly onDecline: (reason: string) => void;
}

export function ApprovalCard({ call, place, edits, mayDecide, isBusy, problem, onEdit, onApprove, onDecline }: Props) {
  const title = useId();
  const count = Object.keys(edits).length;
  const faults = new Map((problem?.errors ?? []).map((fault) => [fault.at.split("/").at(-1) ?? "", fault.message]));
  const isPlaced = call.arguments.some((one) => faults.has(one.name));
  return (
    <li>
      <article className="approval" aria-labelledby={title}>
        <header>
          <Icon name="approval" />
          <h3 id={title}>
            {place > 0 && <span className="place">{place}. </span>}
            {questionOf(call, edits) || call.about}
          </h3>
          {call.due_ms !== null && call.due_ms !== undefined && <Deadline due={call.due_ms} />}
          <p>
            <code>{call.tool}</code>
            {call.is_asked && t(", asked above")}
            {call.then.length > 0 && t(", then {x}", { x: call.then.join(", ") })}{" "}
            <AskWhy subject={`call ${call.id}`} name={call.about} />
          </p>
        </header>
        {call.done_before && <p className="before">{call.done_before}</p>}
        {call.arguments.length > 0 && (
          <div className="args">
            {call.arguments.map((argument) => (
              <Argument key={argument.name} argument={argument} text={edits[argument.name]} fault={faults.get(argument.name) ?? ""} isFixed={!mayDecide} onChange={(text) => onEdit(changed(edits, argument, text))} />
            ))}
          </div>
        )}
        {problem && !isPlaced && <Refusal problem={problem} />}
        <footer>
          {mayDecide ? <Decision title={title} count={count} isBusy={isBusy} onApprove={onApprove} onDecline={onDecline} onReset={() => onEdit({})} /> : null}
          <span className="who">{whoDecides(call, mayDecide)}</span>
        </footer>
      </article>
    </li>
  );
}

function whoDecides(call: WaitingCall, mayDecide: boolean): string {
  if (call.approver === "user") return t("The user decides");
  return mayDecide ? t("An operator decides: you may") : t("An operator decides");
}

/** The buttons; declining asks for a reason first, which the model receives. */
function Decision({ title, count, isBusy, onApprove, onDecline, onReset }: { title: string; count: number; isBusy: boolean; onApprove: () => void; onDecline: (reason: string) => void; onReset: () => void }) {
  const [isDeclining, setDeclining] = useState(false);
  const [reason, setReason] = useState("");
  const wasDeclining = useRef(false);
  wasDeclining.current ||= isDeclining;
  if (isDeclining) {
    return (
      <form
        className="decline"
        onSubmit={(event) => {
          event.preventDefault();
          onDecline(reason.trim());
        }}
      >
        <input type="text" autoFocus value={reason} maxLength={400} aria-label={t("Reason, told to the model")} placeholder={t("Reason, told to the model")} onChange={(event) => setReason(event.target.value)} onKeyDown={(event) => event.key === "Escape" && setDeclining(false)} />
        <button type="submit" className="btn" aria-disabled={isBusy} aria-describedby={title}>
          {t("Decline")}
        </button>
        <Button look="quiet" onClick={() => setDeclining(false)}>
          {t("Cancel")}
        </Button>
      </form>
    );
  }
  return (
    <>
      <Button look="solid" icon="check" aria-disabled={isBusy} aria-describedby={title} onClick={onApprove}>
        {count === 0 ? t("Approve") : count === 1 ? t("Approve with your change") : t("Approve with your {count} changes", { count })}
      </Button>
      <Button aria-disabled={isBusy} aria-describedby={title} autoFocus={wasDeclining.current} onClick={() => setDeclining(true)}>
        {t("Decline…")}
      </Button>
      {count > 0 && (
        <Button look="quiet" onClick={onReset}>
          {count > 1 ? t("Undo the changes") : t("Undo the change")}
        </Button>
      )}
    </>
  );
}

function Deadline({ due }: { due: number }) {
  const left = due - useNow(1000);
  return (
    <span className={left < 60_000 ? "due soon" : "due"}>
      <Icon name="clock" />
      <span>
        <time dateTime={new Date(due).toISOString()}>{tx("until {x}", { x: clockText(due).slice(0, 5) })}</time>
        {left > 0 ? t(", in {left}", { left: span(left) }) : t(", now")}
      </span>
    </span>
  );
}

/** The input of an argument; of a list whose items stand above it, it is behind a line, and only where it may be changed. */
function Written({ isFolded, isFixed, children }: { isFolded: boolean; isFixed: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  if (!isFolded && !isOpen) return children;
  if (isFixed) return null;
  return (
    <details className="written" open={isOpen || !isFolded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("Change as JSON")}</summary>
      {children}
    </details>
  );
}

function Argument({ argument, text, fault, isFixed, onChange }: { argument: WaitingArgument; text: string | undefined; fault: string; isFixed: boolean; onChange: (text: string) => void }) {
  const id = useId();
  const before = textOf(argument);
  const value = text ?? before;
  const options = optionsOf(argument.type, argument.options);
  const isWide = before.length > 28 || !!argument.items;
  const shared = { id, value, disabled: isFixed, "aria-invalid": fault ? true : undefined, "aria-describedby": fault ? `${id}-fault` : text === undefined ? undefined : `${id}-was` };
  return (
    <div className={["arg", isWide ? "wide" : "", text === undefined ? "" : "ed", fault ? "bad" : ""].filter(Boolean).join(" ")}>
      <label htmlFor={id}>{argument.title}</label>
      {argument.items && <ItemCells items={argument.items} label={argument.title} />}
      {options.length > 0 ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          {argument.is_optional && <option value="">{t("no value")}</option>}
          <Options type={argument.type} options={options} value={value} />
        </select>
      ) : (
        <Written isFolded={!!argument.items && text === undefined && !fault} isFixed={isFixed}>
          <input type="text" {...shared} placeholder={argument.is_optional ? t("no value") : undefined} onChange={(event) => onChange(event.target.value)} />
        </Written>
      )}
      {text !== undefined && (
        <span className="was" id={`${id}-was`}>
          {t("was")}{" "}{argument.text || t("without a value")}
        </span>
      )}
      {fault && (
        <span className="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}
