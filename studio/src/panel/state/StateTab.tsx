import { formStatus } from "../../data/statusWords";
import { useSubjectWords } from "../../ask/subjects";
import { AskWhy } from "../../ask/AskWhy";
import type { ReactNode } from "react";
import type { StateView, TurnTrace } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { evaluationOf } from "../decision/candidates";
import { valueText } from "../format";
import { Block } from "./Block";
import { FieldTable, fieldsByScope } from "./FieldTable";
import { FormProgress } from "./FormProgress";
import { ItemTable } from "./ItemTable";
import { countText, isItemList } from "./items";
import { InnerConversations } from "./InnerConversations";
import { Stack, stackWords } from "./Stack";
import { Timers } from "./Timers";
import { useTitles } from "../../data/titles";
import { t } from "../../i18n/t";

/** The state at the end of the turn: stack, fields, form, question, timers, tools, and the fields as JSON. */
export function StateTab({ trace }: { trace: TurnTrace }) {
  const { state } = trace;
  return (
    <>
      <Block title={t("Stack")} about={stackWords(state)}>
        <Stack state={state} />
      </Block>
      <Block title={t("Fields")} about={t("turn {turn}; a bar marks what this turn changed", { turn: state.turn })} action={<CopyButton label={t("Copy the state as JSON")} text={() => state} />}>
        <FieldTable state={state} />
      </Block>
      {fieldsByScope(state)
        .flatMap(([, values]) => values)
        .filter(isItemList)
        .map((value) => (
          <Block key={value.field} title={value.title} about={countText(value)}>
            <ItemTable value={value} turn={state.turn} />
          </Block>
        ))}
      {state.form && (
        <Block title={t("Form")} about={`${formStatus(state.form.status)}, ${state.form.progress} %`}>
          <FormProgress form={state.form} values={state.values} />
        </Block>
      )}
      <InnerConversations turn={state.turn} />
      <Waits state={state} />
      <Timers state={state} />
      <Counts title={t("Visits")} kind="node" counts={state.visits} empty={t("No node was visited yet.")} />
      <Counts title={t("Tools used")} kind="tool" counts={state.tools} empty={t("No tool was used.")} />
      <Collected trace={trace} />
    </>
  );
}

/** What the conversation waits for: its status, an open question, a planned move, an approval. */
function Waits({ state }: { state: StateView }) {
  const { status } = state;
  const titles = useTitles();
  const words = useSubjectWords();
  const rows: [string, ReactNode][] = [
    [
      t("status"),
      <AskWhy key="status" subject={status["type"] === "ended" ? "the end" : "the conversation"}>
        <Status status={status} />
      </AskWhy>,
    ],
  ];
  if (state.question)
    rows.push([
      t("question"),
      <AskWhy key="question" subject="the question" stands>
        {words(state.question)}
      </AskWhy>,
    ]);
  if (state.pending)
    rows.push([
      t("planned move"),
      <AskWhy key="pending" subject={`transition ${state.pending}`}>
        {titles.transition(state.pending)}
      </AskWhy>,
    ]);
  if (state.awaiting_approval) rows.push([t("approval"), <code key="approval">{valueText(state.awaiting_approval)}</code>]);
  if (state.errors) rows.push([t("failures"), state.errors]);
  rows.push([t("time zone"), t("{zone}, language {language}", { zone: state.time_zone || "UTC", language: state.language || "en" })]);
  return (
    <Block title={t("Status")}>
      <dl className="kv flat">
        {rows.map(([term, value]) => (
          <Row key={term} term={term}>
            {value}
          </Row>
        ))}
      </dl>
    </Block>
  );
}

const WAITED: Record<string, string> = { user: t("a message"), message: t("a message"), button: t("a button"), person: t("a person"), model: t("the model"), tool: t("a tool") };

const ENDS: Record<string, string> = { ended: t("ended"), failed: t("failed") };

function Status({ status }: { status: Record<string, unknown> }) {
  const kind = String(status["type"] ?? "");
  const rest = status["what"] ?? status["outcome"] ?? status["reason"] ?? "";
  const message = status["message"] ? `: ${String(status["message"])}` : "";
  if (kind === "waiting") return <>{t("waits for")}{" "}{WAITED[String(rest)] ?? String(rest)}</>;
  return (
    <>
      {ENDS[kind] ?? kind} <b>{String(rest).replaceAll("_", " ")}</b>
      {message}
    </>
  );
}

function Counts({ title, kind, counts, empty }: { title: string; kind: "node" | "tool"; counts: Record<string, number>; empty: string }) {
  const titles = useTitles();
  const rows = Object.entries(counts);
  return (
    <Block title={title}>
      {rows.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <dl className="kv flat">
          {rows.map(([name, count]) => (
            <Row
              key={name}
              term={
                <AskWhy subject={`${kind} ${name}`}>
                  {kind === "node" ? <span title={name}>{titles.node(name)}</span> : <code>{name}</code>}
                </AskWhy>
              }
            >
              {count}
            </Row>
          ))}
        </dl>
      )}
    </Block>
  );
}

function Row({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The fields and the other values that the candidates read, as the debug stream sends them. */
function Collected({ trace }: { trace: TurnTrace }) {
  const last = trace.decisions.at(-1);
  if (!last) return null;
  const { collectedFields, contextSnapshot } = evaluationOf(last);
  if (!collectedFields) return null;
  return (
    <div className="tech">
      <JsonBlock title={t("collectedFields")} data={collectedFields} />
      {Object.keys(contextSnapshot ?? {}).length > 0 && <JsonBlock title={t("contextSnapshot")} data={contextSnapshot} />}
    </div>
  );
}

function JsonBlock({ title, data }: { title: string; data: unknown }) {
  return (
    <Block title={title} about={t("as the debug stream sends them")} action={<CopyButton label={t("Copy {title} as JSON", { title })} text={() => data} />}>
      <pre className="code json" tabIndex={0} role="region" aria-label={title}>
        {JSON.stringify(data, null, 2)}
      </pre>
    </Block>
  );
}
