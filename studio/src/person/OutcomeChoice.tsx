import { outcomeInWords } from "../data/names";
import { t } from "../i18n/t";
import { outcomesToChoose } from "./draft";
import { prepare } from "./giveBack";

/** Chooses what guards read as `person.outcome`; nothing is chosen at first, for the choice is the person's. */
export function OutcomeChoice({ id, outcome, known, ...named }: { id: string; outcome: string; known: readonly string[]; "aria-label"?: string; "aria-labelledby"?: string }) {
  return (
    <select {...named} value={outcome} onChange={(event) => prepare(id, { outcome: event.target.value })}>
      <option value="">{t("choose an outcome")}</option>
      {outcomesToChoose(known).map((one) => (
        <option key={one} value={one}>
          {outcomeInWords(one)}
        </option>
      ))}
    </select>
  );
}
