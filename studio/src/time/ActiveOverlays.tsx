import { useTiming } from "../data/timing";
import { moveTo } from "../data/route";
import { setLayout } from "../data/layout";
import { setSettings } from "../data/settings";
import { Icon } from "../ui/Icon";
import "./time.css";

/** The overlays that are active now, beside the name of the conversation; a press shows all of them. */
export function ActiveOverlays() {
  const active = useTiming().data?.overlays.filter((one) => one.is_next) ?? [];
  if (!active.length) return null;
  const show = () => {
    moveTo({ tab: "time", whatIf: false });
    setSettings({ hasPanel: true });
    setLayout({ pane: "why", isPersonOpen: false });
  };
  return (
    <button type="button" className="active-overlays" onClick={show}>
      <Icon name="overlay" />
      <span className="sr">Active: </span>
      {active.map((one) => one.title).join(", ")}
    </button>
  );
}
