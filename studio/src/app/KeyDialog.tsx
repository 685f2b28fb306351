import { useState, type FormEvent } from "react";
import { keepKey } from "../api/key";
import { invalidate } from "../data/resource";
import { setLayout } from "../data/layout";
import { useMe } from "../data/hooks";
import { Button } from "../ui/Button";
import { Dialog } from "./Dialog";

/** Enter the API key of this tab. */
export function KeyDialog() {
  const me = useMe();
  const [key, setKey] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keepKey(key.trim());
    for (const kind of ["me", "flows", "flow", "trace", "timeline"]) invalidate(kind);
    setLayout({ dialog: null });
    location.reload();
  };
  return (
    <Dialog title="API key" className="narrow">
      <form className="fields" onSubmit={submit}>
        <p>
          {me.problem?.status === 401 ? "This server wants a key. " : me.data ? `You are ${me.data.owner || "everybody"}, with ${me.data.scopes.join(", ")}. ` : ""}
          The key stays in this tab and is sent in a header only.
        </p>
        <label>
          <span>Key</span>
          <input type="password" value={key} onChange={(event) => setKey(event.target.value)} autoComplete="off" spellCheck={false} />
        </label>
        <div className="acts">
          <Button look="solid" type="submit" disabled={!key.trim()}>
            Use this key
          </Button>
          <Button
            look="quiet"
            onClick={() => {
              keepKey("");
              location.reload();
            }}
          >
            Remove it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
