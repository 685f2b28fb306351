import type { ReactNode } from "react";
import type { DecisionView, EventRow, Failure, TurnTrace } from "../../api/types";
import { useTitles } from "../../data/titles";
import { Icon } from "../../ui/Icon";
import type { IconName } from "../../ui/icons";
import { asSentence } from "../format";
import { eventLine, ofServer } from "../../i18n/texts";
import { t, tx } from "../../i18n/t";

/** What a reader should know before the candidates: differences, failures, refused writes, another version. */
export function Notices({ trace, view }: { trace: TurnTrace; view: DecisionView | null }) {
  const decision = view?.decision;
  const mirror = decision?.mirror_disagrees;
  const titles = useTitles();
  return (
    <>
      {decision?.operator && (
        <Notice icon="person" title={t("{operator}, a person, decided.", { operator: decision.operator })} tone="plain">
          {decision.reason ? t("Reason: {reason}.", { reason: decision.reason }) : t("No reason was given.")}{" "}{t("The other outcomes are as the machine would have judged them.")}
        </Notice>
      )}
      {mirror && (
        <Notice icon="differs" title={t("Rules and code differ.")}>
          {tx("The rules say {rules}, the code chose", { rules: <b>{titles.node(mirror.rules)}</b> })}{" "}<b>{titles.node(mirror.code)}</b>.
        </Notice>
      )}
      {decision?.erased && (
        <Notice icon="unknown" title={t("Values of this decision were erased.")} tone="plain">
          {asSentence(decision.erased)}
        </Notice>
      )}
      {decision?.failure && <FailureNotice failure={decision.failure} />}
      {(decision?.nothing_set ?? []).map((event) => (
        <Notice key={event.field} icon="unknown" title={t("Nothing was set.")}>
          <b>{titles.field(event.field)}</b> {event.removed ? t("lost its value, because") : t("stays as it is, because")} <b>{event.missing.map(titles.field).join(", ")}</b> {event.missing.length === 1 ? t("is") : t("are")}{" "}{t("not known.")}
        </Notice>
      ))}
      <Problems trace={trace} />
      {trace.events.some((event) => event.kind === "turn_restarted") && (
        <Notice icon="undo" title={t("This turn was cut off, and was resumed.")} tone="plain">
          {t("What a model had said until then and was not stored was withdrawn. The time counts the pause.")}
        </Notice>
      )}
      {trace.is_other_version && (
        <Notice icon="flow" title={t("The flow has changed since.")} tone="plain">
          {tx("This turn used version {version} ({x}), and is explained with it.", { version: trace.version, x: <code>{trace.fingerprint.slice(0, 8)}</code> })}
        </Notice>
      )}
      {trace.is_erased && view && (
        <Notice icon="unknown" title={t("Values of this turn were erased.")} tone="plain">
          {t("Retention keeps the outcomes and drops the values.")}
        </Notice>
      )}
    </>
  );
}

type Tone = "warn" | "bad" | "plain";

interface Kind {
  title: string;
  icon: IconName;
}

const KINDS: Record<string, Kind> = {
  faulted: { title: t("failure"), icon: "error" },
  warned: { title: t("warning"), icon: "unknown" },
  command_refused: { title: t("refused"), icon: "not_reached" },
  call_refused: { title: t("refused"), icon: "not_reached" },
};

/** A failed turn, and below it failures, warnings and refusals, a line each. */
function Problems({ trace }: { trace: TurnTrace }) {
  const failed = trace.events.find((event) => event.kind === "failed");
  const problems = problemsOf(trace);
  return (
    <>
      {failed && (
        <Notice icon="error" title={t("The turn failed.")} tone="bad">
          {problemText(failed)}
        </Notice>
      )}
      {problems.length > 0 && (
        <ul className="marks" aria-label={t("Failures, warnings and refusals of the turn")}>
          {problems.map(({ event, kind }) => (
            <li key={event.seq}>
              <Icon name={kind.icon} />
              <span>
                <b>{kind.title}</b> <ProblemLine event={event} /> <span className="muted nowrap tech">{tx("seq {seq}", { seq: event.seq })}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The line of a problem. The code of a failure or a warning is a technical detail. */
function ProblemLine({ event }: { event: EventRow }) {
  const line = eventLine(event);
  const message = event.kind === "faulted" || event.kind === "warned" ? messageIn(line) : line;
  return (
    <span lang={line === event.line ? ofServer() : undefined}>
      {message !== line && <code className="tech">{line.slice(0, -message.length)}</code>}
      {message}
    </span>
  );
}

/** Returns the failures, warnings and refusals of a turn. A failure is shown once, not also as its warning. */
function problemsOf(trace: TurnTrace): { event: EventRow; kind: Kind }[] {
  const hasFailed = trace.events.some((event) => event.kind === "failed");
  const faults = new Set(trace.events.filter((event) => event.kind === "faulted").map(messageOf));
  const isRepeated = (event: EventRow) => (event.kind === "faulted" && hasFailed) || (event.kind === "warned" && faults.has(messageOf(event)));
  return trace.events.flatMap((event) => {
    const kind = KINDS[event.kind];
    return kind && !isRepeated(event) ? [{ event, kind }] : [];
  });
}

/** Returns the line of an event without its kind: `guard_error: f: TypeError` is `f: TypeError`. */
const messageIn = (line: string): string => line.slice(line.indexOf(": ") + 2);

const messageOf = ({ line }: EventRow): string => messageIn(line);

function problemText({ event, line }: EventRow): string {
  return event.type === "failed" ? `${event.reason}: ${event.message ?? ""}` : line;
}

function FailureNotice({ failure }: { failure: Failure }) {
  const subject = failure.tool || failure.subject || failure.transition;
  return (
    <Notice icon="error" title={t("What failed: {kind}{x}.", { kind: failure.kind, x: subject ? ` ${subject}` : "" })} tone="bad">
      {failure.reason}
      {failure.at && <code> {failure.at}</code>}
    </Notice>
  );
}

/** A short notice in the panel. */
export function Notice({ icon, title, tone = "warn", children }: { icon: IconName; title: string; tone?: Tone; children: ReactNode }) {
  return (
    <div className={`dis ${tone}`}>
      <Icon name={icon} />
      <span>
        <b>{title}</b> {children}
      </span>
    </div>
  );
}
