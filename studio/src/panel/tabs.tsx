import type { PanelTab } from "../data/route";
import type { Tab } from "../ui/Tabs";
import { t } from "../i18n/t";

/** The tabs of the debug panel. */
export const TABS: readonly Tab<PanelTab>[] = [
  { id: "why", label: t("Why") },
  { id: "state", label: t("State") },
  {
    id: "prompt",
    label: (
      <>
        {t("Prompt")}<span className="hw">{" "}{t("& tools")}</span>
      </>
    ),
  },
  { id: "events", label: t("Events") },
  { id: "time", label: t("Time") },
  { id: "ask", label: t("Ask") },
];

/** The same with the person's before them, where there is one. */
export const PERSON_TABS: readonly Tab<PanelTab | "person">[] = [{ id: "person", label: t("Person") }, ...TABS];
