import { useEffect } from "react";
import { watch } from "../data/live";
import { useConversationId, useMe, useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { useRoute } from "../data/route";
import { FlowPage } from "../flow/FlowPage";
import { LookStrip } from "../look/FirstLook";
import { QueuePage } from "../queue/QueuePage";
import { SidePage } from "../side/SidePage";
import { Unsaved } from "../source/Unsaved";
import { StartPage } from "../start/StartPage";
import { Announcer } from "./Announcer";
import { ConversationPage } from "./ConversationPage";
import { Dialogs } from "./Dialogs";
import { useKeptFocus } from "./keptFocus";
import { useKeys } from "./keys";
import { LostPage } from "./LostPage";
import { NoAccess } from "./NoAccess";
import { Page } from "./Page";
import { LoadRefusal } from "../ui/Refusal";
import { useWaitingPersons } from "./waiting";

/** The problems of a reader that a key solves. */
const NEEDS_KEY = { unauthenticated: true, invalid_key: true };

/** The whole studio: the page that the address names, dialogs above it, keys for all of it. */
export function App() {
  const route = useRoute();
  const id = useConversationId();
  const me = useMe();
  const [shown, beside] = route.page === "side" ? [route.one, route.other] : route.page === "queue" && route.id ? [route.id, null] : [id, null];
  const canDebug = useScope("debug:read");
  const isKnown = me.data !== null;
  const isOperator = me.data !== null && !me.data.is_local && me.data.scopes.includes("operator") && !me.data.scopes.includes("admin");
  useKeys();
  useKeptFocus();
  useWaitingPersons();
  useEffect(() => {
    if (me.problem && me.problem.code in NEEDS_KEY) setLayout({ dialog: "key" });
  }, [me.problem]);
  useEffect(() => {
    if (isKnown) watch(shown, canDebug, beside);
  }, [shown, beside, canDebug, isKnown]);
  if (me.problem && (me.problem.status === 401 || me.problem.status === 403)) {
    return (
      <>
        <Page>
          <NoAccess problem={me.problem} />
        </Page>
        <Dialogs />
      </>
    );
  }
  if (me.problem && !me.data) {
    return (
      <>
        <Page>
          <div className="wrap">
            {id === null && <h1 className="sr">turnwise</h1>}
            <LoadRefusal problem={me.problem} loads="" />
          </div>
        </Page>
        <Dialogs />
      </>
    );
  }
  return (
    <div className="withlook">
      {route.page !== "start" && <LookStrip />}
      {route.page === "conversation" && <ConversationPage id={route.id} />}
      {(route.page === "queue" || (route.page === "start" && isOperator && !route.all)) && (
        <Page>
          <QueuePage id={route.page === "queue" ? route.id : ""} />
        </Page>
      )}
      {route.page === "start" && !(isOperator && !route.all) && (
        <Page>
          <StartPage />
        </Page>
      )}
      {route.page === "flow" && (
        <Page>
          <FlowPage flow={route.flow} />
        </Page>
      )}
      {route.page === "side" && (
        <Page>
          <SidePage one={route.one} other={route.other} turn={route.turn} />
        </Page>
      )}
      {route.page === "lost" && (
        <Page>
          <LostPage />
        </Page>
      )}
      <Dialogs />
      <Unsaved />
      <Announcer />
    </div>
  );
}
