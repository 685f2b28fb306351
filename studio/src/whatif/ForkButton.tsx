import { useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { conversationRoute, navigate } from "../data/route";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";

/** Copies the conversation up to the end of a turn, and opens the copy. */
export function ForkButton({ id, turn }: { id: string; turn: number }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fork = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const made = await api.fork(id, { turn });
      navigate(conversationRoute(made.id));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="solid" icon="fork" onClick={() => void fork()} disabled={isBusy}>
        Fork from turn {turn}
      </Button>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
