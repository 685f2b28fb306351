import { afterEach, describe, expect, it } from "vitest";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import type { ReactNode } from "react";
import type { Considered, Decision, DecisionView, TurnTrace } from "../../api/types";
import { CandidateCard } from "./CandidateCard";
import { ConditionWords } from "./conditions";
import { Notices } from "./Notices";
import { TransitionLogic } from "./TransitionLogic";
import { markOf } from "../../ui/OutcomeMark";
import { VerdictHeadline } from "./VerdictHeadline";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let root: Root | null = null;

function show(node: ReactNode): HTMLElement {
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  act(() => root?.render(node));
  return place;
}

afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});

const candidate = (change: Partial<Considered>): Considered => ({ id: "too_young", outcome: "false", action: "to", target: "ineligible", because: "under age 38", ...change });

const age = (value: unknown): Considered["verdict"] => ({ type: "leaf", text: "user.age < 38", verdict: value === null ? "unknown" : "not_held", operands: [{ name: "user.age", value, how: value === null ? "missing" : "understood", turn: 3 }] });

const decision = (candidates: Considered[], change: Partial<Decision> = {}): Decision => ({
  conversation: "maria",
  seq: 46,
  turn: 4,
  at_ms: 0,
  node: "introduction",
  moment: "before",
  line: "stayed in introduction: 2 candidates, none held; nearest is → profiler, which lacks user.tos_acknowledged",
  candidates,
  ...change,
});

const view = (of: Decision, change: Partial<DecisionView> = {}): DecisionView => ({
  decision: of,
  headline: "Stayed in introduction",
  detail: "",
  seam: { seq: 46, turn: 4, at_ms: 0, node: "introduction", moment: "before", outcome: "stayed", mark: "unknown", text: "", target: "", transition: "", because: "", nearest: "", operator: "", frame: 0, is_undone: false, activity: null, words: { en: { headline: "Stayed: needs Terms", reason: "With that it would go to Profiler: all collected" } } },
  nearest: "complete",
  moments: {},
  evaluation: {},
  histories: {},
  places: {},
  is_compared: true,
  conditions: {},
  ...change,
});

const complete = candidate({ id: "complete", outcome: "unknown", target: "profiler", because: "all collected", missing: ["user.tos_acknowledged"], needs: [[{ field: "user.tos_acknowledged", value: true, rule: "user.tos_acknowledged", now: null }]] });

describe("Notices", () => {
  it("says that a turn was cut off and resumed", () => {
    const trace = (kind: string) => ({ events: [{ kind, seq: 1, line: "" }], is_other_version: false, is_erased: false }) as unknown as TurnTrace;
    expect(show(<Notices trace={trace("turn_restarted")} view={null} />).textContent).toContain("This turn was cut off, and was resumed.");
    expect(show(<Notices trace={trace("turn_ended")} view={null} />).textContent).toBe("");
  });
});

describe("markOf", () => {
  it("has the green disc for moves only", () => {
    expect([markOf("taken", true), markOf("taken", false), markOf("unknown", false)]).toEqual(["taken", "held", "unknown"]);
  });
});

const AT_REST: TurnTrace["activity"] = null;
const ASKS: TurnTrace["activity"] = { kind: "asks_field", text: "Asks for “age”: 1 of 3 answered", inside: "", texts: { en: "Asks for “age”: 1 of 3 answered" } };

/** A turn whose last decision is the one of the view; `activity` is what the conversation does at its end. */
const traceOf = (shown: DecisionView, activity: TurnTrace["activity"] = AT_REST, state: Partial<TurnTrace["state"]> = {}): TurnTrace =>
  ({ state: { status: { type: "waiting" }, node: "introduction", question: "", values: [], person: null, form: null, ...state }, decisions: [shown], activity }) as unknown as TurnTrace;

const headlineOf = (shown: DecisionView, activity: TurnTrace["activity"], state: Partial<TurnTrace["state"]> = {}, decisions = [shown]): string =>
  show(<VerdictHeadline trace={{ ...traceOf(shown, activity, state), decisions }} view={shown} />).querySelector("h2")?.textContent ?? "";

describe("VerdictHeadline", () => {
  it("says what the conversation does where nothing was chosen, and the verdict below it", () => {
    const shown = view(decision([complete]));
    const place = show(<VerdictHeadline trace={traceOf(shown, ASKS)} view={shown} />);
    expect(place.querySelector("h2")?.textContent).toBe("Asks for “age”: 1 of 3 answered");
    expect(place.querySelector("p")?.textContent).toBe("Stayed: needs Terms");
  });
  it("leaves out a rule that waits for something else than the open question of the form", () => {
    const shown = view(decision([complete]));
    const asking = (asked: string) => {
      const form = { asked } as TurnTrace["state"]["form"];
      return show(<VerdictHeadline trace={traceOf(shown, ASKS, { form })} view={shown} />).textContent;
    };
    expect(asking("user.tos_acknowledged")).toContain("Stayed: needs Terms");
    expect(asking("user.age")).not.toContain("Stayed");
  });
  it("keeps the verdict where the conversation only waits, where a decision says more, or where others followed", () => {
    const error = view(decision([complete]), { seam: { ...view(decision([])).seam, outcome: "error" } });
    const plain = view(decision([complete]));
    expect(headlineOf(plain, AT_REST)).toBe("Stayed: needs Terms");
    expect(headlineOf(error, ASKS)).toBe("Stayed: needs Terms");
    expect(headlineOf(plain, ASKS, { node: "closing" })).toBe("Stayed: needs Terms");
    expect(headlineOf(plain, ASKS, {}, [plain, view(decision([complete], { seq: 50 }))])).toBe("Stayed: needs Terms");
  });
  it("says what a step needs, where that leads, and for technical readers the line of the engine word for word", () => {
    const place = show(<VerdictHeadline trace={traceOf(view(decision([complete])))} view={view(decision([complete]))} />);
    expect(place.querySelector("h2")?.textContent).toBe("Stayed: needs Terms");
    expect(place.querySelector("p")?.textContent).toBe("With that it would go to Profiler: all collected");
    expect(place.querySelector("p.tech")?.textContent).toBe(decision([complete]).line);
    expect([...place.querySelectorAll("code")].map((code) => code.textContent)).toEqual(["introduction", "profiler", "user.tos_acknowledged"]);
  });
  it("leaves the author's words as they are, also where they have the name of a node", () => {
    const taken = candidate({ id: "complete", outcome: "taken", target: "profiler", because: "the profiler is complete" });
    const shown = view({ ...decision([taken]), taken: "complete", line: "introduction → profiler by complete: the profiler is complete" });
    const place = show(<VerdictHeadline trace={traceOf(shown)} view={shown} />);
    expect([...place.querySelectorAll("p.tech code")].map((code) => code.textContent)).toEqual(["introduction", "profiler", "complete"]);
  });
});

describe("TransitionLogic", () => {
  it("says that there was no transition, and groups rows by moment", () => {
    const rules = { pre: [], post: [{ id: "done", description: "the work is done", fields: ["age"], passed: false, result: { action: "transition", target: "closing" } }] };
    const place = show(<TransitionLogic view={view(decision([candidate({ verdict: age(48) }), complete]), { moments: { done: "after" }, evaluation: { evaluatedRules: rules } })} />);
    expect(place.querySelector("summary")?.textContent).toBe("Transition Logic(No transition)");
    expect([...place.querySelectorAll(".moment b")].map((one) => one.textContent)).toEqual(["before", "after"]);
    expect(place.querySelector(".oth")?.textContent).toContain("→ Closing done");
    expect(place.querySelector(".oth")?.textContent).toContain("does not hold");
  });

  it("ends its header with the move", () => {
    const place = show(<TransitionLogic view={view(decision([{ ...complete, outcome: "taken" }], { taken: "complete" }))} />);
    expect(place.querySelector("summary")?.textContent).toBe("Transition Logic✓ → Profiler");
  });
});

describe("CandidateCard", () => {
  it("has what it read behind its reason while it is folded", () => {
    const one = candidate({ verdict: age(48) });
    const place = show(<CandidateCard candidate={one} decision={decision([one])} history={undefined} isOpen={false} isCompared />);
    expect(place.querySelector(".c2")?.textContent).toBe("under age 38 (Age = 48)");
    expect(place.querySelector(".cbody")).toBeNull();
  });

  it("unfolds to guard, missing values and needs", () => {
    const card = <CandidateCard candidate={{ ...complete, verdict: age(null) }} decision={decision([complete])} history={undefined} isOpen isCompared />;
    const place = show(<ConditionWords value={{ "user.age < 38": "Age < 38" }}>{card}</ConditionWords>);
    expect(place.querySelector(".gt tbody")?.textContent).toContain("Age < 38not known");
    expect(place.querySelector(".chip.miss")?.textContent).toBe("Tos acknowledged");
    expect(place.querySelector(".chip.need")?.textContent).toBe("Tos acknowledged = Yestry");
  });

  it("says what changed since an earlier judging, where there is one", () => {
    const one = candidate({ verdict: age(48) });
    const text = (isCompared: boolean) => show(<CandidateCard candidate={one} decision={decision([one])} history={undefined} isOpen isCompared={isCompared} />).textContent;
    expect(text(true)).toContain("Changed since lastnothing that it reads");
    expect(text(false)).not.toContain("Changed since last");
  });

  it("shows each outcome as a word beside its icon", () => {
    const outcomes = ["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"] as const;
    const icons = outcomes.map((outcome) => {
      const one = candidate({ outcome, by: outcome === "outranked" ? "complete" : "" });
      const place = show(<CandidateCard candidate={one} decision={decision([one])} history={undefined} isOpen={false} isCompared />);
      expect(place.querySelector(".word")?.textContent).toBe({ not_reached: "not reached", unknown: "not known" }[outcome as string] ?? outcome);
      if (outcome === "outranked") expect(place.textContent).toContain("by Complete");
      return place.querySelector("summary svg")?.innerHTML;
    });
    expect(new Set(icons).size).toBe(outcomes.length);
  });

  it("shows highlighted code with values, the returned line and the exception", () => {
    const code = { name: "f", source: 'def f(user):\n    # age\n    return user.age > "3"\n', file: "guards.py", line: 7, reads: { "user.age": 4 }, error: "TypeError: no", at: "guards.py:9" };
    const one = candidate({ outcome: "error", code });
    const place = show(<CandidateCard candidate={one} decision={decision([one])} history={undefined} isOpen isCompared />);
    expect([...place.querySelectorAll(".code .l > span:first-child")].map((line) => line.textContent)).toEqual(["7", "8", "9"]);
    expect([...place.querySelectorAll(".kw")].map((word) => word.textContent)).toEqual(["def", "return"]);
    expect(place.querySelector(".cm")?.textContent).toBe("# age");
    expect(place.querySelector(".l.bad .h")?.textContent).toBe("user.age = 4");
    expect(place.querySelector(".diag")?.textContent).toBe("Exception: TypeError: no");
  });

  it("says whether a transition is one of the whole flow or of a scope", () => {
    const one = candidate({ level: "flow" });
    const pill = (node: string) => show(<CandidateCard candidate={one} decision={decision([one], { node })} history={undefined} isOpen={false} isCompared />).querySelector(".c1")?.textContent;
    expect(pill("profiler")).toContain("whole flow");
    expect(pill("quiz/ask")).toContain("whole scope");
    expect(pill("quiz/ask")).not.toContain("whole flow");
  });

  it("hides the value of a secret", () => {
    const one = candidate({ verdict: age("[secret]") });
    const place = show(<CandidateCard candidate={one} decision={decision([one])} history={undefined} isOpen isCompared />);
    expect(place.querySelector("td.v")?.textContent).toBe("•••• secret");
  });
});
