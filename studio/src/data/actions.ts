import { useEffect, useLayoutEffect, useRef } from "react";

/** What keys and buttons of the top bar do; the part of the page that can do it registers the action. */
export type Action = "what-if" | "take-over" | "copy-json" | "focus-message" | "press-button" | "find-in-source" | "undo-in-source";

const actions = new Map<Action, ((detail?: number) => void)[]>();
const awaited = new Set<Action>();

/** Register what an action does while the component is on the page; the last one registered wins. */
export function useAction(name: Action, run: (detail?: number) => void): void {
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => {
    const mine = (detail?: number) => latest.current(detail);
    actions.set(name, [...(actions.get(name) ?? []), mine]);
    return () => void actions.set(name, (actions.get(name) ?? []).filter((one) => one !== mine));
  }, [name]);
  useEffect(() => {
    if (awaited.delete(name)) latest.current();
  }, [name]);
}

/** Run an action as soon as the next part of the page registers it. */
export const actNext = (name: Action): void => void awaited.add(name);

/** Run an action. Returns false where nothing on the page can do it. */
export function act(name: Action, detail?: number): boolean {
  const run = actions.get(name)?.at(-1);
  run?.(detail);
  return run !== undefined;
}
