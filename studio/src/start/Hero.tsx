import { setLayout } from "../data/layout";
import { useRun } from "../data/run";
import { useSteps } from "../look/FirstLook";
import { beginLook, goOn } from "../look/progress";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Refusal } from "../ui/Refusal";
import { t, tx } from "../i18n/t";

/** For whom this is and instead of what, in one sentence and one picture. */
export function Hero({ hasLook, hasFlows }: { hasLook: boolean; hasFlows: boolean }) {
  const [first] = useSteps();
  const { run, isBusy, problem } = useRun(async () => {
    beginLook();
    await first?.run();
    goOn();
  });
  return (
    <div className={hasLook ? "hero2" : "hero2 alone"}>
      <div>
        <h1>{t("Conversations that can always say why.")}</h1>
        <p className="lead">
          {tx("For teams who let a language model talk with customers and {b}: rules decide each step and are written down with their reasons, instead of one long prompt and a guess afterwards.", { b: <b>{t("have to answer for what it did")}</b> })}
        </p>
        <div className="acts">
          {hasLook && (
            <button type="button" className="btn solid big" onClick={run} aria-disabled={isBusy}>
              {isBusy ? t("Beginning…") : t("Take the first look, 60 seconds")}
            </button>
          )}
          {hasFlows && (
            <Button className="big" look={hasLook ? "plain" : "solid"} onClick={() => setLayout({ dialog: "new" })}>
              {t("Begin a conversation")}
            </Button>
          )}
        </div>
        {hasLook && first && <p className="soft begins">{t("It begins a conversation, and sends “{say}”.", { say: first.say ?? "" })}</p>}
        {problem && <Refusal problem={problem} />}
      </div>
      {hasLook && <Picture />}
    </div>
  );
}

/** A message, the decision below it, and its reasons. */
function Picture() {
  return (
    <figure className="pict" aria-label={t("A message, the decision below it, and its reasons")}>
      <div className="mine">
        <span className="bub">{t("what exactly do I agree to?")}</span>
      </div>
      <p className="line">
        <Icon name="unknown" />
        <b>{t("Stayed: needs a yes to the terms")}</b>
        <i aria-hidden="true" />
      </p>
      <p className="said">{t("We keep what you tell us for this study only. Do you agree to that?")}</p>
      <div className="whycard">
        <p className="q">{t("Why did it not go on?")}</p>
        <table>
          <tbody>
            <tr>
              <td><Icon name="held" /></td>
              <td>{t("the name is known")}</td>
              <td>{t("Maria")}</td>
              <td className="hidep">{t("“I'm Maria”, turn 2")}</td>
            </tr>
            <tr>
              <td><Icon name="held" /></td>
              <td>{t("38 years or older")}</td>
              <td>48</td>
              <td className="hidep">{t("“sorry, I am 48”, turn 3")}</td>
            </tr>
            <tr>
              <td><Icon name="unknown" /></td>
              <td>{t("has agreed to the terms")}</td>
              <td className="unk">{t("not known")}</td>
              <td className="hidep">{t("she only asked about them")}</td>
            </tr>
          </tbody>
        </table>
        <p className="nd">
          {t("It would go on with")}{" "}<span className="chip need">{t("agreed = yes")}</span>
        </p>
      </div>
    </figure>
  );
}
