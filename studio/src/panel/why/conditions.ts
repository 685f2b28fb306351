import { createContext, useContext } from "react";
import { useSettings } from "../../data/settings";
import { useTitles } from "../../data/titles";

/** The conditions of the decision that is shown, in words, by how its record has them. */
export const ConditionWords = createContext<Readonly<Record<string, string>>>({});

/** What conditions, and the values in them, are called; as the flow writes them where technical details are shown. */
export function useConditions(): { text: (condition: string) => string; name: (value: string) => string } {
  const words = useContext(ConditionWords);
  const titles = useTitles();
  const { isTechnical } = useSettings();
  if (isTechnical) return { text: (condition) => condition, name: (value) => value };
  return { text: (condition) => words[condition] ?? condition, name: (value) => words[value] ?? titles.field(value) };
}
