import { useState, type FormEvent } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { PeriodInputView, ScheduleView } from "../api/types";
import { useScope } from "../data/hooks";
import { invalidate, useResource } from "../data/resource";
import { dateTimeText } from "../panel/format";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";
import { inputOf, type InputDraft } from "./inputs";
import "./time.css";
import { inWords } from "../data/names";
import { t } from "../i18n/t";

/** The schedules of a flow: when each is due, what it does, and its inputs by period, which an admin can set. */
export function ScheduleInputs({ flow }: { flow: string }) {
  const canDebug = useScope("debug:read");
  const { data } = useResource(canDebug ? `schedules:${flow}` : null, () => api.schedules(flow));
  if (!data?.length) return null;
  return (
    <section className="blk schedules" aria-label={t("Schedules")}>
      <h2>{t("Schedules")}{" "}<small>{t("inputs by period, for all conversations")}</small></h2>
      {data.map((one) => (
        <Schedule key={one.name} flow={flow} schedule={one} />
      ))}
    </section>
  );
}

function Schedule({ flow, schedule }: { flow: string; schedule: ScheduleView }) {
  const mayEdit = useScope("admin") && schedule.scope !== "";
  const [draft, setDraft] = useState<InputDraft | null>(null);
  return (
    <section aria-label={inWords(schedule.name)} data-schedule={schedule.name}>
      <h3>
        <b>{inWords(schedule.name)}</b>
      </h3>
      <p className="soft">
        {schedule.does}, {schedule.rhythm}
      </p>
      {schedule.inputs.length > 0 && (
        <table className="st" aria-label={t("Inputs of {name}", { name: inWords(schedule.name) })}>
          <thead>
            <tr>
              <th scope="col">{t("period")}</th>
              <th scope="col">{t("input")}</th>
              <th scope="col">{t("from")}</th>
              {mayEdit && (
                <th scope="col">
                  <span className="sr">{t("Change")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {schedule.inputs.map((one) => (
              <tr key={one.period}>
                <td>{one.period}</td>
                <td className="v">{JSON.stringify(one.input)}</td>
                <td>{fromWords(one)}</td>
                {mayEdit && (
                  <td>
                    <Button look="quiet" onClick={() => setDraft({ period: one.period, text: JSON.stringify(one.input, null, 2), isSet: one.is_set })} aria-label={t("Edit {period} of {name}", { period: one.period, name: inWords(schedule.name) })}>
                      {t("Edit")}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayEdit && !draft && (
        <Button onClick={() => setDraft({ period: "", text: JSON.stringify(Object.fromEntries(schedule.takes.map((name) => [name, ""])), null, 2), isSet: false })} aria-label={t("Add an input of {name}", { name: inWords(schedule.name) })}>
          {t("Add an input")}
        </Button>
      )}
      {draft && <Editor flow={flow} schedule={schedule} draft={draft} onChange={setDraft} />}
    </section>
  );
}

const fromWords = ({ is_set, by, at_ms }: PeriodInputView): string => (is_set ? `set${by ? t(" by {by}", { by }) : ""}${at_ms === null ? "" : `, ${dateTimeText(at_ms)}`}` : t("the flow"));

function Editor({ flow, schedule, draft, onChange }: { flow: string; schedule: ScheduleView; draft: InputDraft; onChange: (draft: InputDraft | null) => void }) {
  const [problem, setProblem] = useState<Problem | string | null>(null);
  const put = (input: Record<string, unknown> | null) => {
    setProblem(null);
    api
      .setScheduleInput(flow, schedule.name, draft.period.trim(), input)
      .then(() => {
        invalidate(`schedules:${flow}`);
        onChange(null);
      })
      .catch((error: unknown) => setProblem(asProblem(error)));
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const read = inputOf(draft);
    if ("problem" in read) setProblem(read.problem);
    else put(read.input);
  };
  return (
    <form className="input-form" onSubmit={save} aria-label={t("Input of {name}", { name: inWords(schedule.name) })}>
      <label>
        {t("Period: a day, an ISO week (2026-W46), a month (2026-11), a year, or default")}
        <input type="text" value={draft.period} required autoFocus={!draft.period} onChange={(event) => onChange({ ...draft, period: event.target.value })} />
      </label>
      <label>
        {t("Input, as JSON")}{schedule.takes.length > 0 && `: ${schedule.takes.join(", ")}`}
        <textarea rows={Math.min(12, draft.text.split("\n").length + 1)} spellCheck={false} value={draft.text} onChange={(event) => onChange({ ...draft, text: event.target.value })} />
      </label>
      {typeof problem === "string" ? (
        <p className="fault" role="alert">
          {problem}
        </p>
      ) : (
        problem && <Refusal problem={problem} />
      )}
      <div>
        <Button look="solid" type="submit">
          {t("Set for all conversations")}
        </Button>
        {draft.isSet && <Button onClick={() => put(null)}>{t("Take away")}</Button>}
        <Button look="quiet" onClick={() => onChange(null)}>
          {t("Cancel")}
        </Button>
      </div>
    </form>
  );
}
