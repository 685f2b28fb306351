import { useState } from "react";
import { api, type TurnInput } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { Fact } from "../api/types";
import { conversationRoute, navigate } from "../data/route";
import { Button } from "../ui/Button";
import { Refusal } from "../ui/Refusal";

type Act = { kind: string; text: string; event: Record<string, unknown> };

/** Tries a way in a copy of the conversation, act by act, and opens the copy. */
export function TryWay({ id, fact }: { id: string; fact: Fact }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const acts = actsOf(fact);
  const inputs = acts.map((act) => inputOf(act.event));
  if (!acts.length) return null;
  const run = async () => {
    setProblem(null);
    try {
      setDone(0);
      const made = await api.fork(id, {});
      for (const [at, input] of inputs.entries()) {
        if (input) await api.take(made.id, input, `way-${at}`);
        setDone(at + 1);
      }
      navigate(conversationRoute(made.id));
    } catch (error) {
      setProblem(asProblem(error));
    }
    setDone(null);
  };
  return (
    <>
      <p>
        <Button icon="fork" onClick={() => void run()} disabled={done !== null || inputs.includes(null)}>
          {done === null ? "Try it in a copy" : `Step ${Math.min(done + 1, acts.length)} of ${acts.length}`}
        </Button>
        {inputs.includes(null) && <span className="muted"> a step needs time or a person, so it cannot be tried at once</span>}
      </p>
      {problem && <Refusal problem={problem} />}
    </>
  );
}

function actsOf(fact: Fact): Act[] {
  const acts = fact.values?.["acts"];
  return Array.isArray(acts) ? (acts as Act[]) : [];
}

/** The event of an act as the API takes it; `null` for one that only time or a person can bring. */
export function inputOf(event: Record<string, unknown>): TurnInput | null {
  switch (event["type"]) {
    case "user_said":
      return { text: String(event["text"]) };
    case "user_chose":
      return { button: String(event["value"]) };
    case "commands":
      return { commands: event["commands"] as Record<string, unknown>[] };
    case "tool_used":
      return { tool: { name: String(event["tool"]) } };
    default:
      return null;
  }
}
