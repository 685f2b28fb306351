import { useEffect, useRef } from "react";
import { announce } from "../data/announce";
import { useFlows } from "../data/hooks";
import { useSummary } from "../data/list";
import { useName } from "../data/names";
import { useOperator } from "../data/operator";
import { useRun } from "../data/run";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Refusal } from "../ui/Refusal";
import { beginLook, closeLook, goOn, STEPS, useProgress } from "./progress";
import { personOf, stepsOf, type Step } from "./steps";
import "./look.css";
import { t, tx } from "../i18n/t";

/** The steps, where this server has prepared them. */
export function useSteps(): readonly Step[] {
  const flow = useFlows().data?.find((one) => one.look);
  const waits = useSummary(flow?.look?.waiting ?? "");
  return flow ? stepsOf(flow, waits) : [];
}

/** The whole look as a card of the start page: steps that are done, the open one, and those that follow. */
export function LookCard() {
  const steps = useSteps();
  const { step, look } = useProgress();
  const card = useRef<HTMLElement>(null);
  const before = useRef({ step, look });
  useEffect(() => {
    const was = before.current;
    before.current = { step, look };
    if (look !== was.look ? look === "begun" : step !== was.step) card.current?.querySelector<HTMLElement>("li.open button, .again button")?.focus();
  }, [look, step]);
  if (!steps.length || look === "closed") return null;
  return (
    <section className="look" aria-labelledby="look" ref={card}>
      <header>
        <h2 id="look">{t("First look")}</h2>
        <span>{step < STEPS ? t("step {step} of {STEPS}", { step: step + 1, STEPS }) : t("done")}</span>
        <span className="grow" />
        <Button look="quiet" icon="close" label={t("Close the first look")} onClick={closeLook} />
      </header>
      <ol>
        {steps.map((one, index) => {
          if (index !== step)
            return (
              <li key={one.title} className={index < step ? "done" : undefined}>
                {index < step ? <Icon name="held" /> : <span className="no" aria-hidden="true">{index + 1}</span>}
                <span>{one.title}</span>
                {index < step && <span className="lbl">{t("done")}</span>}
              </li>
            );
          return (
            <li key={one.title} className="open" aria-current="step">
              <span className="no" aria-hidden="true">{index + 1}</span>
              <b>{one.title}</b>
              <span />
              <p>{one.text}</p>
              <Acts step={one} />
            </li>
          );
        })}
      </ol>
      {step >= STEPS && (
        <div className="again">
          <Button onClick={beginLook}>{t("Take it again")}</Button>
        </div>
      )}
    </section>
  );
}

/** The open step above a conversation. A step that its button leads to takes the focus, so that reading goes on there. */
export function LookStrip() {
  const steps = useSteps();
  const { step, look } = useProgress();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = steps[step];
  const isShown = look === "begun" && steps.length > 0;
  const after = useLastStep();
  const words = !isShown ? "" : shown ? t("First look, step {step} of {STEPS}: {title}. {text}", { step: step + 1, STEPS, title: shown.title, text: shown.text }) : `${after.title}. ${after.text}`;
  useEffect(() => {
    if (!words) return;
    heading.current?.focus({ preventScroll: true });
    announce(words);
  }, [words]);
  if (!isShown) return null;
  return (
    <section className="lookstrip" aria-label={t("First look")}>
      <span className="count" aria-hidden="true">{shown ? `${step + 1}/${STEPS}` : after.isDone ? <Icon name="held" /> : `${STEPS}/${STEPS}`}</span>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {shown ? shown.title : after.title}
          {shown && <span className="sr">{tx(", step {step} of {STEPS} of the first look", { step: step + 1, STEPS })}</span>}
        </h2>
        <p>{shown ? shown.text : after.text}</p>
      </div>
      {shown ? <Acts step={shown} /> : <span className="acts"><Button onClick={closeLook}>{t("Done")}</Button></span>}
      <Button look="quiet" icon="close" label={t("Close the first look")} onClick={closeLook} />
    </section>
  );
}

/** What there is to do behind the last step: take over, answer, give back; or that the look is done. */
function useLastStep(): Pick<Step, "title" | "text"> & { isDone: boolean } {
  const waiting = useFlows().data?.find((one) => one.look)?.look?.waiting ?? "";
  const person = personOf(useSummary(waiting));
  const { own } = useOperator();
  const last = useName(waiting);
  if (person && !person.operator) return { title: t("Take over"), text: t("Enter your name in the panel, and take over. The rules wait until you give back."), isDone: false };
  if (person && person.operator === own) return { title: t("Answer, and give back"), text: t("Write to {last} as a person. Then give back: the panel says beforehand what would happen.", { last }), isDone: false };
  return { title: t("That was the first look"), text: t("Begin a conversation of your own: everything that you saw is stored while it happens."), isDone: true };
}

function Acts({ step }: { step: Step }) {
  const { run, isBusy, problem } = useRun(async () => {
    await step.run();
    goOn();
  });
  return (
    <span className="acts">
      <Button look="solid" onClick={run} aria-disabled={isBusy}>
        {step.button}
      </Button>
      <Button look="quiet" onClick={goOn}>
        {t("Skip")}<span className="sr"> {step.title}</span>
      </Button>
      {problem && <Refusal problem={problem} />}
    </span>
  );
}
