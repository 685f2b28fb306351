import { Fragment, useEffect, useRef } from "react";
import type { FrameInfo } from "../api/types";
import { useOpenFrames } from "../data/frames";
import { usePosition } from "../data/position";
import { Icon } from "../ui/Icon";
import "./scopes.css";
import { leftWords, nameOf } from "./words";
import { t } from "../i18n/t";

/** The frames that are open at the position, outermost first, with what is left of their limits; nothing while only the conversation itself is open. */
export function FrameStack({ onGo }: { onGo: (frame: FrameInfo) => void }) {
  const open = useOpenFrames();
  const { isLive } = usePosition();
  if (open.length < 2) return null;
  return (
    <nav className="stk" aria-label={t("Open conversations, outermost first")}>
      {open.length === 2 && (
        <span className="lbl" aria-hidden="true">
          {t("Inside")}
        </span>
      )}
      <ol>
        {open.map((frame, depth) => (
          <Fragment key={frame.id}>
            {depth > 0 && (
              <li aria-hidden="true">
                <Icon name="chev" />
              </li>
            )}
            <li>
              <FrameButton frame={frame} isInCharge={depth === open.length - 1} isDeep={open.length > 2} hasLimits={isLive} onGo={() => onGo(frame)} />
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

function FrameButton({ frame, isInCharge, isDeep, hasLimits, onGo }: { frame: FrameInfo; isInCharge: boolean; isDeep: boolean; hasLimits: boolean; onGo: () => void }) {
  const left = hasLimits ? leftWords(frame) : "";
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isInCharge) button.current?.scrollIntoView({ block: "nearest", inline: "end" });
  }, [isInCharge, left]);
  return (
    <button ref={button} type="button" className={isInCharge ? "f on" : "f"} aria-current={isInCharge ? "true" : undefined} onClick={onGo}>
      <b>{nameOf(frame)}</b>
      {left && <span>{left}</span>}
      {isInCharge ? <span className={isDeep ? "sr" : "ok hidep"}>{t("in charge")}</span> : <span className="sr">{t("waits")}</span>}
    </button>
  );
}
