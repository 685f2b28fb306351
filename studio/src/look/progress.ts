import { getSettings, setSettings, useSettings } from "../data/settings";

/** How many steps there are. */
export const STEPS = 5;

/** How far the guided look is: `step` counts from 0, and `STEPS` is its end. It is remembered in this browser. */
export interface Progress {
  readonly step: number;
  readonly look: "offered" | "begun" | "closed";
}

export function useProgress(): Progress {
  const { lookStep, look } = useSettings();
  return { step: Math.min(STEPS, Math.max(0, lookStep)), look };
}

/** Go on to the next step. */
export const goOn = (): void => setSettings({ lookStep: Math.min(STEPS, getSettings().lookStep + 1), look: "begun" });

export const closeLook = (): void => setSettings({ look: "closed" });

/** Begin the look at its first step. */
export const beginLook = (): void => setSettings({ lookStep: 0, look: "begun" });
