import { outcomesToChoose, USUAL_OUTCOME } from "./draft";
import { prepare } from "./giveBack";

/** Chooses what guards read as `person.outcome`. */
export function OutcomeChoice({ id, outcome, known, ...named }: { id: string; outcome: string; known: readonly string[]; "aria-label"?: string; "aria-labelledby"?: string }) {
  return (
    <select {...named} value={outcome || USUAL_OUTCOME} onChange={(event) => prepare(id, { outcome: event.target.value })}>
      {outcomesToChoose(known).map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}
