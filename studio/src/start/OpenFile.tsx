import { useEffect, useRef, useState, type FormEvent } from "react";
import { asProblem, type Problem } from "../api/problem";
import { openFile } from "../app/files";
import { openNew } from "../data/begin";
import { useScope } from "../data/hooks";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { t } from "../i18n/t";

/** Open an exported conversation. If its name is taken here, it asks for another one. */
export function OpenFile() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [name, setName] = useState("");
  const isAdmin = useScope("admin");
  const isTaken = problem?.code === "conversation_exists";
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => (isTaken && field.current ? keptInView(field.current) : undefined), [isTaken]);
  const open = async (chosen: File, as?: string) => {
    setProblem(null);
    setFile(chosen);
    try {
      openNew((await openFile(chosen, as)).id);
    } catch (error) {
      setProblem(asProblem(error));
      if (!as) setName(`${chosen.name.replace(/\.\w+$/, "")}-copy`);
    }
  };
  const choose = (chosen: File | undefined) => {
    if (chosen) void open(chosen);
    if (input.current) input.current.value = "";
  };
  const openAs = (event: FormEvent) => {
    event.preventDefault();
    if (file && name.trim()) void open(file, name.trim());
  };
  return (
    <section aria-labelledby="from-file">
      <h2 id="from-file">{t("Open a conversation from a file")}</h2>
      <p className="soft">{t("An exported file contains its flow. Inspect it, fork it, or save it as a scenario.")}</p>
      <input ref={input} type="file" accept=".jsonl,.json,application/x-ndjson,application/json" hidden onChange={(event) => choose(event.target.files?.[0])} />
      <Button disabled={!isAdmin} onClick={() => input.current?.click()}>
        {t("Choose a file")}
      </Button>
      {!isAdmin && (
        <p className="muted">
          {t("This needs a key with the scope")}{" "}<code>{t("admin")}</code>.
        </p>
      )}
      {problem && <Refusal problem={problem} />}
      {isTaken && (
        <form className="open-as" onSubmit={openAs}>
          <input ref={field} type="text" autoFocus aria-label={t("Another name for the conversation")} value={name} maxLength={120} onChange={(event) => setName(event.target.value)} />
          <Button type="submit" disabled={!name.trim()}>
            {t("Open under this name")}
          </Button>
        </form>
      )}
    </section>
  );
}

/** Keep a field that has the focus in view while what stands above it is still loading. */
function keptInView(field: HTMLElement): () => void {
  const watch = new ResizeObserver(() => {
    if (document.activeElement === field) field.scrollIntoView({ block: "nearest" });
  });
  for (let part: HTMLElement | null = field; part; part = part.parentElement) watch.observe(part);
  return () => watch.disconnect();
}
