import { useFlow } from "../data/hooks";
import { useOperator } from "../data/operator";
import { inputOf } from "./draft";
import { giveBack, usePrepared } from "./giveBack";

/** Returns what gives a conversation back with everything that is prepared in the panel of the person. */
export function useGiveBack(id: string): () => Promise<boolean> {
  const { person } = useOperator();
  const flow = useFlow();
  const { draft } = usePrepared(id);
  return () => giveBack(id, inputOf(draft, new Map(flow.data?.fields.map((field) => [field.name, field.type])), person?.operator ?? ""));
}
