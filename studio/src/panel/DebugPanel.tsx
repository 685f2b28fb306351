import "./panel.css";

/** The debug panel: Why, State, Prompt & tools, Events; what-if replaces its body. */
export function DebugPanel() {
  return null;
}
