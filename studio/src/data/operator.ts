// Who the person in charge is, and whether it is this reader.

import { useEffect, useRef } from "react";
import type { PersonView } from "../api/types";
import { announce } from "./announce";
import { useConversation, useMe } from "./hooks";
import { useSettings } from "./settings";
import { t } from "../i18n/t";

/** The name of the person in charge, as the user sees it; empty while nobody is. */
export const operatorName = (person: PersonView | null | undefined): string => person?.display || person?.operator || "";

/** Who has a conversation that the machine does not have. */
export const inChargeWords = (person: PersonView): string => (person.operator ? t("{person} is in charge", { person: operatorName(person) }) : t("Waits for a person"));

/** The person of the open conversation, and whether it is this reader. */
export interface Operator {
  /** Who this reader is: the owner of the key, or without keys the name that they typed. */
  readonly own: string;
  /** True where a key says who this reader is. */
  readonly hasKey: boolean;
  /** Who is awaited or in charge; `null` where the machine is. */
  readonly person: PersonView | null;
  /** The name of the person in charge, as the user sees it. */
  readonly shown: string;
  /** True while this reader is in charge. */
  readonly isMine: boolean;
}

export function useOperator(): Operator {
  const owner = useMe().data?.owner ?? "";
  const { operator } = useSettings();
  const own = owner || operator.trim();
  const summary = useConversation()?.summary;
  const person = summary?.status === "ended" || summary?.status === "failed" ? null : (summary?.person ?? null);
  return { own, hasKey: owner !== "", person, shown: operatorName(person), isMine: own !== "" && person?.operator === own };
}

/** Say to screen readers who takes over, and when the machine goes on. */
export function useAnnouncedPerson(): void {
  const { person, shown } = useOperator();
  const summary = useConversation()?.summary;
  const id = summary?.id ?? "";
  const words = person ? (shown ? t("{shown} is in charge of this conversation", { shown }) : t("This conversation waits for a person")) : "";
  const before = useRef({ id, words });
  useEffect(() => {
    const last = before.current;
    before.current = { id, words };
    if (last.id !== id || last.words === words) return;
    announce(words || (summary?.status === "ended" ? t("The conversation has ended") : t("The machine is in charge again")));
  }, [id, words, summary?.status]);
}
