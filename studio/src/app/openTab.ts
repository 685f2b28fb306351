import { setLayout } from "../data/layout";
import { moveTo, type PanelTab } from "../data/route";
import { setSettings } from "../data/settings";

/** Shows a tab of the panel, also where the panel is hidden or another pane is in front. */
export function openTab(tab: PanelTab): void {
  moveTo({ tab, whatIf: false });
  setSettings({ hasPanel: true });
  setLayout({ pane: "why", isPersonOpen: false });
}
