import { useState } from "react";
import { asProblem, type Problem } from "../api/problem";

/** An action that a press runs: whether it is running, and why it failed the last time. */
export type Run = { run: () => void; isBusy: boolean; problem: Problem | null };

/** Run an action one time at once: while it runs, a second press does nothing. */
export function useRun(action: () => Promise<void>): Run {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    action()
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setBusy(false));
  };
  return { run, isBusy, problem };
}
