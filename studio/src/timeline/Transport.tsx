// The buttons that move the playhead, the position in words, and the legend of the marks.

import { AskWhy } from "../ask/AskWhy";
import { useFrames, useOpenFrames } from "../data/frames";
import type { Position } from "../data/position";
import { nameOf } from "../scopes/words";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { SIGN_ICONS, SIGN_WORDS, type Sign } from "../ui/signs";
import type { Coming } from "./coming";
import { isAct, type Decision, type Track } from "./decode";
import { clockText, positionWords } from "./words";
import { t, tx } from "../i18n/t";

interface Props {
  readonly track: Track | null;
  readonly position: Position;
  readonly selected: Decision | null;
}

interface AllProps extends Props {
  readonly coming: readonly Coming[];
}

/** The first line of the dock; on the phone it is all of it. */
export function Transport({ track, position, selected, coming }: AllProps) {
  return (
    <div className="tlh">
      <Button look="quiet" icon="first" label={t("First decision")} onClick={position.goFirst} />
      <Button look="quiet" icon="prev" label={t("Previous decision")} onClick={() => position.step(-1)} />
      <Button look="quiet" icon="chev" label={t("Next decision")} onClick={() => position.step(1)} />
      <Button look="quiet" icon="last" label={t("Go to live")} onClick={position.goLive} />
      <PositionText track={track} position={position} selected={selected} />
      <span className="grow" />
      <Legend hasScopes={useFrames().length > 1} signs={[...new Set([...(track?.signs ?? []), ...coming].map((one) => one.sign))]} isSomethingDue={coming.length > 0} />
    </div>
  );
}

function PositionText({ track, position, selected }: Props) {
  const inside = useOpenFrames().slice(1).at(-1);
  if (position.lastTurn === 0) return <span className="pos muted">{t("no turn yet")}</span>;
  const own = selected?.turn === position.turn ? selected : null;
  const words = track ? positionWords(track, position.turn, own) : null;
  const seq = position.seq ?? words?.seq ?? 0;
  return (
    <span className="pos">
      {tx("turn {turn} of {lastTurn}", { turn: <b>{position.turn}</b>, lastTurn: position.lastTurn })}
      {position.decisions.length > 0 && (
        <>
          , {position.seam && isAct(position.seam) ? t("act") : t("decision")} <b>{position.decision}</b>{" "}{tx("of {length}", { length: position.decisions.length })}
        </>
      )}
      <span className="hw">
        {seq > 0 && (
          <span className="tech">
            , <code>{tx("seq {seq}", { seq })}</code>
          </span>
        )}
        {words && words.at > 0 && `, ${clockText(words.at)}`}
        {inside && (
          <>
            {" "}
            {t("· inside")}{" "}<b>{nameOf(inside)}</b>
          </>
        )}
      </span>{" "}
      <AskWhy subject={`turn ${position.turn}`} name={t("Turn {turn}", { turn: position.turn })} stands />
    </span>
  );
}

function Legend({ hasScopes, signs, isSomethingDue }: { hasScopes: boolean; signs: readonly Sign[]; isSomethingDue: boolean }) {
  return (
    <span className="lg">
      <span>
        <Icon name="taken" />
        {t("moved")}
      </span>
      <span>
        <Icon name="false" />
        {t("stayed")}
      </span>
      <span>
        <Icon name="unknown" />
        {t("not known")}
      </span>
      <span className="tech">
        <i className="diamond" />
        {t("commit")}
      </span>
      {hasScopes && (
        <>
          <span>
            <Icon name="in" />
            {t("opened")}
          </span>
          <span>
            <Icon name="out" />
            {t("closed")}
          </span>
        </>
      )}
      {signs.map((sign) => (
        <span key={sign}>
          <Icon name={SIGN_ICONS[sign]} />
          {SIGN_WORDS[sign]}
        </span>
      ))}
      {isSomethingDue && (
        <span>
          <i className="dash" />
          {t("what comes")}
        </span>
      )}
      <span>
        <kbd>←</kbd>
        <kbd>→</kbd>
      </span>
    </span>
  );
}
