import { openTab } from "../app/openTab";
import { useTiming } from "../data/timing";
import { Icon } from "../ui/Icon";
import "./time.css";
import { t } from "../i18n/t";

/** The overlays that are active now, beside the name of the conversation; a press shows all of them. */
export function ActiveOverlays() {
  const active = useTiming().data?.overlays.filter((one) => one.is_next) ?? [];
  if (!active.length) return null;
  return (
    <button type="button" className="active-overlays" onClick={() => openTab("time")}>
      <Icon name="overlay" />
      <span className="sr">{t("Active:")}{" "}</span>
      {active.map((one) => one.title).join(", ")}
    </button>
  );
}
