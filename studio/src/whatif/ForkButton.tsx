import { api } from "../api/calls";
import { openNew } from "../data/begin";
import { useRun } from "../data/run";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { tx } from "../i18n/t";

/** Copies the conversation up to the end of a turn, and opens the copy. */
export function ForkButton({ id, turn }: { id: string; turn: number }) {
  const { run, isBusy, problem } = useRun(async () => openNew((await api.fork(id, { turn })).id));
  return (
    <>
      <Button look="solid" icon="fork" onClick={run} aria-disabled={isBusy}>
        {tx("Fork from turn {turn}", { turn })}
      </Button>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
