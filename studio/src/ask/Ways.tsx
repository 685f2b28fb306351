import { useState, type ReactNode } from "react";
import { api, type TurnInput } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { Fact } from "../api/types";
import { Link } from "../app/Link";
import { useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { useTitles } from "../data/titles";
import { conversationRoute, navigate } from "../data/route";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Refusal } from "../ui/Refusal";
import { AskName } from "./AskWhy";
import { FactText, type Frame } from "./FactLine";
import { t, tx } from "../i18n/t";

type Act = { kind: string; text: string; event: Record<string, unknown> };

/** The shortest ways to a node as steps, each of which can be tried in a copy of the conversation. */
export function Ways({ id, facts, turn, heading }: { id: string; facts: readonly Fact[]; turn: number; heading: (words: ReactNode) => ReactNode }) {
  const titles = useTitles();
  const ways = facts.filter((fact) => fact.kind === "way");
  const target = String(ways[0]?.values?.["target"]);
  const least = Math.min(...ways.map((way) => actsOf(way).length));
  return (
    <>
      {heading(
        <>
          {least === 0 ? t("The conversation is there already") : least === 1 ? t("One step leads to ") : t("{least} steps lead to ", { least })}
          {least > 0 && <code>{titles.node(target)}</code>}
        </>,
      )}
      <p className="muted">{tx("From the end of turn {turn}. The machine ran each way on a copy of the state: no model and no tool was called.", { turn })}</p>
      <ol className="ways" aria-label={t("Ways to {target}", { target })}>
        {ways.map((way, at) => (
          <li key={at}>
            <Way id={id} fact={way} turn={turn} target={target} />
          </li>
        ))}
      </ol>
    </>
  );
}

const NOWHERE: Frame = { subject: { kind: "conversation" }, turn: 0 };

type Progress = { done: number; copy: string | null; problem: Problem | null };

function Way({ id, fact, turn, target }: { id: string; fact: Fact; turn: number; target: string }) {
  const acts = actsOf(fact);
  const titles = useTitles();
  const inputs = acts.map((act) => inputOf(act.event));
  const mayFire = useScope("admin");
  const [progress, setProgress] = useState<Progress | null>(null);
  const isRunning = progress !== null && !progress.problem;
  const blocked = inputs.findIndex((input) => input === null || ("timer" in input && !mayFire));
  const run = async () => {
    let copy: string | null = null;
    let done = 0;
    try {
      setProgress({ done, copy, problem: null });
      copy = (await api.fork(id, { turn })).id;
      for (const input of inputs) {
        if (input) await api.take(copy, input, `way-${done}`);
        setProgress({ done: ++done, copy, problem: null });
      }
      setLayout({ pane: "chat" });
      navigate(conversationRoute(copy));
    } catch (error) {
      setProgress({ done, copy, problem: asProblem(error) });
    }
  };
  const supposes = String(fact.values?.["if"] ?? "");
  return (
    <>
      <ol className="steps">
        {acts.map((act, at) => (
          <li key={at} className={progress && at < progress.done ? "done" : ""} aria-current={isRunning && at === progress.done ? "step" : undefined}>
            <span className="k" aria-hidden="true">
              {progress && at < progress.done ? <Icon name="check" /> : at + 1}
            </span>
            <span>
              <FactText fact={{ kind: "way", text: act.text, about: act.event["tool"] ? [{ kind: "tool", name: String(act.event["tool"]) }] : [] }} frame={NOWHERE} />
            </span>
          </li>
        ))}
        <li className="goal">
          <span className="k" aria-hidden="true">
            →
          </span>
          <span>
            <AskName subject={`node ${target}`}>
              <code>{titles.node(target)}</code>
            </AskName>
          </span>
        </li>
      </ol>
      {supposes && <p className="muted">{tx("Only if {supposes}.", { supposes })}</p>}
      {blocked >= 0 ? (
        <p className="muted">
          {tx("Step {blocked} needs {x}, so this way cannot be tried here.", { blocked: blocked + 1, x: NEEDS[acts[blocked]?.kind ?? ""] ?? t("a person") })}
        </p>
      ) : (
        <Button icon="fork" onClick={() => void run()} disabled={isRunning}>
          {isRunning ? t("Step {done} of {length}", { done: Math.min(progress.done + 1, acts.length), length: acts.length }) : t("Try in a fork")}
        </Button>
      )}
      {progress?.problem && (
        <>
          <Refusal problem={progress.problem} />
          {progress.copy && (
            <p>
              {tx("{done} of {length} steps are done in", { done: progress.done, length: acts.length })}{" "}<Link to={conversationRoute(progress.copy)}>{progress.copy}</Link>.
            </p>
          )}
        </>
      )}
    </>
  );
}

function actsOf(fact: Fact): Act[] {
  const acts = fact.values?.["acts"];
  return Array.isArray(acts) ? (acts as Act[]) : [];
}

/** Whether a value is missing, since it is secret. */
const hasSecret = (event: Record<string, unknown>) => (event["commands"] as Record<string, unknown>[]).some((one) => one["value"] === "[secret]");

/** What a step needs that cannot be tried here. */
const NEEDS: Record<string, string> = { timer: t("the scope admin"), answer: t("a secret"), event: t("another system"), continue: t("the flow to go on by itself") };

/** The event of an act as the API takes it; `null` for one that only a person or the flow itself can bring. */
export function inputOf(event: Record<string, unknown>): TurnInput | null {
  switch (event["type"]) {
    case "user_said":
      return { text: String(event["text"]) };
    case "user_chose":
      return { button: String(event["value"]) };
    case "commands":
      return hasSecret(event) ? null : { commands: event["commands"] as Record<string, unknown>[] };
    case "tool_used":
      return { tool: { name: String(event["tool"]) } };
    case "timer_fired":
      return { timer: { transition: String(event["timer"]) } };
    default:
      return null;
  }
}
