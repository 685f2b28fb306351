// What a check means: its page of the documentation, which is part of the studio.

import { useEffect, useState } from "react";
import { Button } from "../ui/Button";
import { CheckText } from "./CheckText";
import { t, tx } from "../i18n/t";

type Loaded = { code: string; text: string } | null;

/** The page about a code, above the rest of the column. */
export function CheckPage({ code, onClose }: { code: string; onClose: () => void }) {
  const [loaded, setLoaded] = useState<Loaded>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    setFailed(false);
    fetchPage(code).then(
      (text) => isCurrent && setLoaded({ code, text }),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [code]);
  return (
    <section className="blk checkpage" aria-label={t("About {code}", { code })}>
      <header>
        <h2>
          <code>{code}</code>
        </h2>
        <Button look="quiet" icon="close" label={t("Close the page about {code}", { code })} onClick={onClose} />
      </header>
      {hasFailed && <p className="muted">{tx("This server has no page about {code}.", { code })}</p>}
      {loaded?.code === code && <CheckText text={loaded.text} />}
    </section>
  );
}

async function fetchPage(code: string): Promise<string> {
  const answer = await fetch(new URL(`checks/${encodeURIComponent(code)}.md`, document.baseURI));
  const type = answer.headers.get("content-type") ?? "";
  if (!answer.ok || type.includes("html")) throw new Error(t("no page about {code}", { code }));
  return (await answer.text()).replace(/^# \w+: /, "# ");
}
