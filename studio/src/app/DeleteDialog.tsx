import { useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { announce } from "../data/announce";
import { drop } from "../data/conversations";
import { useConversationId } from "../data/hooks";
import { setLayout } from "../data/layout";
import { removeSummary } from "../data/list";
import { navigate } from "../data/route";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";

/** Delete the open conversation for good, after its name was typed. */
export function DeleteDialog() {
  const id = useConversationId();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  if (id === null) return null;
  const forget = async () => {
    try {
      await api.forget(id);
      setLayout({ dialog: null });
      navigate({ page: "start" });
      drop(id);
      removeSummary(id);
      announce(`${id} was deleted for good`);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={`Delete ${id} for good`} className="narrow">
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === id) void forget();
        }}
      >
        <p>Every event, message and value of this conversation is removed from the store. Nobody can undo this.</p>
        <label>
          <span>
            Type <code>{id}</code> to confirm
          </span>
          <input type="text" value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </label>
        {problem && <Refusal problem={problem} />}
        <div className="acts">
          <Button type="submit" className="danger" disabled={typed !== id}>
            Delete for good
          </Button>
          <Button look="quiet" onClick={() => setLayout({ dialog: null })}>
            Keep it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
