import type { Problem } from "../api/problem";
import { invalidate } from "../data/resource";
import { Icon } from "./Icon";
import { t } from "../i18n/t";

/** An error in words where the action was: what, why, what to do, and the code. */
export function Refusal({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  return (
    <div className="refusal" role="alert">
      <Icon name="error" />
      <div>
        <b>{problem.title}</b>
        {problem.detail && <p>{problem.detail}</p>}
        {problem.hint && <p>{problem.hint}</p>}
        <p className="muted">
          <code>{problem.code}</code>
        </p>
        {onRetry && (
          <button type="button" className="btn" onClick={onRetry}>
            {t("Try again")}
          </button>
        )}
      </div>
    </div>
  );
}

/** An error of something that was to be shown: *Try again* loads everything whose key begins with `loads`. */
export function LoadRefusal({ problem, loads }: { problem: Problem; loads: string }) {
  return <Refusal problem={problem} {...(problem.mayPass ? { onRetry: () => invalidate(loads) } : {})} />;
}
