import type { ConversationSummary } from "../api/types";
import { useConversation } from "../data/hooks";
import { setLayout, useLayout, type Pane } from "../data/layout";
import { useList } from "../data/list";
import { conversationRoute, moveTo, navigate, useRoute } from "../data/route";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/icons";
import { t } from "../i18n/t";

const PANES: readonly [Pane, string, IconName][] = [
  ["list", t("List"), "list"],
  ["chat", t("Chat"), "chat"],
  ["why", t("Why"), "why"],
  ["graph", t("Graph"), "graph"],
];

/** The panes of a phone; on a page without a conversation, where to go from it. */
export function BottomBar() {
  const route = useRoute();
  return route.page === "conversation" ? <Panes /> : <Places />;
}

function Places() {
  const route = useRoute();
  const last = Object.values(useList().byId).reduce<ConversationSummary | null>((newest, one) => (newest && newest.at_ms > one.at_ms ? newest : one), null);
  const showList = () => {
    if (!last) return;
    setLayout({ pane: "list" });
    navigate(conversationRoute(last.id));
  };
  return (
    <nav className="tabbar places" aria-label={t("Pages")}>
      <button type="button" aria-current={route.page === "start" ? "page" : undefined} onClick={() => navigate({ page: "start" })}>
        <Icon name="flow" />
        {t("Start")}
      </button>
      {last && (
        <button type="button" onClick={showList}>
          <Icon name="list" />
          {t("Conversations")}
        </button>
      )}
      <button type="button" onClick={() => setLayout({ dialog: "new" })}>
        <Icon name="plus" />
        {t("New")}
      </button>
      <button type="button" onClick={() => setLayout({ dialog: "search" })}>
        <Icon name="find" />
        {t("Search")}
      </button>
    </nav>
  );
}

function Panes() {
  const { pane } = useLayout();
  const flow = useConversation()?.summary?.flow;
  const show = (next: Pane) => {
    moveTo({ view: next === "graph" || next === "draw" ? "graph" : "chat" });
    setLayout({ pane: next });
  };
  return (
    <nav className="tabbar" aria-label={t("Panes")}>
      {PANES.map(([name, label, icon]) => {
        const isCurrent = pane === name || (name === "graph" && pane === "draw");
        return (
          <button key={name} type="button" aria-current={isCurrent ? "page" : undefined} onClick={() => show(name)}>
            <Icon name={icon} />
            {label}
          </button>
        );
      })}
      <button type="button" disabled={!flow} onClick={() => flow && navigate({ page: "flow", flow })}>
        <Icon name="flow" />
        {t("Flow")}
      </button>
    </nav>
  );
}
