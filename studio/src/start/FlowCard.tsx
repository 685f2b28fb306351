import type { FlowSummary } from "../api/types";
import { Link } from "../app/Link";
import { begin, openNew } from "../data/begin";
import { inWords } from "../data/names";
import { useRun } from "../data/run";
import { sendTurn } from "../data/sending";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Refusal } from "../ui/Refusal";
import { cardText } from "./cardText";
import { FlowPicture } from "./FlowPicture";
import { t, tx } from "../i18n/t";

/** How many lines a card offers. */
const LINES = 2;

/** A flow: what it is for, what it asks, and lines that begin a conversation with one press. */
export function FlowCard({ flow }: { flow: FlowSummary }) {
  const title = cardText(flow, flow.title || inWords(flow.name)).text;
  const [about, tries] = [cardText(flow, flow.description), cardText(flow, flow.tries ?? "")];
  const started = useRun(async () => openNew(await begin(flow.name)));
  const lines = flow.advice[0]?.lines.slice(0, LINES) ?? [];
  return (
    <article className="exc">
      <h3>
        <span>
          {title}
          <code className="tech">{flow.name}</code>
        </span>
        <FlowPicture flow={flow.name} />
      </h3>
      <p lang={about.lang}>{about.text}</p>
      {flow.tries && <p className="tries" lang={tries.lang}>{tries.text}</p>}
      {flow.asks && (
        <p className="asks">
          {t("asks")}{" "}<q>{flow.asks}</q>
        </p>
      )}
      <span className="fact tech">
        {flow.nodes} {flow.nodes === 1 ? t("node") : t("nodes")}{tx(", version {version}", { version: flow.version })}
      </span>
      {flow.errors > 0 && <span className="fact no">{flow.errors === 1 ? t("1 problem") : t("{errors} problems", { errors: flow.errors })}{" "}{t("in the file")}</span>}
      <div className="sendb">
        {lines.map((line) => (
          <Line key={line} flow={flow.name} text={line} />
        ))}
      </div>
      {started.problem && <Refusal problem={started.problem} />}
      <span className="try">
        <Button look={lines.length ? "plain" : "solid"} onClick={started.run} aria-disabled={started.isBusy}>
          {started.isBusy ? t("Beginning…") : t("Begin")}
          <span className="sr">{" "}{tx("a conversation with {title}", { title })}</span>
        </Button>
        <Link className="btn quiet" to={{ page: "flow", flow: flow.name }}>
          {t("See the flow")}<span className="sr"> {title}</span>
        </Link>
      </span>
    </article>
  );
}

/** A line that begins a conversation and is sent in it. */
function Line({ flow, text }: { flow: string; text: string }) {
  const { run, isBusy, problem } = useRun(async () => {
    const id = await begin(flow);
    void sendTurn(id, { text });
    openNew(id);
  });
  return (
    <>
      <button type="button" className="send" onClick={run} aria-disabled={isBusy}>
        <span>
          <span className="sr">{t("Begin and say:")}{" "}</span>
          {text}
        </span>
        <Icon name="send" />
      </button>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
