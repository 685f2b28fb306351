import { api } from "../api/calls";
import { announce } from "../data/announce";
import { useConversation, useFlow } from "../data/hooks";
import { setLayout } from "../data/layout";
import { useOperator } from "../data/operator";
import { useResource } from "../data/resource";
import { t } from "../i18n/t";
import { inputOf, needsOutcome } from "./draft";
import { giveBack, usePrepared } from "./giveBack";

/** The outcomes that the rules of the open node know, for the person in charge. */
export function useOutcomes(id: string): readonly string[] {
  const node = useConversation()?.summary?.node ?? "";
  const { isMine } = useOperator();
  return useResource(isMine ? `outcomes:${id}@${node}` : null, () => api.previewGiveBack(id, {})).data?.outcomes ?? [];
}

/** Returns what gives a conversation back with everything that is prepared in the panel of the person, after something that must work first. Where an outcome must be chosen, the panel opens for that, and nothing is done. */
export function useGiveBack(id: string): (first: () => Promise<boolean>) => Promise<boolean> {
  const { person } = useOperator();
  const flow = useFlow();
  const { draft } = usePrepared(id);
  const isOpen = needsOutcome(draft, useOutcomes(id));
  return async (first) => {
    if (isOpen) {
      setLayout({ isPersonOpen: true, pane: "why" });
      announce(t("Choose what came of it first."));
      return false;
    }
    return (await first()) && giveBack(id, inputOf(draft, new Map(flow.data?.fields.map((field) => [field.name, field.type])), person?.operator ?? ""));
  };
}
