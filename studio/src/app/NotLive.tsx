import type { ReactNode } from "react";
import { usePosition } from "../data/position";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { t, tx } from "../i18n/t";

/** Says which turn is shown where that is not the last one; `children` say what of it is shown. */
export function NotLive({ children }: { children: ReactNode }) {
  const position = usePosition();
  if (position.isLive) return null;
  return (
    <div className="banner">
      <Icon name="clock" />
      <span>
        <b>
          {tx("Turn {turn} of {lastTurn}.", { turn: position.turn, lastTurn: position.lastTurn })}
        </b>{" "}
        {children}
      </span>
      <span className="grow" />
      <Button onClick={position.goLive}>{t("Go to live")}</Button>
    </div>
  );
}
