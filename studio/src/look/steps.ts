import type { ConversationSummary, FlowSummary } from "../api/types";
import { formatQuestion } from "../ask/question";
import { begin } from "../data/begin";
import { setLayout } from "../data/layout";
import { inWords, nameOf } from "../data/names";
import { operatorName } from "../data/operator";
import { conversationRoute, navigate } from "../data/route";
import { sendTurn } from "../data/sending";
import { getSettings, setSettings } from "../data/settings";
import { cardText } from "../start/cardText";
import { openWhatIf } from "../whatif/draft";
import { t } from "../i18n/t";

/** A step of the guided look: what is seen now and what to do next, and what its button does. */
export interface Step {
  readonly title: string;
  readonly text: string;
  /** The message that it sends; empty for none. */
  readonly say?: string;
  readonly button: string;
  readonly run: () => Promise<void> | void;
}

const called = (id: string) => inWords(nameOf(id));

function showPanel(): void {
  if (!getSettings().hasPanel) setSettings({ hasPanel: true });
  setLayout({ pane: "why", isPersonOpen: false, dialog: null });
}

/** Who is awaited or in charge; `null` where the machine is, or the conversation has ended. */
export const personOf = (one: ConversationSummary | null): ConversationSummary["person"] => (one?.status === "person" ? one.person : null);

/** What stands behind the comparison: the conversation that waits for a person, unless another visitor was faster. */
function lastText(last: string, waits: ConversationSummary | null): string {
  const person = personOf(waits);
  if (!waits || (person && !person.operator)) return t("The one difference is there, with the words that made it. Rules do not answer everything: {last} waits for a person. Take over, write, and give the conversation back.", { last });
  if (person) return t("The one difference is there, with the words that made it. Rules do not answer everything: {last} waited for a person, and {operator} has taken over. See what a person sees, and what giving back would do.", { last, operator: operatorName(person) });
  return t("The one difference is there, with the words that made it. Rules do not answer everything: {last} waited for a person, who has given it back. See who took over, and what was decided then.", { last });
}

/** The five steps with the conversations that the demonstration prepared for them; `waits` is the one that waits for a person, as it stands. */
export function stepsOf(flow: FlowSummary, waits: ConversationSummary | null): readonly Step[] {
  const look = flow.look;
  if (!look) return [];
  const { say, conversation, turn, field, value, against_turn: other, waiting } = look;
  const at = { ...conversationRoute(conversation), turn };
  const [first, last] = [called(conversation), called(waiting)];
  return [
    {
      title: t("Ask"),
      text: t("“{name}” decides who may take part in a study for women of 38 or more. Say “{say}”, and see what it does.", { name: cardText(flow, flow.title || inWords(flow.name)).text, say }),
      say,
      button: t("Send it"),
      run: async () => {
        const id = await begin(flow.name);
        void sendTurn(id, { text: say });
        setLayout({ pane: "chat", isPersonOpen: false });
        navigate(conversationRoute(id));
      },
    },
    {
      title: t("See why it did not go on"),
      text: t("You said that you are 35. The line below your message says what was decided, and why: under age 38. {first} began like this, too, and corrected her age. See why it did not go on in turn {turn}.", { first, turn }),
      button: t("Open {first} at turn {turn}", { first, turn }),
      run: () => {
        showPanel();
        navigate(at);
      },
    },
    {
      title: t("Try a value"),
      text: t("{first} asked what she agrees to, and it stayed. The panel Why has what is needed: name and age hold, her agreement is not known. Suppose that she agrees.", { first }),
      button: t("Try it"),
      run: () => {
        showPanel();
        navigate(at);
        openWhatIf({ [field]: value });
      },
    },
    {
      title: t("Compare"),
      text: t("With this value alone it would have gone on: nothing is guessed, the same rules are run again. In turn {other} {first} did agree. What was different from turn {turn}?", { first, turn, other }),
      button: t("Compare with turn {other}", { other }),
      run: () => {
        showPanel();
        navigate({ ...at, tab: "ask", ask: formatQuestion({ kind: "against", conversation: "", turn: other }) });
      },
    },
    {
      title: waits && !personOf(waits) ? t("See what a person did") : t("Take over"),
      text: lastText(last, waits),
      button: t("Open {last}", { last }),
      run: () => {
        navigate(conversationRoute(waiting));
        setLayout({ pane: "why", isPersonOpen: !waits || personOf(waits) !== null, dialog: null });
      },
    },
  ];
}
