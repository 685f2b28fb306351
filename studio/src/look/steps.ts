import type { FlowSummary } from "../api/types";
import { formatQuestion } from "../ask/question";
import { begin } from "../data/begin";
import { setLayout } from "../data/layout";
import { inWords, nameOf } from "../data/names";
import { conversationRoute, navigate } from "../data/route";
import { sendTurn } from "../data/sending";
import { getSettings, setSettings } from "../data/settings";
import { openWhatIf } from "../whatif/draft";
import { t } from "../i18n/t";

/** A step of the guided look: what is seen now and what to do next, and what its button does. */
export interface Step {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly run: () => Promise<void> | void;
}

const called = (id: string) => inWords(nameOf(id));

function showPanel(): void {
  if (!getSettings().hasPanel) setSettings({ hasPanel: true });
  setLayout({ pane: "why", isPersonOpen: false, dialog: null });
}

/** The five steps with the conversations that the demonstration prepared for them. */
export function stepsOf(flow: FlowSummary): readonly Step[] {
  const look = flow.look;
  if (!look) return [];
  const { say, conversation, turn, field, value, against, waiting } = look;
  const at = { ...conversationRoute(conversation), turn };
  const [first, other, last] = [called(conversation), called(against), called(waiting)];
  return [
    {
      title: t("Ask"),
      text: t("“{name}” decides who may take part in a study for women of 38 or more. Say “{say}”, and see what it does.", { name: flow.title || inWords(flow.name), say }),
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
      text: t("The line between message and reply is a decision: 35 is too young. {first} corrected her age and asked what she agrees to, and it stayed again.", { first }),
      button: t("Open {first} at turn {turn}", { first, turn }),
      run: () => {
        showPanel();
        navigate(at);
      },
    },
    {
      title: t("Try a value"),
      text: t("The panel Why has each condition with its value and the words that it came from. Two hold, one is not known. Suppose that she agrees."),
      button: t("Try it"),
      run: () => {
        showPanel();
        navigate(at);
        openWhatIf({ [field]: value });
      },
    },
    {
      title: t("Compare"),
      text: t("With this value alone it would have gone on: nothing is guessed, the same rules are run again. {other} went on at once. What was different?", { other }),
      button: t("Compare with {other}", { other }),
      run: () => {
        showPanel();
        navigate({ ...at, tab: "ask", ask: formatQuestion({ kind: "against", conversation: against, turn: null }) });
      },
    },
    {
      title: t("Take over"),
      text: t("Each difference is there, with the value that made it. Last, {last} waits for a person. Take over, write, and give the conversation back.", { last }),
      button: t("Open {last}", { last }),
      run: () => {
        navigate(conversationRoute(waiting));
        setLayout({ pane: "why", isPersonOpen: true, dialog: null });
      },
    },
  ];
}
