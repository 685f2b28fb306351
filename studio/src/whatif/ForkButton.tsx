import { useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { openNew } from "../data/begin";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";

/** Copies the conversation up to the end of a turn, and opens the copy. */
export function ForkButton({ id, turn }: { id: string; turn: number }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fork = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      openNew((await api.fork(id, { turn })).id);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="solid" icon="fork" onClick={() => void fork()} aria-disabled={isBusy}>
        Fork from turn {turn}
      </Button>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
