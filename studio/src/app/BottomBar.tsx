import { useConversation, useFlows } from "../data/hooks";
import { setLayout, useLayout, type Pane } from "../data/layout";
import { moveTo, navigate, useRoute } from "../data/route";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/icons";

const PANES: readonly [Pane, string, IconName][] = [
  ["list", "List", "list"],
  ["chat", "Chat", "chat"],
  ["why", "Why", "why"],
  ["graph", "Graph", "graph"],
];

/** The panes of a phone. */
export function BottomBar() {
  const route = useRoute();
  const { pane } = useLayout();
  const flows = useFlows();
  const flow = useConversation()?.summary?.flow ?? (route.page === "flow" ? route.flow : flows.data?.[0]?.name);
  const isOpen = route.page === "conversation";
  const show = (next: Pane) => {
    if (!isOpen) return history.back();
    moveTo({ view: next === "graph" || next === "draw" ? "graph" : "chat" });
    setLayout({ pane: next });
  };
  return (
    <nav className="tabbar" aria-label="Panes">
      {PANES.map(([name, label, icon]) => {
        const isCurrent = isOpen && (pane === name || (name === "graph" && pane === "draw"));
        return (
          <button key={name} type="button" aria-current={isCurrent ? "page" : undefined} disabled={!isOpen} onClick={() => show(name)}>
            <Icon name={icon} />
            {label}
          </button>
        );
      })}
      <button type="button" aria-current={route.page === "flow" ? "page" : undefined} disabled={!flow} onClick={() => flow && navigate({ page: "flow", flow })}>
        <Icon name="flow" />
        Flow
      </button>
    </nav>
  );
}
