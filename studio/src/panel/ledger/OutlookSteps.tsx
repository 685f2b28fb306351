import type { AnswerOutlook, OutlookStep } from "../../api/types";
import { t, tx } from "../../i18n/t";
import "./ledger.css";

/** What an answer would do, step by step, and who else would have to agree. Dashed, for nothing of it has happened. */
export function OutlookSteps({ outlook }: { outlook: AnswerOutlook }) {
  const steps = outlook.steps ?? [];
  return (
    <div className="runs">
      <ol>
        {steps.map((step, at) => (
          <li key={at}>
            <span className="k" aria-hidden="true">
              {at + 1}
            </span>
            <b>{titleOf(step)}</b>
            <span className={step.approver ? "unk" : "lbl"}>{step.approver ? t("needs a yes of {who}, too", { who: step.approver }) : ""}</span>
            {step.detail && <p>{step.detail}</p>}
          </li>
        ))}
        {!steps.length && (
          <li>
            <span />
            <b>{outlook.text}</b>
          </li>
        )}
        {outlook.stops_at && (
          <li className="muted">
            <span />
            <span>{STOPS[outlook.stops_at]()}</span>
          </li>
        )}
      </ol>
    </div>
  );
}

const STOPS: Record<"model" | "tool" | "understanding", () => string> = {
  model: () => t("What follows depends on what the model replies."),
  tool: () => t("What follows depends on what the tool returns."),
  understanding: () => t("What follows depends on how the message is read."),
};

function titleOf({ kind, title }: OutlookStep) {
  switch (kind) {
    case "moves":
      return tx("Moves to {title}", { title });
    case "runs":
      return title;
    case "asks":
      return tx("Asks for a yes to {title}", { title });
    case "speaks":
      return tx("A model answers in {title}", { title });
    case "hands_over":
      return tx("Hands over to {title}", { title });
    case "ends":
      return tx("Ends: {title}", { title });
    case "refused":
      return title;
  }
}
