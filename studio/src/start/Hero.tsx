import { useRef } from "react";
import { setLayout } from "../data/layout";
import { beginLook } from "../look/progress";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";

/** For whom this is and instead of what, in one sentence and one picture. */
export function Hero({ hasLook, hasFlows }: { hasLook: boolean; hasFlows: boolean }) {
  const look = useRef<HTMLButtonElement>(null);
  return (
    <div className={hasLook ? "hero2" : "hero2 alone"}>
      <div>
        <h1>Conversations that can always say why.</h1>
        <p className="lead">
          For teams who let a language model talk with customers and <b>have to answer for what it did</b>: rules decide each step and are written down with their reasons, instead of one long prompt and a guess afterwards.
        </p>
        <div className="acts">
          {hasLook && (
            <button ref={look} type="button" className="btn solid big" onClick={beginLook}>
              Take the first look, 60 seconds
            </button>
          )}
          {hasFlows && (
            <Button className="big" look={hasLook ? "plain" : "solid"} onClick={() => setLayout({ dialog: "new" })}>
              Begin a conversation
            </Button>
          )}
        </div>
      </div>
      {hasLook && <Picture />}
    </div>
  );
}

/** A message, the decision below it, and its reasons. */
function Picture() {
  return (
    <figure className="pict" aria-label="A message, the decision below it, and its reasons">
      <div className="mine">
        <span className="bub">what exactly do I agree to?</span>
      </div>
      <p className="line">
        <Icon name="unknown" />
        <b>Stayed: needs a yes to the terms</b>
        <i aria-hidden="true" />
      </p>
      <p className="said">We keep what you tell us for this study only. Do you agree to that?</p>
      <div className="whycard">
        <p className="q">Why did it not go on?</p>
        <table>
          <tbody>
            <tr>
              <td><Icon name="held" /></td>
              <td>the name is known</td>
              <td>Maria</td>
              <td className="hidep">“I'm Maria”, turn 2</td>
            </tr>
            <tr>
              <td><Icon name="held" /></td>
              <td>38 years or older</td>
              <td>48</td>
              <td className="hidep">“sorry, I am 48”, turn 3</td>
            </tr>
            <tr>
              <td><Icon name="unknown" /></td>
              <td>has agreed to the terms</td>
              <td className="unk">not known</td>
              <td className="hidep">she only asked about them</td>
            </tr>
          </tbody>
        </table>
        <p className="nd">
          It would go on with <span className="chip need">agreed = yes</span>
        </p>
      </div>
    </figure>
  );
}
