import "./flow.css";
import { useMemo, useState } from "react";
import type { Problem } from "../api/problem";
import type { FlowPage as Page } from "../api/types";
import { useNow } from "../app/clock";
import { span } from "../app/words";
import { begin, openNew } from "../data/begin";
import { useFlow, useScope } from "../data/hooks";
import { inWords } from "../data/names";
import { useRun } from "../data/run";
import type { Selection } from "../graph/context";
import { focusOnLevel } from "../graph/Levels";
import { Button } from "../ui/Button";
import { copyText } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { LoadRefusal, Refusal } from "../ui/Refusal";
import { CheckPage } from "./CheckPage";
import { ScheduleInputs } from "../time/ScheduleInputs";
import { Coverage, Parked, Problems, Transitions } from "./Side";
import { showPlace } from "../source/place";
import { placedParts, type PlacedPart } from "../source/places";
import { FlowDrawing } from "./FlowDrawing";
import { FlowSource, showPart, usePlaceOfAddress } from "./FlowSource";
import { t, tx } from "../i18n/t";

/** On the phone, what the column says about the flow is a view of its own. */
type View = "about" | "source" | "drawing";

const isNarrow = () => matchMedia("(max-width: 760px)").matches;

/** The page of a flow: source with diagnostics, drawing, parked conversations, coverage. */
export function FlowPage({ flow }: { flow: string }) {
  const { data: page, problem } = useFlow(flow);
  const [view, setView] = useState<View>(isNarrow() ? "about" : "source");
  const [code, setCode] = useState("");
  const [selection, setSelection] = useState<Selection | null>(null);
  const [scope, setScope] = useState("");
  const parts = useMemo(() => (page ? placedParts(page) : []), [page]);
  usePlaceOfAddress(flow, page?.flow.file, () => setView("source"));
  if (!page) return problem ? <Refused problem={problem} flow={flow} /> : <Loading label={t("Loading {flow}", { flow })} />;
  const hasSource = page.source !== null && page.source !== undefined;
  const shown = !hasSource && view === "source" ? "drawing" : view;
  const goTo = (file: string, line: number) => {
    setView("source");
    showPlace(page.flow.name, file, line, true);
  };
  const selectPart = (part: PlacedPart | null) => {
    setSelection(part?.selection ?? null);
    if (part) setScope(part.scope);
  };
  const select = (next: Selection | null) => {
    setSelection(next);
    if (next && shown === "source") showPart(page, parts, next, scope);
  };
  const enter = (next: string) => {
    setSelection(null);
    setScope(next);
    focusOnLevel();
  };
  const drawing = { page, selection, scope, onSelect: select, onEnter: enter };
  return (
    <div className="flowpage" data-view={shown}>
      <section className="fsrc" aria-label={shown === "drawing" ? t("Drawing") : t("Source")}>
        <Head page={page} view={shown} onView={setView} hasSource={hasSource} />
        {page.flow.errors > 0 && <Broken page={page} />}
        {shown === "drawing" && <FlowDrawing {...drawing} />}
        {shown !== "drawing" && hasSource && <FlowSource page={page} selection={selection} scope={scope} onPart={selectPart} onCode={setCode} />}
      </section>
      <section className="fside" aria-label={t("About this flow")} tabIndex={0}>
        {code && <CheckPage code={code} onClose={() => setCode("")} />}
        {shown === "source" && !isNarrow() && <FlowDrawing {...drawing} isBeside />}
        {hasSource ? <Problems page={page} onLine={goTo} onCode={setCode} /> : <NoSource page={page} />}
        <Parked page={page} />
        <ScheduleInputs flow={page.flow.name} />
        {page.coverage && <Coverage page={page} />}
        {Boolean(page.coverage?.conversations) && <Transitions page={page} />}
      </section>
    </div>
  );
}

function Refused({ problem, flow }: { problem: Problem; flow: string }) {
  return (
    <div className="wrap">
      <h1 className="sr">{flow}</h1>
      <LoadRefusal problem={problem} loads="flow:" />
    </div>
  );
}

function NoSource({ page }: { page: Page }) {
  const canDebug = useScope("debug:read");
  if (canDebug) {
    return (
      <div className="blk">
        <h2>{t("Source")}</h2>
        <p className="muted">{page.flow.file ? t("The file {file} cannot be read now.", { file: page.flow.file }) : t("A program made this flow: there is no file to show.")}</p>
      </div>
    );
  }
  return (
    <div className="blk">
      <h2>{t("Source")}</h2>
      <p className="muted">
        {t("Source, problems and coverage need the scope")}{" "}<code>debug:read</code>.
      </p>
    </div>
  );
}

function Head({ page, view, onView, hasSource }: { page: Page; view: View; onView: (view: View) => void; hasSource: boolean }) {
  const { flow } = page;
  const problems = flow.errors + flow.warnings;
  return (
    <div className="fhead">
      <h1>{flow.title || inWords(flow.name)}</h1>
      <code className="tech muted">{flow.name}</code>
      <span className="tag">{tx("version {version}", { version: flow.version })}</span>
      {problems > 0 && (
        <span className={flow.errors ? "tag bad" : "tag wait"}>
          <Icon name="error" />
          {problems} {problems === 1 ? t("problem") : t("problems")}
        </span>
      )}
      {page.saved_ms ? <Saved at={page.saved_ms} /> : null}
      <span className="grow" />
      <span className="seg" role="group" aria-label={t("What to show")}>
        <button type="button" className="onlyphone" aria-pressed={view === "about"} onClick={() => onView("about")}>
          {t("About")}
        </button>
        {hasSource && (
          <button type="button" aria-pressed={view === "source" || (view === "about" && !isNarrow())} onClick={() => onView("source")}>
            {t("Source")}
          </button>
        )}
        <button type="button" aria-pressed={view === "drawing"} onClick={() => onView("drawing")}>
          {t("Drawing")}
        </button>
      </span>
      <Begin flow={flow.name} />
      {flow.file && (
        <Button look="quiet" className="hw" onClick={() => void copyText(flow.file)}>
          {t("Copy path")}
        </Button>
      )}
    </div>
  );
}

function Saved({ at }: { at: number }) {
  const now = useNow(5000);
  return <span className="muted hw saved">{tx("saved {now} ago", { now: span(now - at) })}</span>;
}

function Broken({ page }: { page: Page }) {
  const { flow } = page;
  const count = Object.values(page.parked).reduce((sum, waiting) => sum + waiting, 0);
  return (
    <div className="banner broken" role="status">
      <Icon name="error" />
      <span>
        <b>{t("This file has errors.")}</b>{" "}
        {count > 0 ? t("{count} {x} on version ", { count, x: count === 1 ? t("conversation continues") : t("conversations continue") }) : t("New conversations start on version ")}
        <code>{flow.fingerprint.slice(0, 8)}</code>
        {count > 0 ? t("; new ones start on it, too.") : "."}
      </span>
    </div>
  );
}

/** Begin a conversation with the flow of this page. */
function Begin({ flow }: { flow: string }) {
  const { run, isBusy, problem } = useRun(async () => openNew(await begin(flow)));
  return (
    <>
      <Button look="solid" className="hw" onClick={run} aria-disabled={isBusy}>
        {isBusy ? t("Beginning…") : t("Begin a conversation")}
      </Button>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
