import { Icon } from "./Icon";
import { t } from "../i18n/t";

export type Outcome = "taken" | "held" | "not_held" | "false" | "unknown" | "outranked" | "not_reached" | "blocked" | "error" | "none";

/** The word of each outcome, as people read it. */
export const OUTCOME_WORD: Record<Outcome, string> = {
  taken: t("taken"),
  held: t("held"),
  not_held: t("false"),
  false: t("false"),
  unknown: t("not known"),
  outranked: t("outranked"),
  not_reached: t("not reached"),
  blocked: t("blocked"),
  error: t("error"),
  none: t("not judged"),
};

/** The class of the outcome's colour. */
export const OUTCOME_CLASS: Record<Outcome, string> = {
  taken: "ok",
  held: "ok",
  not_held: "no",
  false: "no",
  unknown: "unk",
  outranked: "soft",
  not_reached: "muted",
  blocked: "no",
  error: "no",
  none: "muted",
};

/** The mark of a decision: a transition that was taken without a move, such as the own `enter_when` of a node, only held. */
export const markOf = <M extends Outcome>(mark: M, hasMoved: boolean): M | "held" => (mark === "taken" && !hasMoved ? "held" : mark);

/** The icon of an outcome. With `hasWord` its word is beside it for everybody, otherwise for screen readers only. */
export function OutcomeMark({ outcome, hasWord = false, isSilent = false }: { outcome: Outcome; hasWord?: boolean; isSilent?: boolean }) {
  const icon = <Icon name={outcome === "not_held" ? "false" : outcome} />;
  if (isSilent) return icon;
  return (
    <>
      {icon}
      <span className={hasWord ? `word ${OUTCOME_CLASS[outcome]}` : "sr"}>{OUTCOME_WORD[outcome]}</span>
    </>
  );
}
