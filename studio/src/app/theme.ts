import { getSettings, setSettings, subscribeSettings, type Theme } from "../data/settings";

const isDark = () => matchMedia("(prefers-color-scheme:dark)").matches;

function apply(): void {
  const { theme, isTechnical } = getSettings();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  document.documentElement.toggleAttribute("data-technical", isTechnical);
}

/** Follow the chosen theme, where `system` follows the operating system, and the switch for technical details. */
export function startTheme(): void {
  const asked = new URLSearchParams(location.search).get("theme");
  if (asked === "light" || asked === "dark" || asked === "system") setSettings({ theme: asked });
  if (new URLSearchParams(location.search).has("technical")) setSettings({ isTechnical: true });
  apply();
  subscribeSettings(apply);
}

/** The theme that the button switches to: the other one, and back to the system where that is the same. */
export function nextTheme(theme: Theme): Theme {
  const other: Theme = theme === "system" ? (isDark() ? "light" : "dark") : theme === "dark" ? "light" : "dark";
  return theme !== "system" && (other === "dark") === isDark() ? "system" : other;
}
