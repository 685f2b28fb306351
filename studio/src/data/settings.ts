import { Store, useStore } from "./store";

export type Theme = "system" | "light" | "dark";

/** What a person chose for this browser. */
export type Settings = {
  theme: Theme;
  hasPanel: boolean;
  panelWidth: number;
  hasSingleKeys: boolean;
  /** Whether ids, positions and the words of the engine are shown. */
  isTechnical: boolean;
  /** How many steps of the guided look were taken; whether it is offered, was begun, or was closed. */
  lookStep: number;
  look: "offered" | "begun" | "closed";
  hasSound: boolean;
  hasBadge: boolean;
  operator: string;
  language: string;
};

const NAME = "turnwise.settings";
const DEFAULTS: Settings = { theme: "system", hasPanel: true, panelWidth: 548, hasSingleKeys: true, isTechnical: false, lookStep: 0, look: "offered", hasSound: false, hasBadge: false, operator: "", language: "" };

function stored(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}

const settings = new Store<Settings>(stored());

/** Change settings and remember them. */
export function setSettings(change: Partial<Settings>): void {
  settings.set(change);
  try {
    localStorage.setItem(NAME, JSON.stringify(settings.get()));
  } catch {
    // without storage the choice lasts until the page is closed
  }
}

export const getSettings = settings.get;
export const useSettings = (): Settings => useStore(settings, (value) => value);
export const subscribeSettings = settings.subscribe;
