import { act } from "../data/actions";
import { useConversation, useFlows, useScope } from "../data/hooks";
import { setLayout, useLayout } from "../data/layout";
import { flowTitle, inWords } from "../data/names";
import { useOperator } from "../data/operator";
import { moveTo, useRoute, type View } from "../data/route";
import { t, tx } from "../i18n/t";
import { setSettings, useSettings } from "../data/settings";
import { Button } from "../ui/Button";
import { ConversationName } from "../ui/ConversationName";
import { QueueLink } from "../queue/QueuePage";
import { ActiveOverlays } from "../time/ActiveOverlays";
import { Icon } from "../ui/Icon";
import { ConversationMenu } from "./ConversationMenu";
import { Link } from "./Link";
import { Liveness } from "./Liveness";
import { Menu, type Entry } from "./Menu";
import { nextTheme } from "./theme";

const PAGE_MENU: readonly Entry[] = [
  { label: t("Search"), run: () => setLayout({ dialog: "search" }) },
  { label: t("New conversation"), run: () => setLayout({ dialog: "new" }) },
  { label: t("Settings"), run: () => setLayout({ dialog: "settings" }) },
];

/** The bar above everything: where you are, whether it is live, and what you can do. */
export function TopBar() {
  const route = useRoute();
  const isOpen = route.page === "conversation";
  return (
    <header className="top">
      <Link className="brand" to={{ page: "start" }} aria-label={`turnwise, ${t("start page")}`}>
        <Icon name="brand" />
        <span>turnwise</span>
      </Link>
      {isOpen ? <Crumbs /> : <nav className="crumbs" aria-label={t("You are here")}>{route.page === "flow" && <FlowCrumb flow={route.flow} />}{route.page === "side" && <ol><li>{tx("{one} and {other}", { one: <b><ConversationName id={route.one} /></b>, other: <b><ConversationName id={route.other} /></b> })}</li></ol>}</nav>}
      <span className="grow" />
      {isOpen && <ViewSwitch />}
      <TopActions />
    </header>
  );
}

function FlowCrumb({ flow }: { flow: string }) {
  const title = useFlows().data?.find((one) => one.name === flow)?.title;
  return (
    <ol>
      <li>{title || inWords(flow)}</li>
    </ol>
  );
}

function Crumbs() {
  const route = useRoute();
  const conversation = useConversation();
  const summary = conversation?.summary;
  const flow = summary?.flow;
  if (route.page !== "conversation") return null;
  return (
    <nav className="crumbs" aria-label={t("You are here")}>
      <Button look="quiet" icon="list" label={t("Conversations")} className="drawer-button" onClick={() => setLayout((now) => ({ hasDrawer: !now.hasDrawer }))} />
      <ol>
        {flow && (
          <li className="hide wide">
            <Link to={{ page: "flow", flow }} title={flow}>
              {flowTitle(summary)}
            </Link>
          </li>
        )}
        {flow && (
          <li className="sep hide wide" aria-hidden="true">
            /
          </li>
        )}
        <li aria-current="page">
          <h1><ConversationName id={route.id} /></h1>
        </li>
      </ol>
      <Liveness />
      <ActiveOverlays />
    </nav>
  );
}

function ViewSwitch() {
  const route = useRoute();
  const canDebug = useScope("debug:read");
  const now = route.page === "conversation" ? route.view : "chat";
  const show = (view: View) => {
    moveTo({ view });
    setLayout({ pane: view });
  };
  return (
    <div className="seg hide" role="group" aria-label={t("Centre")}>
      <button type="button" aria-pressed={now === "chat"} onClick={() => show("chat")}>
        {t("Chat")}
      </button>
      <button type="button" aria-pressed={now === "graph"} onClick={() => show("graph")}>
        {t("Graph")}
      </button>
      {canDebug && (
        <button type="button" aria-pressed={now === "source"} onClick={() => show("source")}>
          {t("Source")}
        </button>
      )}
    </div>
  );
}

function TopActions() {
  const route = useRoute();
  const { hasPanel, theme } = useSettings();
  const { isPersonOpen } = useLayout();
  const canDebug = useScope("debug:read");
  const isAllowed = useScope("operator");
  const { isMine } = useOperator();
  const summary = useConversation()?.summary;
  const isOver = summary?.status === "ended";
  const isOpen = route.page === "conversation";
  return (
    <span className="acts2">
      {!isOpen && route.page !== "queue" && <QueueLink />}
      {isOpen && summary && canDebug && (
        <Button look="quiet" className="hide" icon="fork" aria-pressed={route.whatIf} onClick={() => act("what-if")}>
          {t("What if")}
        </Button>
      )}
      {isOpen && summary && isAllowed && (isPersonOpen || !isOver) && (
        <Button look="quiet" className="hide" icon="person" aria-pressed={isPersonOpen} onClick={() => setLayout({ isPersonOpen: !isPersonOpen, pane: isPersonOpen ? "chat" : "why" })}>
          {isMine ? t("Give back") : t("Take over")}
        </Button>
      )}
      <button type="button" className="btn quiet hide" aria-label={t("Search")} onClick={() => setLayout({ dialog: "search" })}>
        <Icon name="find" />
        <kbd aria-hidden="true">/</kbd>
      </button>
      {isOpen ? <ConversationMenu key={route.id} id={route.id} /> : <Menu label={t("More")} icon="menu" entries={PAGE_MENU} />}
      <Button look="quiet" icon="theme" label={t("Theme: {theme}. Switch", { theme })} onClick={() => setSettings({ theme: nextTheme(theme) })} />
      {isOpen && <Button look="quiet" className="hide" icon="panel" label={t("Debug panel, Ctrl Shift D")} aria-pressed={hasPanel} onClick={() => setSettings({ hasPanel: !hasPanel })} />}
      <button type="button" className="btn quiet icon hide" aria-label={t("Keyboard")} onClick={() => setLayout({ dialog: "keys" })}>
        ?
      </button>
    </span>
  );
}
