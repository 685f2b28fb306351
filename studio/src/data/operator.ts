// Who the person in charge is, and whether it is this reader.

import type { PersonView } from "../api/types";
import { useMe } from "./hooks";
import { useSettings } from "./settings";

/** The name of the person in charge, as the user sees it; empty while nobody is. */
export const operatorName = (person: PersonView | null | undefined): string => person?.display || person?.operator || "";

/** Who this reader is as an operator: the owner of the key, or without keys the name that they typed. */
export function useOperator(): string {
  const me = useMe();
  const { operator } = useSettings();
  return me.data?.owner || operator.trim();
}
