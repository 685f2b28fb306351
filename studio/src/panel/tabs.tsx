import type { PanelTab } from "../data/route";
import type { Tab } from "../ui/Tabs";

/** The tabs of the debug panel. */
export const TABS: readonly Tab<PanelTab>[] = [
  { id: "why", label: "Why" },
  { id: "state", label: "State" },
  {
    id: "prompt",
    label: (
      <>
        Prompt<span className="hw"> &amp; tools</span>
      </>
    ),
  },
  { id: "events", label: "Events" },
  { id: "time", label: "Time" },
  { id: "ask", label: "Ask" },
];

/** The same with the person's before them, where there is one. */
export const PERSON_TABS: readonly Tab<PanelTab | "person">[] = [{ id: "person", label: "Person" }, ...TABS];
