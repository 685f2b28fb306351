// The panel of the person in charge: what was agreed, what would happen, and giving back.

import { useMemo, useRef } from "react";
import type { ConversationSummary, FlowPage, GiveBackPreview, ValueView } from "../api/types";
import { useAction } from "../data/actions";
import { addressOf } from "../graph/level";
import { Button } from "../ui/Button";
import { Loading } from "../ui/Loading";
import { Refusal } from "../ui/Refusal";
import { changed, inputOf, needsOutcome, previewWords, splitFields } from "./draft";
import { EndForm } from "./EndForm";
import { useTitles } from "../data/titles";
import { FieldTable } from "./FieldTable";
import { giveBack, prepare, usePrepared } from "./giveBack";
import { OutcomeChoice } from "./OutcomeChoice";
import { Outlook } from "./Outlook";
import { usePreview } from "./usePreview";
import { t, tx } from "../i18n/t";

interface Props {
  readonly summary: ConversationSummary;
  readonly operator: string;
  readonly page: FlowPage;
  readonly values: readonly ValueView[];
}

/** Everything that the person in charge may do but speak. */
export function InCharge({ summary, operator, page, values }: Props) {
  const { draft, isBusy, problem } = usePrepared(summary.id);
  const solid = useRef<HTMLDivElement>(null);
  const fields = useMemo(() => new Map(page.fields.map((field) => [field.name, field])), [page.fields]);
  const types = useMemo(() => new Map(page.fields.map((field) => [field.name, field.type])), [page.fields]);
  const { preview, problem: unjudged, isOld } = usePreview(summary.id, inputOf(draft, types, operator), summary.seq);
  useAction("take-over", () => solid.current?.querySelector("button")?.focus());
  const faults = new Map((preview?.faults ?? []).map((fault) => [fault.at.replace("/set/", ""), fault.message]));
  const { first, others } = splitFields(values, page.fields, namedFields(page, summary.node, preview));
  const change = (value: ValueView, text: string) => prepare(summary.id, { changes: changed(draft.changes, value, text) });
  const finish = (end = "") => void giveBack(summary.id, inputOf(draft, types, operator, end));
  const outcomes = preview?.outcomes ?? [];
  const isOpen = needsOutcome(draft, outcomes);
  const titles = useTitles();
  const table = { fields, changes: draft.changes, faults, onChange: change };
  return (
    <>
      <Verdict preview={isOpen ? null : preview} node={summary.node} chosen={draft.transition} isBusy={isBusy} />
      <div className="opside">
        <section aria-label={t("What was agreed")}>
          <h3 className="label">{t("What was agreed")}</h3>
          <FieldTable values={first} {...table} />
          {others.length > 0 && (
            <details className="otherfields">
              <summary>{tx("Other fields ({length})", { length: others.length })}</summary>
              <FieldTable values={others} {...table} />
            </details>
          )}
          <p className="muted small">{tx("Validated like every other value. The trace records {operator} as the origin.", { operator })}</p>
        </section>
        {outcomes.length > 0 && (
          <section aria-label={t("Outcome")}>
            <h3 className="label" id="give-back-outcome">
              {t("What came of it")}
            </h3>
            <div className="choice">
              <OutcomeChoice id={summary.id} outcome={draft.outcome} known={outcomes} aria-labelledby="give-back-outcome" />
            </div>
            <p className="muted small">
              {tx("The rules of {node} read it as", { node: titles.node(summary.node) })}{" "}<code>{t("person.outcome")}</code>.
            </p>
          </section>
        )}
        <section aria-label={t("What would happen")} aria-busy={isOld}>
          <h3 className="label">{t("What would happen")}</h3>
          {isOpen ? <p className="muted small">{t("It can be judged when you have chosen what came of it.")}</p> : preview && !preview.refused ? <Outlook preview={preview} /> : !preview && !unjudged ? <Loading label={t("Judging")} shape={[28, 28]} /> : <p className="muted small">{t("It can be judged when every value is accepted.")}</p>}
          {unjudged && <Refusal problem={unjudged} />}
        </section>
        <section aria-label={t("Choose a transition")}>
          <h3 className="label" id="give-back-transition">
            {t("Or choose a transition yourself")}
          </h3>
          <div className="choice">
            <select aria-labelledby="give-back-transition" value={draft.transition} onChange={(event) => prepare(summary.id, { transition: event.target.value })}>
              <option value="">{t("as the rules decide")}</option>
              {(preview?.transitions ?? []).map((one) => (
                <option key={one.name} value={one.name}>
                  {[one.target ? `→ ${titles.node(one.target)}` : "", one.because || titles.transition(one.name)].filter(Boolean).join(" ")}
                </option>
              ))}
            </select>
            <input type="text" aria-label={t("Reason, shown in the trace")} placeholder={t("Reason, shown in the trace")} value={draft.reason} maxLength={400} onChange={(event) => prepare(summary.id, { reason: event.target.value })} />
          </div>
        </section>
        <div className="acts" ref={solid}>
          <Button look="solid" disabled={isOpen || Boolean(preview?.refused)} aria-disabled={isBusy} onClick={() => finish()}>
            {isBusy ? t("Giving back") : t("Save and give back")}
          </Button>
          <EndForm page={page} isBusy={isBusy} onEnd={finish} />
        </div>
        {problem && <Refusal problem={problem} />}
      </div>
    </>
  );
}

/** What giving back would do, as the headline of the panel. */
function Verdict({ preview, node, chosen, isBusy }: { preview: GiveBackPreview | null; node: string; chosen: string; isBusy: boolean }) {
  const titles = useTitles();
  if (isBusy) {
    return (
      <div className="verdict">
        <h2>{t("Giving back")}</h2>
        <p>{t("The machine goes on as soon as the values are stored.")}</p>
      </div>
    );
  }
  if (!preview) {
    return (
      <div className="verdict">
        <h2>{t("You are in charge")}</h2>
      </div>
    );
  }
  const words = previewWords(preview, node, chosen, titles.node);
  return (
    <div className="verdict" aria-live="polite">
      <h2>
        {[words.head, words.node].filter(Boolean).join(" ")}
        {words.tail && ` ${words.tail}`}
      </h2>
      <p>
        {words.move && (
          <>
            {t("With the values below:")}{" "}<b>{words.move}</b>.{" "}
          </>
        )}
        {words.rest}
      </p>
    </div>
  );
}

/** The fields that the node collects, and those that its candidates read. */
function namedFields(page: FlowPage, node: string, preview: GiveBackPreview | null): Set<string> {
  const named = new Set<string>();
  const collected = page.graph.nodes.find((one) => addressOf(one) === node)?.fields ?? [];
  const recordOf = (field: string) => field.slice(0, field.lastIndexOf("."));
  const records = new Set(page.fields.map((field) => recordOf(field.name)));
  for (const name of collected) {
    if (records.has(name)) page.fields.filter((field) => recordOf(field.name) === name).forEach((field) => named.add(field.name));
    else named.add(name);
  }
  for (const decision of preview?.decisions ?? []) {
    if (decision.node !== node) continue;
    for (const candidate of decision.candidates ?? []) for (const field of candidate.missing ?? []) named.add(field);
  }
  return named;
}
