import { useState, type FormEvent } from "react";
import { api } from "../api/calls";
import { keepKey, readKey } from "../api/key";
import { asProblem, Problem } from "../api/problem";
import type { Me } from "../api/types";
import { useMe } from "../data/hooks";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { Dialog } from "./Dialog";
import { t } from "../i18n/t";

const INVALID = new Problem(401, "invalid_key", t("This key is not valid"), t("A key is one word of letters, digits, - and _."));

/** What a key without a scope does not allow. */
const LACKS = { chat: t("it cannot talk"), "debug:read": t("decisions, values and prompts are not shown"), operator: t("you see your own conversations only, and cannot take over"), admin: t("records, timers and files cannot be changed") };

/** Enter the API key of this tab. The server is asked about a key before it is used. */
export function KeyDialog() {
  const me = useMe();
  const [key, setKey] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(readKey() ? me.problem : null);
  const [accepted, setAccepted] = useState<Me | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isAsking) return;
    const typed = key.trim();
    setProblem(null);
    if (!/^[\x21-\x7e]+$/.test(typed)) return setProblem(INVALID);
    setAsking(true);
    try {
      const found = await api.meWithKey(typed);
      keepKey(typed);
      if (lacking(found).includes("debug:read")) setAccepted(found);
      else location.reload();
    } catch (error) {
      setProblem(asProblem(error));
    }
    setAsking(false);
  };
  const now = accepted ?? me.data;
  return (
    <Dialog title={t("API key")} className="narrow" onClose={accepted ? () => location.reload() : undefined}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <p>{now ? t("You are {x}, with {x2}.", { x: now.owner || t("everybody"), x2: now.scopes.join(", ") }) : t("This server needs a key.")}{" "}{t("The key stays in this tab and is sent in a header only.")}</p>
        {now && lacking(now).map((scope) => (
          <p key={scope} role="status">
            {t("This key lacks the scope")}{" "}<code>{scope}</code>: {LACKS[scope]}.
          </p>
        ))}
        {problem && <Refusal problem={problem} />}
        {!accepted && (
          <label>
            <span>{t("Key")}</span>
            <input type="password" value={key} onChange={(event) => setKey(event.target.value)} autoComplete="off" spellCheck={false} aria-invalid={problem ? true : undefined} />
          </label>
        )}
        <div className="acts">
          {accepted ? (
            <Button look="solid" onClick={() => location.reload()}>
              {t("Continue")}
            </Button>
          ) : (
            <Button look="solid" type="submit" disabled={!key.trim()} aria-disabled={isAsking}>
              {t("Use this key")}
            </Button>
          )}
          {readKey() && (
            <Button
              look="quiet"
              onClick={() => {
                keepKey("");
                location.reload();
              }}
            >
              {t("Remove it")}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

const lacking = (me: Me) => (Object.keys(LACKS) as (keyof typeof LACKS)[]).filter((scope) => !me.scopes.includes(scope));
