// Generated from the server's OpenAPI document by scripts/types.mjs. Do not edit.

/** What a conversation does, as a headline: `Asks for “purpose”: 3 of 5 answered`. */
export type ActivityView = {
  /** What it does. */
  kind: "asks_about_budget" | "asks_another_item" | "asks_field" | "asks_item" | "asks_which_answer" | "asks_which_item" | "changes_answer" | "confirms" | "ended" | "failed" | "form_stopped" | "offers" | "waits_for_approval" | "waits_for_approvals" | "waits_for_message" | "waits_for_person" | "with_person" | "works";
  /** The headline in the language of the conversation. */
  text: string;
  /** The title of the inner conversation in charge; empty at the top. */
  inside: string;
  /** The headline in each language of the page, by its code. */
  texts?: Record<string, string>;
};

/** Put an item into a list field. An item of a list of records is its values by name; some may be missing. */
export type Add = {
  type: "add";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item, or its values by name. */
  item: unknown;
};

/** What a visitor of the demonstration may say in a node. */
export type Advice = {
  /** The address of the node. */
  node: string;
  /** The field that the form asks for; empty where none is asked. */
  field: string;
  /** The field that must not have been given yet; empty for none. */
  missing: string;
  /** What the visitor may say, each a whole message. */
  lines: (string)[];
};

/** Yes, to what the machine asked. */
export type Affirm = {
  type: "affirm";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The answer about a subject at the end of a turn. */
export type Answer = {
  /** The id of the conversation that was asked about. */
  conversation: string;
  /** What the question is about. */
  subject: Subject;
  /** The turn at whose end the answer holds. */
  turn: number;
  /** The position in the journal of the last entry that the answer takes into account. */
  seq: number;
  /** How the question was read, in words. */
  read_as: string;
  /** The facts that answer the question, the most direct answer first. */
  facts: (Fact)[];
  /** The answer in one sentence for the user of the conversation; empty if there is none. */
  plain?: string;
  /** The decisions that the answer refers to. */
  decisions?: (Decision)[];
  /** Other subjects with the same name, which the question may mean. */
  also?: (Subject)[];
  /** What the retention rules erased, and when; if not empty, facts may be missing. */
  erased?: (string)[];
  /** The answer in one line: the first fact. */
  line?: string;
  /** The code of the language of the sentences; only `plain` is in the language of the conversation. */
  language?: string;
};

/** What an answer would do, tried on a copy of the state without calling anything. */
export type AnswerOutlook = {
  /** The button that gives the answer. */
  label: string;
  /** The value that it sends. */
  value: string;
  /** What it would do, in a few words. */
  text: string;
  /** What would follow, in order. */
  steps?: (OutlookStep)[];
  /** What would have to be asked before more is known: a model or a tool; empty where nothing would. */
  stops_at?: "" | "model" | "tool" | "understanding";
};

/** A call that waits for approval: of a model, or of the node's own work. */
export type ApprovalRequest = {
  /** The tool that is called. */
  tool: string;
  /** Its arguments by name. */
  arguments: Record<string, unknown>;
  /** The id of the model's call; empty for the node's own work. */
  call?: string;
  /** The id of its effect from now on, so that repeated approvals approve the same call. */
  id?: string;
  /** True where it may have run already, before an undo. */
  was_begun?: boolean;
  /** Who may decide: the user, or only an operator. */
  approver?: "operator" | "user";
  /** When it began to wait; 0 in states of version 0.1. */
  since_ms?: number;
  /** When it is declined if no one decides; `None` if never. */
  due_ms?: number | null;
  /** The later calls of the same reply that need no approval: they wait for it. */
  behind?: (Call)[];
  /** True from the approval until the call is requested, in the same turn. */
  is_approved?: boolean;
  /** How often the user has answered neither yes nor no. */
  unclear?: number;
};

/** The user answered the question about a call neither with yes nor with no: the question is asked again. */
export type ApprovalUnclear = {
  type: "approval_unclear";
  /** The id of the call. */
  call: string;
  tool: string;
  /** False where the message was only a greeting or thanks, or asked for help, for time, or for the question. */
  is_counted?: boolean;
};

/** One schedule of a conversation: its next time, and what was handled. */
export type ArmedSchedule = [string, number, number, "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope", number, number];

/** Something that a form made for the host. */
export type Artefact = {
  /** The position of its event in the journal. */
  seq: number;
  /** The turn in which it was made. */
  turn: number;
  /** When it was made. */
  at_ms: number;
  /** What it is: a problem statement, a plan of answers so far, or a handover. */
  kind: "DRAFT_PLAN" | "HANDOFF" | "PROBLEM_STATEMENT";
  /** Its content, as the form made it. */
  data: Record<string, unknown>;
  /** True where a later undo took it back. */
  is_undone?: boolean;
};

/** Something for the host: `PROBLEM_STATEMENT`, `DRAFT_PLAN`, `HANDOFF`. */
export type ArtefactMade = {
  type: "artefact_made";
  /** What it is: the problem statement, a plan of the answers so far, or a handover. */
  kind: "DRAFT_PLAN" | "HANDOFF" | "PROBLEM_STATEMENT";
  /** Its content, for the host. */
  data: Record<string, unknown>;
};

/** Answer a question of the user aside, and go on. */
export type Ask = {
  type: "ask";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The question. */
  text: string;
};

/** An attempt of a call that failed and was repeated: why it failed, when it began, after how many milliseconds it failed, and where. */
export type Attempt = [string, number, number, string, "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "", string];

/** Ask the question before the open one again; its answer stays until it is replaced. */
export type Back = {
  type: "back";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A conversation that began, with its first turn. */
export type BegunConversation = {
  conversation: ConversationSummary;
  /** The first turn. */
  turn: TurnResult;
};

/** The user answered whether to go on beyond a budget. */
export type BudgetAnswered = {
  type: "budget_answered";
  /** The name of the budget. */
  budget: string;
  /** The period for which more was allowed. */
  period: string;
  /** How much more the user allowed; 0 for a no. */
  granted?: number;
};

/** A call was not made, for it would have gone beyond a budget. */
export type BudgetReached = {
  type: "budget_reached";
  /** The name of the budget. */
  budget: string;
  /** What the budget limits: money, tokens or time. */
  measure: "money" | "time" | "tokens";
  /** For how long it is: a turn, the conversation, a day. */
  per: "conversation" | "day" | "turn";
  /** The present one: the number of the turn, or the day. */
  period: string;
  /** What the budget allows. */
  amount: number;
  /** What was used of it. */
  spent: number;
  /** What was reserved for the call. */
  needed: number;
  /** What happens instead; with `model` another model is called. */
  then: "ask" | "end" | "hand_over" | "model" | "own_text";
  /** What the call was for. */
  purpose: string;
  /** The node that the call was for. */
  node: string;
  /** The model that was not called. */
  model?: string;
  /** The model that is called instead; empty if none is. */
  instead?: string;
  /** How much more the user is asked for; 0 if they are not asked. */
  wanted?: number;
  /** The currency of a budget of money; empty for others. */
  currency?: string;
};

/** A budget in its present period: what it allows with what the user granted, what is used and left, in words too. */
export type BudgetUse = {
  name: string;
  /** What it limits: money, tokens or time. */
  measure: "money" | "time" | "tokens";
  /** For how long it is: a turn, the conversation, a day. */
  per: "conversation" | "day" | "turn";
  /** What it allows, with what the user granted. */
  allowed: number;
  /** What is used of it. */
  spent: number;
  /** What is left of it. */
  left: number;
  /** What happens where the next call would go beyond it. */
  then: "ask" | "end" | "hand_over" | "model";
  /** The same in words. */
  text: string;
  /** True while another model is called because of it. */
  is_reached: boolean;
};

/** A button: what it shows, and the value that pressing it sends. */
export type Button = {
  /** The text that the button shows. */
  label: string;
  /** What pressing it sends. */
  value: string;
};

/** A call of a tool by a model. */
export type Call = {
  /** The id that Turnwise gives it: the effect that it came with, and its number there. */
  id: string;
  tool: string;
  /** The arguments by name. */
  arguments?: Record<string, unknown>;
  /** Why its arguments cannot be read; empty where they can. */
  wrong?: string;
};

/** The machine itself answered a call of a generated tool; the resulting events are recorded with it. */
export type CallAnswered = {
  type: "call_answered";
  /** The id of the call. */
  call: string;
  tool: string;
  /** What the model gets back. */
  result: Record<string, unknown>;
};

/** A call that waited was approved by a decision of a client. */
export type CallApproved = {
  type: "call_approved";
  /** The id of the call. */
  call: string;
  tool: string;
  /** The arguments that are approved. */
  arguments: Record<string, unknown>;
  /** Who approved it; empty if that is not known. */
  by?: string;
  /** Who had to decide: the user, or an operator. */
  approver?: "operator" | "user";
  /** True where the arguments are others than the call had. */
  is_edited?: boolean;
};

/** The decision about one call. */
export type CallChoice = {
  /** The `id` of the call. */
  call: string;
  /** False to decline it. */
  approve: boolean;
  /** The arguments to change, by name. */
  arguments?: Record<string, unknown>;
  /** Why it is declined. */
  reason?: string;
};

/** The decision about one call that waits for approval. */
export type CallDecision = {
  /** The id of the call. */
  call: string;
  /** True to approve, false to decline. */
  approve: boolean;
  /** The arguments to change, with their new values. */
  arguments?: Record<string, unknown>;
  /** Why it is declined. */
  reason?: string;
};

/** A call waits for approval (law 4.5). */
export type CallHeld = {
  type: "call_held";
  tool: string;
  /** The arguments as they will be given to the tool. */
  arguments: Record<string, unknown>;
  /** The id of the model's call; empty where the tool is the work of the node. */
  call?: string;
  /** The id under which it will be run. */
  effect?: string;
  /** Who may decide: the user, or only an operator. */
  approver?: "operator" | "user";
  /** When it began to wait. */
  since_ms?: number;
  /** When it is declined if no one decides; `None` if never. */
  due_ms?: number | null;
};

/** Let the model speak for the node in charge; answered by `ModelReplied` or `ModelFailed`. */
export type CallModel = {
  type: "call_model";
  /** The id of the effect, by which its result names it. */
  id: string;
  /** What for: the node's work, an aside, wording a question or an offer, choosing a way out, a scope's summary. */
  purpose?: "aside" | "choose" | "offer" | "reply" | "summary" | "word";
  /** The question or the opener to word, the question to answer aside, or the outcome with which the scope closes. */
  about?: string;
};

/** A call that needs no approval waits, because an earlier call of its reply waits for approval. */
export type CallQueued = {
  type: "call_queued";
  /** The id of the call. */
  call: string;
  tool: string;
};

/** A call was not run: the reason for machines, the text for the model. */
export type CallRefused = {
  type: "call_refused";
  /** The id of the call. */
  call: string;
  tool: string;
  /** The code of the reason. */
  reason: "already_open" | "arguments" | "cannot_open" | "declined" | "dropped" | "expired" | "fork" | "not_allowed" | "not_json" | "not_open" | "out_of_sequence" | "replaced" | "unknown_tool" | "waiting";
  /** The reason in words, for the model. */
  text: string;
  /** The person who declined it, where the host named one; else empty. */
  by?: string;
};

/** What a call used, in a flow with budgets: of a model, or of a tool, which only takes time. */
export type CallSettled = {
  type: "call_settled";
  /** The id of the call. */
  effect: string;
  /** The amounts that it used. */
  used: Used;
  /** The local day of the conversation. */
  day: string;
  /** What the model was called for. */
  purpose?: string;
  /** The model that was called; empty for a tool. */
  model?: string;
  /** The tool that was called; empty for a model. */
  tool?: string;
  /** The node that the call was for. */
  node?: string;
  /** The tokens of the prompt. */
  tokens_in?: number;
  /** The tokens of the reply. */
  tokens_out?: number;
  /** How many of `tokens_in` the provider had cached. */
  cached?: number;
  /** What was reserved for it. */
  reserved?: Used | null;
  /** True where the provider counted no tokens. */
  is_estimated?: boolean;
  /** True where the process ended before the reply came, and what was reserved counts. */
  is_lost?: boolean;
};

/** A call of a tool in this turn, and what came of it. */
export type CallView = {
  /** The id of the call. */
  id: string;
  tool: string;
  /** What the tool was called with, by name; secrets are redacted. */
  arguments: Record<string, unknown>;
  /** What came of it; `answered` by the machine itself, `unknown` while its result is missing. */
  status: "answered" | "failed" | "refused" | "returned" | "unknown" | "waiting";
  /** What the tool returned, as JSON data. */
  result: unknown;
  /** Why it failed or was refused, in words. */
  error: string;
  /** The code of a refusal; `host` where a program used the tool itself. */
  reason: string;
  /** The position of the call in the journal. */
  seq: number;
  /** How long the tool ran. */
  took_ms: number | null;
};

/** The results of these turns were not delivered, because their callers had left. If there are none, a refusal has reported all undelivered turns. */
export type CallerLeft = {
  type: "caller_left";
  /** The numbers of the turns. */
  turns: (number)[];
  /** The numbers of undelivered turns that the machine started itself. */
  unprompted?: (number)[];
};

/** Calls that wait were approved or declined, each by itself (law 4.5). */
export type CallsDecided = {
  type: "calls_decided";
  /** One for each call that was decided. */
  decisions: (CallDecision)[];
  /** Who decided; empty if that is not known. */
  by?: string;
  /** True for a person with the right of operators, who decides what the user may not. */
  is_operator?: boolean;
};

/** Stop the form or the scope. */
export type Cancel = {
  type: "cancel";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** Set a value of an item of a list of records; the value `None` removes it. */
export type Change = {
  type: "change";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is changed. */
  item: string | number | Record<string, unknown>;
  /** The name of the value. */
  name: string;
  /** The new value, as it was understood; `None` removes the old one. */
  value?: unknown;
};

/** A conversation in which decisions would differ: how many, and the first turn with one. */
export type ChangedConversation = {
  conversation: string;
  /** How many of its decisions would differ. */
  differs: number;
  /** The first turn with one. */
  turn: number;
};

/** The item that was added or changed last, in which list and turn; without an id where the turn changed several. */
export type ChangedItem = [number, string, string];

/** The problems of a document of a flow. */
export type CheckedText = {
  /** The path of the document. */
  file: string;
  problems: (EditedProblem)[];
};

/** The problems of the edited document, and of those that it imports or that import it. */
export type CheckedTexts = {
  /** Each with its problems; without problems it is correct. */
  files: (CheckedText)[];
};

/** Take a field's value away. */
export type Clear = {
  type: "clear";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the field. */
  field: string;
};

/** By how many seconds to move the clock forward. */
export type ClockMove = {
  /** The seconds. */
  advance_s: number;
};

/** The time of the server, how far it is ahead of the real one, and how many timers fired. */
export type ClockView = {
  /** The time of the server now. */
  now_ms: number;
  /** How far it is ahead of the real time. */
  ahead_ms: number;
  /** How many timers and schedules fired by the move. */
  fired: number;
};

/** One call of a Python guard: what it returned, what it read, what it raised, and where (`file:line`). */
export type CodeRun = {
  /** The name of the guard. */
  guard: string;
  /** What it returned; `None` if it raised. */
  returned?: unknown;
  /** The values that it read, by field. */
  reads?: Record<string, unknown>;
  /** The exception that it raised; empty if it raised none. */
  error?: string;
  /** The `file:line` that raised. */
  at?: string;
};

/** A command that sets no field was applied. */
export type CommandApplied = {
  type: "command_applied";
  /** Which command. */
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "move" | "other" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  /** The field that it is about. */
  field?: string;
  /** What it was given, such as the question of `ask`. */
  text?: string;
  /** What a scope that was asked for is opened with, by field. */
  input?: Record<string, unknown>;
};

/** What one command of this turn did. */
export type CommandOutcome = ["add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "cleared" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "missed" | "move" | "other" | "refused" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why", string, string, string];

/** A command was refused: the reason for machines, the text for people. */
export type CommandRefused = {
  type: "command_refused";
  /** Which command. */
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "deny" | "edit" | "hand_over" | "help" | "move" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  /** The code of the reason. */
  reason: "already_applied" | "already_known" | "already_open" | "ambiguous" | "answers" | "arguments" | "beside_question" | "blank" | "boolean" | "cannot_open" | "choice" | "contradicted" | "date" | "datetime" | "derived" | "digits" | "doubtful" | "duration" | "email" | "form_cancelled" | "form_closed" | "fraction" | "handed_over" | "integer" | "item" | "items" | "length" | "list" | "list_bytes" | "max" | "min" | "misquoted" | "no_field" | "no_item" | "no_list" | "no_options" | "no_person" | "no_plain_yes" | "no_position" | "no_value" | "not_asked_here" | "not_exposed" | "not_named" | "nothing_before" | "nothing_to_affirm" | "nothing_to_cancel" | "nothing_to_clear" | "nothing_to_confirm" | "nothing_to_deny" | "nothing_to_edit" | "nothing_to_skip" | "nothing_to_start" | "number" | "option" | "option_changed" | "option_gone" | "pattern" | "phone" | "placeholder" | "question" | "repeated" | "required" | "secret_not_asked" | "several_items" | "skipped" | "string" | "time" | "unknown_argument" | "unknown_field" | "unsupported" | "validate" | "write";
  /** The field that it is about. */
  field?: string;
  /** The reason in words, for people. */
  text?: string;
  /** The text for models, where it has dates and numbers in another form; else empty. */
  iso?: string;
  /** A scope that was to begin after another, and is not waited for any more. */
  scope?: string;
  /** The id of the item of a list that the command is about. */
  item?: string;
  /** The field of that item. */
  name?: string;
};

/** Commands came from the host: an importer, a test, another understanding. */
export type Commands = {
  type: "commands";
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
  /** Who sent them over the API; empty if that is not known. */
  by?: string;
};

/** What may be written: the text, what it is, and a line about it. */
export type CompletionOffer = {
  /** The text that is inserted. */
  label: string;
  /** What it is: a key, a node, a field. */
  kind: "field" | "function" | "key" | "name" | "value" | "word";
  /** A line about it. */
  detail: string;
};

/** What may be written instead of a part of the text. */
export type CompletionView = {
  /** The part of the text that is replaced. */
  range: TextRange;
  /** What may be written, best first. */
  offers: (CompletionOffer)[];
  /** True where more would fit. */
  is_incomplete: boolean;
};

/** One candidate of a decision. */
export type Considered = {
  /** The name of the transition. */
  id: string;
  /** What came of it: taken, false, unknown, outranked, not reached. */
  outcome: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
  /** What taking it does. */
  action: "block" | "call" | "end" | "return" | "stay" | "to";
  /** The node or scope that it leads to. */
  target?: string;
  /** Where it is declared: at the node, for the whole flow, at its target. */
  level?: "enter" | "flow" | "node";
  /** Lower numbers are judged first. */
  priority?: number;
  /** Why the author wants it. */
  because?: string;
  /** Its `file:line` in the flow. */
  source?: string;
  /** True where its rule only describes a Python guard, which decides. */
  is_mirror?: boolean;
  /** Who outranked it, why it was not reached, or what blocked it. */
  by?: string;
  /** Every part of its guard with its verdict. */
  verdict?: Leaf | Group | null;
  /** The fields without a value that the guard reads. */
  missing?: (string)[];
  /** Up to three irreducible sets of field changes, each of which would make the guard hold. */
  needs?: ((Need)[])[];
  /** Where there is no such set: up to three other ways, each with a condition that no field change can flip. */
  in_words?: (string)[];
  /** What is different from the judging before. */
  changed?: (JudgingChange)[];
  /** Its Python guard, where it has one. */
  code?: GuardCode | null;
  /** What undid its move. */
  failure?: Failure | null;
  /** True where its move is made with the next message (`reply: next`). */
  planned?: boolean;
  /** True where the flow says that it is never what a conversation is nearest to. */
  is_exception?: boolean;
};

/** An autonomous flow starts its next turn without a message (law 2.8). */
export type Continued = {
  type: "continued";
};

/** A page of conversations, the most recently changed first. */
export type ConversationList = {
  conversations: (ConversationSummary)[];
  /** How many match. A text is searched in 5,000 conversations; then it is how many of them match, from this page on. */
  total: number;
  /** The cursor of the next page; `None` at the end. */
  next: string | null;
  /** False where older conversations are not searched yet, so that there are at least `total`: ask for `next`, also after a page without conversations. */
  is_complete: boolean;
};

/** One conversation in a list. */
export type ConversationSummary = {
  /** With keys it begins with the owner: `ada:x`. */
  id: string;
  /** The name of its flow. */
  flow: string;
  /** The version number of the flow that it uses. */
  version: number;
  /** `waiting` for the user, `working` on a turn or for a result, with a `person`, or over. */
  status: "ended" | "failed" | "person" | "waiting" | "working";
  /** The node in charge. */
  node: string;
  /** The number of its last turn. */
  turn: number;
  /** The position of its last entry in the journal. */
  seq: number;
  /** When it last changed. */
  at_ms: number;
  /** What it waits for; empty where it is over. */
  waits_for: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user" | "" | "person";
  /** Since when it waits, or is over. */
  since_ms: number;
  /** The outcome with which it ended; empty while it goes on. */
  outcome: string;
  /** The owner, which is the part of the id before the colon; empty without one. */
  owner: string;
  /** The end of the last message, for search results. */
  snippet: string;
  /** The timers that are armed, the next one first. */
  timers: (TimerView)[];
  /** The schedule that fires next; `None` if none does. */
  next_schedule: NextSchedule | null;
  /** The person who is in charge, or for whom it waits. */
  person: PersonView | null;
  /** What a list points out: in its last decisions a rule that disagrees with its Python guard, or a guard that failed; that it is a fork; that the flow has a newer version. */
  marks: ("code_differs" | "fork" | "guard_error" | "other_version")[];
  /** What it does, in short: `Asks for purpose, 3 of 5`; empty for its user. */
  headline: string;
  /** The same in each language of the page, by its code. */
  headlines: Record<string, string>;
  /** The language of the conversation: that of its texts, labels and values. */
  language: string;
  /** What people call it: the fields that name it, the id that was chosen for it, its first words, or flow and time; empty for its user. */
  name: string;
  /** What people call the flow. */
  flow_title: string;
  /** What people call the node. */
  node_title: string;
};

/** Add copies of an item of a list of records at its end, with some values changed. */
export type Copy = {
  type: "copy";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is copied. */
  item: string | number | Record<string, unknown>;
  /** How many copies. */
  count?: number;
  /** Other values of the copies, by name. */
  changes?: Record<string, unknown>;
};

/** How often stored conversations visited each node and took each transition. */
export type Coverage = {
  /** How often each node was visited. */
  nodes: Record<string, number>;
  /** How often each transition was judged and taken. */
  edges: (EdgeHistory)[];
  /** How many conversations were counted. */
  conversations: number;
};

/** One question of a form over data, with its allowed answers, and those that stop the form or are right. */
export type DataQuestion = {
  /** The name of the question, by which its answer is found. */
  id: string;
  /** The text of the question. */
  ask: string;
  /** The allowed answers; empty where any text is one. */
  options?: (string)[];
  /** The answers that end the form. */
  stop?: (string)[];
  /** The reply to such an answer. */
  stop_say?: string;
  /** The right answers, where the questions are a test. */
  right?: (string)[];
};

/** Decisions about calls that wait, each by itself. If one of them is refused, none counts. */
export type Decide = {
  /** One for each call that is decided; the others go on waiting. */
  decisions: (CallChoice)[];
};

/** Decisions of an operator. With keys the owner of the key is recorded as the operator. */
export type DecideAsOperator = {
  /** One for each call that is decided; the others go on waiting. */
  decisions: (CallChoice)[];
  /** Who decides, on a server without keys. */
  operator?: string;
};

/** A moment was judged: one letter per candidate, and the values that were read. */
export type Decided = {
  type: "decided";
  /** The node in charge. */
  node: string;
  /** The moment that was judged. */
  moment: string;
  /** One letter per candidate. */
  outcomes: string;
  /** The index of the candidate that was taken, -1 for none. */
  taken?: number;
  /** The values that were read, as `Candidates.keys`: fields, then roots; of longer lists, field and length. */
  reads?: unknown[];
  /** The calls of Python guards. */
  code?: (CodeRun)[];
  /** On which values an `enter_when` was judged, by node. */
  marks?: Record<string, number>;
  /** The timer that fired, or the event that came. */
  firing?: string;
  /** The person who decided; the letters of the others are as the machine would have judged. Empty for the machine. */
  operator?: string;
  /** Why the person decided so. */
  because?: string;
  /** How retention took away what the decision read; `None` if it did not. */
  trimmed?: Erasure | null;
  /** How a form broke off, after which only its own ways were judged; empty if none did. */
  broken_off?: "" | "cancelled" | "handed_off" | "left" | "stopped";
  /** On which values a `call` was judged, by transition. */
  calls?: Record<string, number> | null;
};

/** One judging of a moment: every candidate, in the order of judging, and a line that sums it up. */
export type Decision = {
  conversation: string;
  /** Its position in the journal. */
  seq: number;
  /** The turn in which it was made. */
  turn: number;
  /** When it was made, in milliseconds since 1970. */
  at_ms: number;
  /** The node in charge. */
  node: string;
  /** The moment that was judged. */
  moment: string;
  /** The decision in one line. */
  line: string;
  /** The transitions that were judged, in order. */
  candidates?: (Considered)[];
  /** The name of the transition that was taken; empty if none was. */
  taken?: string;
  /** The overlays that were active. */
  overlays?: (string)[];
  /** Set where the rules and the Python guard chose differently. */
  mirror_disagrees?: Disagreement | null;
  /** What an `error` moment was judged for. */
  failure?: Failure | null;
  /** True where it was never made: its outcomes say what would come of it. */
  hypothetical?: boolean;
  /** The fields in which the move that it chose set nothing. */
  nothing_set?: (NothingSet)[];
  /** The person who made it; empty where the machine did. */
  operator?: string;
  /** Why the person made it. */
  reason?: string;
  /** Which values that it read retention erased, when, and by which rule; empty if none. */
  erased?: string;
};

/** Which decision. */
export type DecisionQuery = {
  /** The number of its turn, by default of the last one that decided something. */
  turn?: number | null;
  /** Its name, or that of its target. */
  transition?: string | null;
};

/** A decision with what a client needs beside the record: no client parses a sentence. */
export type DecisionView = {
  /** The record, with all candidates. */
  decision: Decision;
  /** `Stayed in introduction`, `Moved to profiler`. */
  headline: string;
  /** The rest of the verdict line. */
  detail: string;
  /** The same in one line, as the chat shows it. */
  seam: Seam;
  /** The candidate that was nearest to holding. */
  nearest: string;
  /** The moment of each rule of `evaluatedRules`, by its id. */
  moments: Record<string, string>;
  /** The payload of `debug_transition_eval`. */
  evaluation: Record<string, unknown>;
  /** How often each candidate was judged and taken before, by its id. */
  histories: Record<string, EdgeHistory>;
  /** Where the value of each operand came from, by name. */
  places: Record<string, Origin>;
  /** Whether `changed` of its candidates compares it with an earlier judging of the node at the moment. */
  is_compared: boolean;
};

/** Which deliveries: of one status or any, after a number. */
export type DeliveriesQuery = {
  /** Empty for every status. */
  status?: "delivered" | "failed" | "sending" | "waiting" | "";
  /** The number of the last delivery that the client has. */
  after?: number;
  /** How many deliveries a page has at most. */
  limit?: number;
};

/** Deliveries, the oldest first. */
export type DeliveryPage = {
  deliveries: (DeliveryView)[];
  /** The number to continue after; `None` at the end. */
  next: number | null;
};

/** A delivery of the messages of one turn. */
export type DeliveryView = {
  /** The same in each attempt. */
  id: string;
  /** Its place in the order of all deliveries. */
  number: number;
  conversation: string;
  /** The turn whose messages it has. */
  turn: number;
  /** When it was queued. */
  at_ms: number;
  /** What began the turn, in words. */
  about: string;
  /** Whether it waits, is sent now, was delivered, or was given up. */
  status: "delivered" | "failed" | "sending" | "waiting";
  /** How many attempts were begun. */
  attempts: number;
  /** When the next attempt is due. Where it is `None` while the delivery waits, an earlier one of the conversation goes first. */
  due_ms: number | null;
  /** When it was delivered or given up; `None` while it waits. */
  done_ms: number | null;
  /** Why the last attempt failed; empty if none did. */
  error: string;
  /** The turn that reported a failed delivery to its caller; 0 if none did. */
  reported_in: number;
};

/** A piece of a model's text, before the turn is stored. A `message` of the turn replaces all of its pieces. */
export type DeltaSent = {
  type: "delta";
  conversation: string;
  turn: number;
  /** The node that speaks. */
  node: string;
  /** The id of the model call that the text comes from. */
  effect: string;
  /** The piece, or all of the text where `is_whole`. */
  text: string;
  /** True where `text` is everything so far: for a client that connects in the middle, and where earlier pieces are withdrawn; it replaces earlier pieces. */
  is_whole: boolean;
};

/** What the demonstration prepares for a flow: a remark, the first question, conversations and lines to say. */
export type Demonstration = {
  /** A remark for the visitor. */
  tries?: string;
  /** The first question of the flow's first form. */
  asks?: string;
  /** The prepared conversations. */
  openings?: (Opening)[];
  /** What to say in each place. */
  advice?: (Advice)[];
  /** The guided look; `None` without one. */
  look?: FirstLook | null;
  /** Its texts in other languages of the page: by the code of the language, then by the English text. */
  texts?: Record<string, Record<string, string>>;
};

/** No, to what the machine asked. */
export type Deny = {
  type: "deny";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A problem of the flow's document. */
export type DiagnosticView = {
  /** Its code, such as `TW041`. */
  code: string;
  severity: "error" | "warning";
  /** What is wrong. */
  message: string;
  /** What to do; empty where nothing is suggested. */
  hint: string;
  /** The path of the document. */
  file: string;
  /** From 1; 0 where the place is not known. */
  line: number;
  /** From 1; 0 where the place is not known. */
  column: number;
};

/** A mirror rule and the Python guard that it describes chose differently (law 2.16). */
export type Disagreement = {
  /** What the rules chose. */
  rules: string;
  /** What the Python guard chose. */
  code: string;
};

/** The server stops soon: connect again with the cursor. */
export type Draining = {
  type: "draining";
  /** How long to wait before that. */
  retry_ms: number;
};

/** Words of a message (start and end, in characters) that stand for a value of a field, and for which nothing was proposed. None are recorded where the message may give a secret. */
export type Dropped = {
  /** Start and end of the words in the message, in characters. */
  words: [number, number];
  /** The field whose value they stand for. */
  field: string;
  /** The value that they stand for. */
  value: unknown;
  /** Why nothing was proposed. */
  reason: "about_another" | "corrected" | "denied" | "doubtful" | "elsewhere" | "not_alone" | "other_words" | "question" | "several";
};

/** What an event would do, without effects. Without `debug:read` there are no `moves`, `values` and `why`. */
export type DryRun = {
  /** False where only a model, a tool or an understanding of the host could say. */
  is_known: boolean;
  /** Which of these would have to be asked; empty where the outcome is known. */
  decided_by: "" | "model" | "tool" | "understanding";
  /** The code of the refusal; empty where the event would be accepted. */
  refused: string;
  /** What would be replied, or the reason of the refusal. */
  text: string;
  /** The transitions that would be taken, in order. */
  moves: (string)[];
  /** The node in which the turn would end. */
  node: string;
  /** The values that would change, by field. */
  values: Record<string, unknown>;
  /** Why the outcome is not known, in words. */
  why: string;
};

/** One event to try: exactly one of `text`, `button` (with `position`) and `commands`. */
export type DryRunRequest = {
  /** A message of the user. */
  text?: string | null;
  /** The value or label of a button that the user would press. */
  button?: string | null;
  /** The position of the turn that offered the button. */
  position?: number | null;
  /** Commands instead of words, from a program. */
  commands?: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[] | null;
};

/** Something that the conversation does by itself, the next time that it does it. */
export type DueView = {
  /** What kind of thing it is: a timer, a schedule. */
  kind: "schedule" | "timer";
  /** Its name in the flow. */
  name: string;
  /** What people call it. */
  title: string;
  /** When it is due; `None` where that is not known. */
  due_ms: number | null;
  /** What happens when it fires. */
  does: string;
  /** What a question of why calls it; empty where there is none. */
  subject: string;
  /** Why the author wants it. */
  because: string;
  /** The node of a timer. */
  node: string;
  /** Why it waits although it is due, or would wait now; empty if it would not. */
  held_by: "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope";
  /** True where an admin may fire it now. */
  can_fire: boolean;
  /** When it fires, if that is known and later than it is due. */
  fires_ms: number | null;
};

/** How often a transition was judged, held and taken, in one conversation or in all. */
export type EdgeHistory = {
  /** The node at which it was judged. */
  node: string;
  /** When its guard is judged. */
  moment: string;
  transition: string;
  /** The node that it leads to. */
  target: string;
  /** How often its guard was judged. */
  judged: number;
  /** How often its guard held, whether or not it was taken. */
  held: number;
  /** How often it was taken. */
  taken: number;
  /** The counts in words. */
  line: string;
  /** How often it had each outcome. */
  outcomes: Record<string, number>;
};

/** Change an answer; without a field the machine asks which. */
export type Edit = {
  type: "edit";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The field whose answer is changed. */
  field?: string;
};

/** A document of a flow as an author has it: its path, as `GET …/source` names it, and its text. */
export type EditedDocument = {
  /** The path. */
  file: string;
  /** The text in the editor. */
  text: string;
};

/** The document that an author edits. */
export type EditedDocuments = {
  /** The path of the edited document. */
  file: string;
  /** Its text in the editor. */
  text: string;
  /** Other documents that the author changed and did not save. */
  others?: (EditedDocument)[];
};

/** A problem of a text, the part that it is about, and its repairs. */
export type EditedProblem = {
  /** The code of the diagnostic, such as `TW041`. */
  code: string;
  severity: "error" | "warning";
  /** What is wrong. */
  message: string;
  /** What to do; empty where nothing is suggested. */
  hint: string;
  /** The part of the text that it is about. */
  range: TextRange;
  /** The edits that would solve it. */
  repairs: (RepairView)[];
};

/** An effect was requested, such as a model call; the turn waits for its result. */
export type EffectAsked = {
  type: "effect_asked";
  /** The effect. */
  effect: Understand | CallModel | RunTool | RecallWords | RecallState;
};

/** A durable entry of the journal; needs `debug:read`. */
export type EntrySent = {
  type: "entry";
  conversation: string;
  entry: EventRow;
};

/** An event that retention erased. */
export type Erased = {
  type: "erased";
  /** The tag of the event that was erased. */
  kind: string;
  /** How it was erased; given with the last event of a turn only. */
  by?: Erasure | null;
};

/** When retention erased something, and for how many days it keeps such. */
export type Erasure = {
  /** When it was erased, in milliseconds since 1970. */
  at_ms: number;
  /** For how many days retention keeps such. */
  days: number;
};

/** A rule as it was judged. */
export type EvaluatedRule = {
  /** The name of the transition. */
  id: string;
  /** The guard in words. */
  description: string;
  /** The fields that it reads. */
  fields: (string)[];
  /** True if the rule holds. */
  passed: boolean;
  /** What follows when the rule holds. */
  result: RuleResult;
};

/** The rules of a node as they were judged, before its work and after it. */
export type EvaluatedRules = {
  /** The rules before the work of the node. */
  pre: (EvaluatedRule)[];
  /** All other rules. */
  post: (EvaluatedRule)[];
};

/** The payload of seed 000, with the conversation beside it. */
export type EvaluationSent = {
  type: "debug_transition_eval";
  conversation: string;
  data: TransitionEval;
};

/** What happened in another system: the name of the event, its data, and its position in the journal. */
export type EventData = [string, Record<string, unknown>, number];

/** An event of another system waits for this frame. */
export type EventHeld = {
  type: "event_held";
  /** The name of the event. */
  name: string;
  /** Its values by field. */
  data?: Record<string, unknown>;
  /** The scope that is open above the frame; empty where a person takes part. */
  inside?: string;
};

/** Entries after a position. */
export type EventPage = {
  events: (EventRow)[];
  /** The position of the last entry of the journal. */
  last: number;
  /** The position to continue after; `None` at the end. */
  next: number | null;
};

/** Something happened in another system: the name of the event, its data, and who sent it over the API. */
export type EventReceived = {
  type: "event_received";
  /** The name of the event in the flow. */
  name: string;
  /** Its values by field. */
  data?: Record<string, unknown>;
  /** Who sent it over the API. */
  by?: string;
};

/** An event from outside was refused and began no turn; nothing else changed. A message's words are not kept. */
export type EventRefused = {
  type: "event_refused";
  /** The kind of turn that it would have begun. */
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  /** The code of the refusal. */
  code: "approver" | "arguments" | "busy" | "conversation_ended" | "event_too_long" | "events_waiting" | "flow_unavailable" | "key_reused" | "message_empty" | "message_too_long" | "no_person" | "not_awaited" | "not_due" | "not_going_on" | "not_json" | "other_flow" | "result_too_long" | "stale" | "store_unavailable" | "taken_over" | "unknown_button" | "unknown_call" | "unknown_conversation" | "unknown_event" | "unknown_field" | "unknown_schedule" | "unknown_time_zone" | "unknown_timer" | "unknown_tool" | "unknown_transition" | "unknown_turn" | "value_refused";
  /** The reason as its sender got it. */
  text: string;
  /** The button, timer, tool, transition or turn that it named; empty if none. */
  name?: string;
  /** The person who sent it; empty if none did. */
  operator?: string;
};

/** The first event that waits for this frame is judged now, once: the frame is in charge, and no person takes part. */
export type EventResumed = {
  type: "event_resumed";
  /** The name of the event. */
  name: string;
};

/** An entry of the journal. */
export type EventRow = {
  /** Its position in the journal. */
  seq: number;
  turn: number;
  /** When it was written, in milliseconds since 1970. */
  at_ms: number;
  /** The tag of the event, such as `field_set`. */
  kind: string;
  /** What happened, in one line. */
  line: string;
  /** What it is about, as a question of why names it: `field user.age`; empty for nothing. */
  subject: string;
  /** The event itself, with secrets redacted. */
  event: Started | UserSaid | UserChose | Commands | ToolUsed | TimerFired | ScheduleDue | EventReceived | Continued | CallsDecided | UndoAsked | TakenOver | OperatorSaid | GivenBack | Understood | UnderstandingFailed | ModelReplied | ModelFailed | ToolReturned | ToolFailed | WordsRecalled | StateRecalled | FieldSet | FieldCleared | ItemAdded | ItemChanged | ItemRemoved | ItemMoved | NothingSet | FieldShelved | FieldRevived | LanguageChanged | TimeZoneChanged | ScheduleFired | CommandApplied | CommandRefused | Missed | Decided | MovePlanned | MovePutOff | JudgingPlanned | Moved | QuestionsFixed | OptionsFixed | FormChanged | FormClosed | Said | CallAnswered | CallRefused | CallHeld | CallQueued | ApprovalUnclear | CallApproved | SequenceAdvanced | WorkDone | ScopeOpened | ScopeClosed | Offered | OfferClosed | EventHeld | EventResumed | PersonAwaited | NobodyCame | ArtefactMade | EffectAsked | Faulted | Warned | Undone | EndedEvent | FailedEvent | TurnEnded | WordsHidden | GiveBackRefused | OverlaysChanged | OverlayForced | CallSettled | BudgetReached | BudgetAnswered | TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased;
  /** True where retention erased it. */
  is_erased: boolean;
  /** What happened, in one line with titles in place of ids, in each language of the page, by its code. */
  lines: Record<string, string>;
};

/** What became of an event. */
export type EventTaken = {
  /** The number of the turn that it began. */
  turn: number;
  /** The transition that was taken; empty where none held. */
  transition?: string;
  /** True where the event is judged later: when a scope is closed, or a person has given the conversation back. */
  waits?: boolean;
  /** True where its key was there before. */
  is_duplicate?: boolean;
};

/** An event that a flow takes, and the JSON Schema of its data. */
export type EventType = {
  /** The name of the event. */
  name: string;
  /** The JSON Schema of the data. */
  data: Record<string, unknown>;
};

/** Entries after a position. */
export type EventsQuery = {
  /** The position of the last entry that the client has. */
  after?: number;
  /** How many entries a page has at most. */
  limit?: number;
};

/** Something that happened, or that holds, and its causes. */
export type Fact = {
  /** The kind of the fact, by which a program can distinguish facts. */
  kind: "answer_elsewhere" | "approval_unclear" | "artefact_made" | "aside_not_answered" | "attempt_failed" | "began_here" | "budget_answered" | "budget_reached" | "budget_stands" | "budget_undeclared" | "button_pressed" | "button_stale" | "call_answered" | "call_approved" | "call_awaits_approval" | "call_made_again" | "call_queued" | "call_refused" | "call_settled" | "call_still_awaits" | "call_unknown" | "caller_left" | "calls_decided" | "came_closest" | "chooser_due" | "code_failed" | "code_returned" | "command_applied" | "command_refused" | "commands_received" | "confirmation_due" | "confirmation_later" | "conversation_ended" | "conversation_failed" | "conversation_goes_on" | "conversation_started" | "conversation_waits" | "correction_unclear" | "counted" | "decided" | "delivery_none" | "delivery_stands" | "enter_when_judged" | "enter_when_skipped" | "erased" | "event_held" | "event_never_came" | "event_received" | "event_refused" | "event_resumed" | "event_waits" | "field_cleared" | "field_collected" | "field_computed" | "field_default" | "field_empty" | "field_inactive" | "field_revived" | "field_set" | "field_shelved" | "field_without_form" | "field_written_by" | "flow_continued" | "flows_differ" | "forked" | "form_cancelled" | "form_closed" | "form_confirmed" | "form_ended" | "form_handed_over" | "form_left" | "form_none" | "form_not_open" | "form_not_reached" | "form_progress" | "form_progressed" | "form_stopped" | "form_unconfirmed" | "form_waits_for_person" | "give_back_refused" | "guard_failed" | "happened_at" | "item_absent" | "item_added" | "item_change_undone" | "item_changed" | "item_decided" | "item_holds" | "item_moved" | "item_part_empty" | "item_removed" | "item_unclear" | "item_unknown" | "items_added" | "items_removed" | "judging_planned" | "language_changed" | "limit_reached" | "limit_stands" | "limit_used" | "list_holds" | "message_none" | "message_not_interpreted" | "message_not_kept" | "message_not_read" | "message_read_exactly" | "message_received" | "migrated" | "model_called" | "model_called_often" | "model_failed" | "model_not_called" | "model_replied" | "move_blocked" | "move_planned" | "move_put_off" | "move_undone" | "move_waits" | "moves_erased" | "moves_left_out" | "no_item_decided" | "no_model_connected" | "no_person" | "no_way" | "nobody_came" | "node_in_charge" | "node_left" | "node_never_entered" | "node_not_in_charge" | "node_waits" | "not_searched" | "not_taken" | "not_understood" | "nothing_returned" | "nothing_set" | "notice_said" | "offer_closed" | "offer_stands" | "offered" | "options_read" | "outranked" | "outranked_else" | "overlay_began" | "overlay_ended" | "overlay_forced" | "overlay_in_prompt" | "overlay_is_active" | "overlay_not_active" | "person_acted" | "person_awaited" | "person_gave_back" | "person_in_charge" | "person_is_awaited" | "person_said" | "person_took_over" | "prompt_changed" | "prompt_shown" | "question_again" | "question_answered" | "question_applies" | "question_asked" | "question_condition_failed" | "question_edited" | "question_kept" | "question_later" | "question_more" | "question_never_put" | "question_next" | "question_none" | "question_not_due" | "question_not_put" | "question_repeated" | "question_skipped" | "question_walked" | "question_was_asked" | "questions_copied" | "questions_read" | "reminder_said" | "result_not_stored" | "root_read" | "rules_disagree" | "rules_sufficed" | "run_stopped" | "run_went_on" | "same_moves" | "schedule_due" | "schedule_fired" | "schedule_not_due" | "schedule_waits" | "scope_closed" | "scope_is_open" | "scope_never_opened" | "scope_not_open" | "scope_opened" | "sequence_advanced" | "text_gap" | "text_refused" | "text_said" | "time_passed" | "time_zone_changed" | "timer_armed" | "timer_dropped" | "timer_fired" | "timer_is_armed" | "timer_late" | "timer_not_armed" | "tool_called" | "tool_called_often" | "tool_failed" | "tool_given_up" | "tool_is_work" | "tool_never_used" | "tool_not_called" | "tool_not_offered" | "tool_offered" | "tool_returned" | "tool_used" | "tool_used_by_host" | "tools_of_node" | "transition_judged" | "transition_not_judged" | "transition_was_taken" | "turn_ended" | "turn_failed" | "turn_recovered" | "turn_under_way" | "turn_undone" | "understanding_failed" | "understood" | "understood_nothing" | "undo_asked" | "undo_refused" | "uses_read" | "usual" | "usual_not_counted" | "validator_failed" | "value_copied" | "value_lost" | "value_missing" | "value_not_computed" | "value_read" | "value_refused" | "value_replaced" | "value_suggested" | "value_undone" | "values_differ" | "versions_differ" | "warned" | "way" | "ways_part" | "window_began" | "words_hidden" | "words_not_taken" | "words_summarized" | "work_done" | "write_not_called" | "write_refused" | "yes_to_nothing";
  /** The fact as a sentence, made from `values`; secrets are redacted. */
  text: string;
  /** The subjects of the fact; each can be the subject of a further question. */
  about?: (Subject)[];
  /** The number of the turn in which the fact happened; 0 if no turn is known. */
  turn?: number;
  /** The position of the fact's event in the journal; 0 if it follows from the flow and the state without an event. */
  seq?: number;
  /** The values that the text is made from, by name; secrets are redacted. */
  values?: Record<string, unknown>;
  /** The place in the flow that the fact comes from, as `file:line`; empty if there is none. */
  source?: string;
  /** The facts that caused this fact, the main one first. */
  causes?: (Fact)[];
};

/** What failed: its kind, the reason, and what it is about. Secrets are hidden. */
export type Failure = {
  /** What failed: a write, a tool, a model, a guard; or that a limit was reached, or a call refused. */
  kind: "guard" | "limit" | "model" | "refused" | "text" | "tool" | "write";
  /** The reason in words. */
  reason: string;
  /** The tool that failed; empty if none did. */
  tool?: string;
  /** The field (`record.field`), the argument of the tool, or the limit that it is about. */
  subject?: string;
  /** The value that was refused. */
  value?: unknown;
  /** What that value exceeds. */
  bound?: unknown;
  /** The `file:line` in the user's own code or flow. */
  at?: string;
  /** The transition whose guard or write failed. */
  transition?: string;
};

/** Something failed: a model, a guard, a write, a limit. Counts in `errors`. */
export type Faulted = {
  type: "faulted";
  /** What failed, and why. */
  fault: turnwise_core_state_turn_state_Fault;
};

/** The value of a field was removed; where it had none, a blank value or null was written to it. */
export type FieldCleared = {
  type: "field_cleared";
  /** The address of the field. */
  field: string;
  /** Who removed it: the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** A field of the flow, for editors of values. */
export type FieldInfo = {
  /** Its address, `record.field`. */
  name: string;
  /** What people call it. */
  title: string;
  /** Its type: `text`, `number`, `list of text`. */
  type: string;
  /** The values that it may have, of a choice. */
  options: (string)[];
  /** True where its values are redacted. */
  is_secret: boolean;
  /** True where its value is computed from others and cannot be set. */
  is_derived: boolean;
  /** The least value; `None` for no limit. */
  minimum: number | null;
  /** The greatest value; `None` for no limit. */
  maximum: number | null;
};

/** An inactive answer counts again. */
export type FieldRevived = {
  type: "field_revived";
  /** The address of the field. */
  field: string;
};

/** The value of a field was set. */
export type FieldSet = {
  type: "field_set";
  /** The address of the field. */
  field: string;
  /** The new value in its stored form. */
  value: unknown;
  /** How it was set: typed, chosen, by a model, by a tool, by the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** How sure the reader of the message was, from 0 to 1; it decides nothing. `None` if it did not say. */
  confidence?: number | null;
  /** Start and end of its words in the message of the turn. */
  words?: [number, number] | null;
  /** Where its words stand: the position of the message, start and end in it. */
  place?: [number, number, number] | null;
  /** Where items of a list of records got new ids: the number of the last one; else 0. */
  last_item?: number;
};

/** An answer became inactive: kept, but missing to guards and not submitted (law 5.7). */
export type FieldShelved = {
  type: "field_shelved";
  /** The address of the field. */
  field: string;
};

/** A value and its origin. A field without a value has no `FieldValue`. */
export type FieldValue = [unknown, "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood", number, number, number | null, [number, number, number] | null];

/** The conversations of the guided look of the demonstration: what to say first, where to see why, which value to try there, with which other turn to compare it, and which one waits for a person. */
export type FirstLook = {
  /** The first message to send. */
  say: string;
  /** The prepared conversation in which to see why. */
  conversation: string;
  /** The turn of it that is explained. */
  turn: number;
  /** The field to try another value for. */
  field: string;
  /** The value to try. */
  value: string;
  /** The turn of it to compare that one with. */
  against_turn: number;
  /** The conversation that waits for a person. */
  waiting: string;
};

/** The file of a flow changed on disk: it was reloaded, or its errors keep the old version. */
export type FlowChanged = {
  type: "flow";
  flow: string;
  /** The version that new conversations use now. */
  fingerprint: string;
  /** The problems of its documents. */
  diagnostics: (DiagnosticView)[];
};

/** A flow with all that the graph and the flow page show. */
export type FlowPage = {
  flow: FlowSummary;
  /** The whole flow as one drawing. */
  graph: GraphView;
  /** Per node, also those inside scopes, by address: `name`, `title`, `scope` (that it stands in), `description`, `work`, and its transitions (`id`, `moment`, `target`, `because`, `guard`). */
  nodes: (Record<string, unknown>)[];
  fields: (FieldInfo)[];
  /** The document as it is on disk now, also where it has errors and conversations use an earlier version. A server that does not reload the flow shows it as it was when the server started. */
  source: string | null;
  /** When the document was last written. */
  saved_ms: number | null;
  /** The problems of its documents. */
  diagnostics: (DiagnosticView)[];
  /** How many conversations wait in each node. */
  parked: Record<string, number>;
  /** What stored conversations did; `None` where it was not asked for or may not be seen. */
  coverage: Coverage | null;
  /** The drawing one level at a time: the outermost conversation, then each scope after the one around it. */
  levels: (GraphLevel)[];
};

/** The documents of a flow, its own first; none where a program made the flow. */
export type FlowSource = {
  /** The documents. */
  files: (SourceFile)[];
  /** Whether the server reloads the flow when a document changes. */
  is_followed: boolean;
  /** Whether the server edits documents and the caller may. */
  is_editable: boolean;
};

/** A flow of this server. */
export type FlowSummary = {
  name: string;
  /** What people call the flow. */
  title: string;
  /** What the flow is for, as its author wrote it. */
  description: string;
  /** Its version number. */
  version: number;
  /** The hash that identifies the version. */
  fingerprint: string;
  /** How many nodes it has. */
  nodes: number;
  /** How many stored conversations use it. */
  conversations: number;
  /** True where its conversations go on without messages. */
  is_autonomous: boolean;
  /** The path of its document; empty where a program made it. */
  file: string;
  /** How many errors the file on disk has now, where it is watched. */
  errors: number;
  /** How many warnings the file has. */
  warnings: number;
  /** A remark for the visitor of the demonstration. */
  tries: string;
  /** The first question of its first form, in the demonstration. */
  asks: string;
  /** Prepared conversations: those that the page recommends, and those that it opens before their end. */
  openings: (Opening)[];
  /** What a visitor of the demonstration may say in each place. */
  advice: (Advice)[];
  /** The guided look of the demonstration. */
  look: FirstLook | null;
  /** Texts of the demonstration in other languages of the page: by the language's code, then by the English text. */
  texts: Record<string, Record<string, string>>;
};

/** An overlay that was forced on or off: by whom, if that is known, and when. */
export type ForcedOverlay = [string, boolean, string, number];

/** A conversation was deleted for good. */
export type Forgotten = {
  type: "forgotten";
  conversation: string;
};

/** Copy a conversation up to the end of a turn. */
export type ForkRequest = {
  /** The name of the copy; without one the server makes one. */
  name?: string | null;
  /** The last turn that is copied, by default the last of all. */
  turn?: number | null;
  /** Whether the copy may use tools that change the world. */
  effects?: boolean;
};

/** All earlier entries were copied from another conversation, up to the end of a turn. */
export type Forked = {
  type: "forked";
  /** The conversation that was copied. */
  source: string;
  /** The last turn that was copied. */
  turn: number;
  /** False where tools that change the world do not run here (law 6.9). */
  effects?: boolean;
};

/** The progress of the current form changed to this. */
export type FormChanged = {
  type: "form_changed";
  /** The whole progress after the change. */
  run: FormRun;
};

/** A form was left after it had been confirmed or handed over. */
export type FormClosed = {
  type: "form_closed";
  /** The node of the form. */
  node: string;
  /** Whether it was confirmed, or handed over without that. */
  status: "confirmed" | "handed_off";
};

/** A question of a form with its answer, for the summary and the edit chooser. */
export type FormItem = {
  /** The address of the field, `record.field`. */
  field: string;
  /** The question. */
  title: string;
  /** The answer as people read it. */
  answer: string;
  /** The words of the user that it came from. */
  words: string;
  /** `open`: it is asked now; `missing`: it is not answered yet; `inactive`: it does not apply. */
  state: "answered" | "inactive" | "missing" | "open" | "skipped";
  /** Why it does not apply. */
  reason: string;
  /** The items of a list of records. */
  items: ItemTexts | null;
  /** What it is called, in a few words. */
  label: string;
  /** Whether progress counts it: it applies, and is asked. */
  counts: boolean;
};

/** The form in charge at the end of a turn. */
export type FormLedger = {
  /** The node that the form belongs to. */
  node: string;
  /** What people call the form. */
  title: string;
  /** How far the form is: it collects answers, waits for the confirmation, or is closed. */
  status: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  /** How many of the `count` questions are answered. */
  answered: number;
  /** How many questions are asked and apply. */
  count: number;
  /** The language of labels, answers and words; notes are in the language of the request. */
  language: string;
  /** Its questions, in order. */
  rows: (LedgerRow)[];
  /** The turn in which the open question was first asked. */
  asked_since?: number | null;
  /** How often an answer to it was not understood. */
  tries?: number;
  /** What each answer to the open question would do. */
  outlooks?: (AnswerOutlook)[];
};

/** One run of a form. */
export type FormRun = {
  /** How far the form is. */
  status?: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  /** The field whose question is open; empty if none is. */
  asked?: string;
  /** Whether a chooser is open, one answer is changed, or all are walked through; empty for none of these. */
  editing?: "" | "chooser" | "one" | "walk";
  /** The fields still to come where all answers are walked through. */
  walk?: (string)[];
  /** How often nothing was understood, by question. */
  misses?: Record<string, number>;
  /** The fields whose question was skipped. */
  skipped?: (string)[];
  /** True where the user pressed *Other*, and the answer is awaited as a text. */
  awaits_other?: boolean;
  /** The field whose answer ended the form. */
  stopped_at?: string;
  held?: unknown;
  held_place?: [number, number, number] | null;
  /** Values known from elsewhere that the user is to affirm, by field. */
  suggested?: Record<string, unknown>;
  /** True where it was handed over after it was confirmed, or complete without a confirmation. */
  was_confirmed?: boolean;
  /** True where the message that completed it said more than its answers, so that its summary is asked about. */
  asks_to_go_on?: boolean;
  /** Of a form whose questions are data: the address of the field that takes the answers. */
  answers?: string;
  /** The list of a record for which an item is asked, question by question; empty while none is. */
  filling?: string;
  /** The id of the item that is changed or completed; empty while a new one is asked for. */
  item?: string;
  /** The number of the newest item of the conversation when the item was begun: later ones came by a sentence. */
  newest?: number;
  /** The lists of which the user said that nothing else follows. */
  complete?: (string)[];
  /** The list of which the user chooses an item: to change it, or as the one that `waiting` means. */
  choosing?: string;
  /** Commands on an item of which several fit: they wait until the user says which one is meant. */
  waiting?: (Add | Change | Remove | Move | Copy)[];
  /** The ids of the items that fit, in the order in which they are shown, each with the number that it has there. */
  candidates?: ([string, number])[];
};

/** The form in charge as data: its progress in per cent, the open question, its items. */
export type FormView = {
  /** How far the form is: it collects answers, waits for the confirmation, or is closed. */
  status: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  /** What the user does to change answers: chooses one, answers `one` again, or all in order (`walk`); else empty. */
  editing: "" | "chooser" | "one" | "walk";
  /** The field whose question is open; empty if none is. */
  asked: string;
  /** In per cent. */
  progress: number;
  /** Its questions, in order. */
  items: (FormItem)[];
  /** The problem statement that it has made of the answers so far; empty without one. */
  statement: string;
  /** True where the open question also takes an answer in free text (*Other*). */
  free_text: boolean;
};

/** A document in the canonical layout. */
export type FormattedText = {
  /** The whole document. */
  text: string;
};

/** One level of the stack: its node in charge, what is open at this visit to the node, and what the frame remembers of its other nodes. */
export type Frame = {
  /** The node in charge. */
  node: string;
  /** The position at which the frame was opened, by which entries name it; 0 for the root. */
  id?: number;
  /** The number of this visit to the node, 0 if the first node could not be entered yet. */
  visit?: number;
  /** How many turns this visit has had. */
  turns?: number;
  /** True if the node has done its work in this visit. */
  is_work_done?: boolean;
  /** The progress of the node's form. */
  form?: FormRun | null;
  /** The position from which the node's model sees the transcript. */
  transcript_from?: number;
  /** The turn in which the node was entered. */
  entered_turn?: number;
  /** How many positions of the node's tool sequence are behind. */
  sequence?: number;
  /** The outcome that the last person gave in this visit (`person.outcome`). */
  person_outcome?: string;
  /** True if the user wrote, pressed a button or was answered for since the turn that entered the node. */
  has_message?: boolean;
  /** The author's reason for the move to the node, where the user may ask why (`State.explains`). */
  because?: string;
  /** True if a person chose that move, where the user may ask why. */
  is_by_person?: boolean;
  /** The question that is open. */
  question?: Question | null;
  /** The move that is planned for the next message. */
  pending?: Pending | null;
  /** The timers that are armed. */
  timers?: (Timer)[];
  /** The call that the user is asked to approve. */
  awaiting_approval?: ApprovalRequest | null;
  /** The other calls that wait for approval: those asked later, and those that an operator decides. */
  approvals?: (ApprovalRequest)[];
  /** The move that was decided after a call, and is made when the reply's other calls of the tool are done. */
  put_off?: PutOff | null;
  /** The replies of the model after whose calls `calls` is still to be judged. */
  to_judge?: (string)[];
  /** True if `tool` is judged when the person in charge gives back: a result came meanwhile. */
  waits_to_judge?: boolean;
  /** The failure (kind, message, tool) for which `error` is judged when the person in charge gives back. */
  failed?: ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string] | null;
  /** The person for whom it waits, or who is in charge. */
  person?: Person | null;
  /** How often each node was entered. */
  visits?: Record<string, number>;
  /** The uses of tools in this frame. */
  tools?: ToolHistory;
  /** A mark per `enter_when`, by which it is known whether what it reads has changed. */
  judged?: Record<string, number>;
  /** By each `call` transition that was judged in this visit a hash of what it read: it may hold again when that has changed. */
  calls?: Record<string, number>;
  /** At which position a node's moment was judged last. */
  decided?: Record<string, number>;
  /** How the forms that were left ended, by node. */
  closed_forms?: Record<string, "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped">;
  /** The field that was asked or filled last. */
  last_field?: string;
  /** What the transition that entered the node handed over to its model. */
  note?: string;
  /** The scope that the frame is; `None` for the root. */
  scope?: OpenScope | null;
  /** True if the node has made its `offer` in this visit. */
  has_offered?: boolean;
  /** The events of other systems that wait until the frame is in charge and no person interrupts it. */
  held_events?: (EventData)[];
  /** The outcome of the scope that is the work of the node in charge. */
  scope_outcome?: string;
  /** The scopes that were asked for beside the one that was opened: each opens when the one before it closes. */
  wishes?: (string)[];
  /** Those of the wishes that a program asked for, and not a message. */
  program_wishes?: (string)[];
  /** What scopes that were asked for are opened with, by address. */
  wish_inputs?: Record<string, Record<string, unknown>>;
};

/** One frame of a conversation: the conversation itself, or a scope that was opened in it. */
export type FrameInfo = {
  /** The position at which it was opened; 0 for the conversation itself. */
  id: number;
  /** The qualified name of its scope; empty for the conversation itself, and where retention erased it. */
  scope: string;
  /** What people call the scope. */
  title: string;
  /** How many frames are around it. */
  depth: number;
  /** The id of the frame around it; `None` for the conversation itself. */
  parent: number | null;
  /** `undone` where an undo took its opening back. */
  status: "closed" | "open" | "undone";
  /** The node in charge in it; at its end the last one. */
  node: string;
  /** Who opened it: entering its `node`, a `call` of a transition, a `tool` of the model, the `user` or the `program`; empty for the conversation itself. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user" | "";
  /** The transition that opened it, or led to the node that did; empty for none. */
  transition: string;
  /** The tool that opened it; empty if none did. */
  tool: string;
  /** The id of the call that opened it; empty if none did. */
  call: string;
  /** The turn in which it was opened. */
  opened_turn: number;
  /** When it was opened; `None` where that is not stored. */
  opened_ms: number | null;
  /** The position at which it was closed. */
  closed_seq: number | null;
  /** The turn in which it was closed; `None` while it is open. */
  closed_turn: number | null;
  /** When it was closed; `None` while it is open. */
  closed_ms: number | null;
  /** The outcome with which it was closed. */
  outcome: string;
  /** How many turns were used inside. */
  turns: number;
  /** How many tokens were used inside. */
  tokens: number;
  /** How many turns it may use; `None` for no limit. */
  max_turns: number | null;
  /** How many tokens it may use; `None` for no limit. */
  max_tokens: number | null;
  /** After how long without a message it is closed. */
  idle_ms: number | null;
  /** What stays of it in the transcript of the frame around it. */
  summary: string;
  /** The records of the frame around it that it reads. */
  inherits: (string)[];
  /** The record that it fills. */
  returns: string;
  /** The position of the message outside that it knows, 0 without one. */
  message: number;
  /** How many messages of both sides it has, without those of frames inside it and those that an undo took back. */
  messages: number;
  /** The tokens that later requests of the frame around it were spared, until now; `None` where it is open, or where retention erased what is counted. */
  tokens_saved: number | null;
  /** How many requests that was. */
  later_requests: number;
  /** True where a part of `tokens_saved` was counted as characters ÷ 4. */
  is_estimate: boolean;
  /** How long its words are kept once it is closed; `None` for as long as the conversation. */
  keep_ms: number | null;
  /** True where its words, or some of them, were erased: by retention, or since the time of its `keep` was over. */
  is_erased: boolean;
};

/** The person gives the conversation back to the machine. */
export type GiveBack = {
  /** What guards read as `person.outcome`. */
  outcome?: string;
  /** The values of fields that were agreed; `null` removes one. */
  set?: Record<string, unknown>;
  /** The transition to take, whatever its guard says. */
  transition?: string | null;
  /** The outcome with which the conversation ends; `None` to go on. */
  end?: string | null;
  /** Why the person gives it back; it is recorded. */
  reason?: string;
  /** Who gives it back, on a server without keys. */
  operator?: string | null;
};

/** What giving a conversation back would do now, without doing it. */
export type GiveBackPreview = {
  /** False where a model or a tool would decide what follows, or where only admins may see it. */
  is_known: boolean;
  /** The code of the refusal; empty where it would be accepted. */
  refused: string;
  /** What the machine would reply, or the reason of the refusal. */
  text: string;
  /** What would be refused. */
  faults: (Fault)[];
  /** The transitions that would be taken, in order, as far as they are known. */
  moves: (string)[];
  /** The node in which the turn would end. */
  node: string;
  /** The outcome with which the conversation would end; empty if it would go on. */
  outcome: string;
  /** The values that would change, by field. */
  values: Record<string, unknown>;
  /** The decisions that would be made, with all candidates, for callers with `debug:read`. */
  decisions: (Decision)[];
  /** The transitions that the person may take by name. */
  transitions: (TransitionChoice)[];
  /** The outcomes that the transitions of the node know. */
  outcomes: (string)[];
  /** Why what follows is not known; empty where it is. */
  why: string;
};

/** The person in charge wanted to give the conversation back with values that their fields refuse. Nothing else changed: the person stays in charge. */
export type GiveBackRefused = {
  type: "give_back_refused";
  /** The person in charge. */
  operator: string;
  /** The refused values by field; those of secret fields are redacted. */
  set: Record<string, unknown>;
  /** Each refused value, with the reason. */
  refused: (CommandRefused)[];
};

/** The person in charge gave the conversation back to the machine. */
export type GivenBack = {
  type: "given_back";
  /** What `person.outcome` is for guards. */
  outcome?: string;
  /** The values that the person set, by field; `None` removes one. */
  set?: Record<string, unknown>;
  /** The transition that the person took by its name; empty if none. */
  transition?: string;
  /** The outcome with which the person ended the conversation; empty if they did not. */
  end?: string;
  /** Why the person took the transition or ended the conversation. */
  reason?: string;
  /** Who gave it back; without it the machine records who is in charge. */
  operator?: string;
  /** The name of the person that the user sees, if it is another. */
  display?: string;
};

/** A transition of the drawing. */
export type GraphEdge = {
  /** Its id in this drawing. */
  id: string;
  /** The id of the node that it leaves. */
  source: string;
  /** The id of the node that it leads to. */
  target: string;
  /** The name of the transition in the flow. */
  transition: string;
  /** What taking it does: go to a node, open a scope, stay, end; empty without the right to see it. */
  action: "block" | "call" | "end" | "offer" | "once" | "return" | "start" | "stay" | "to" | "";
  /** When its guard is judged; empty where nothing is judged. */
  moment: "after" | "before" | "calls" | "choice" | "error" | "event" | "timer" | "tool" | "";
  /** The address of the node that declares it; empty for one of the whole flow or scope. */
  node: string;
  /** The text of its guard, or the name of its Python function. */
  test: string;
  /** Why the author wants it. */
  because: string;
  /** Lower numbers are taken first. */
  priority: number;
  /** True where `test` is a Python function. */
  is_code: boolean;
  /** True where its rule only describes a Python function, which decides. */
  is_mirror: boolean;
  /** True where a timer takes it. */
  is_timer: boolean;
  /** What else there is to know about it: *the model calls*, *at the next message*. */
  remark: string;
  /** Its line in `file`, 0 where that is not known. */
  line: number;
  /** The document that holds it: that of the flow, or one that the flow imports. */
  file: string;
};

/** What stands in one scope, or outside of all scopes, as a drawing in which each scope inside is one node. */
export type GraphLevel = {
  /** The address of the scope, empty for the outermost conversation. */
  scope: string;
  /** What people call the scope. */
  title: string;
  /** The scope around it, `None` for the outermost conversation. */
  parent: string | null;
  graph: GraphView;
};

/** A node of the drawing, or a mark (start, end). */
export type GraphNode = {
  /** Its id in this drawing. */
  id: string;
  /** What the drawing calls it. */
  name: string;
  /** The work of the node, or the mark that it is. */
  kind: "any" | "code" | "end" | "form" | "none" | "person" | "prompt" | "say" | "scope" | "start" | "stay" | "tool" | "unknown";
  /** A line about its work: what it says, or its instructions. */
  about: string;
  /** The fields that it asks or collects. */
  fields: (string)[];
  /** What else there is to know about it. */
  remarks: (string)[];
  /** The id of the frame around it; empty for the outermost. */
  parent: string;
  /** Its line in `file`, 0 where that is not known. */
  line: number;
  /** The document that holds it: that of the flow, or one that the flow imports. */
  file: string;
  /** Its name among all nodes of the flow, `survey/ask` inside a scope; empty for a mark. */
  address: string;
  /** The scope that it opens, whose level shows what is inside; empty if it opens none. */
  opens: string;
  /** What people call it; empty for a mark, and where the flow gives none. */
  title: string;
};

/** The drawing of a flow as data. */
export type GraphView = {
  nodes: (GraphNode)[];
  edges: (GraphEdge)[];
  /** Id, name and parent of each frame around nodes. */
  clusters: ([string, string, string])[];
};

/** A combination: `all`, `any`, `not`, or `if` with its test, what follows, and what else. */
export type Group = {
  type: "group";
  /** How the parts are combined. */
  op: "all" | "any" | "if" | "not";
  /** Whether it holds. */
  verdict: "error" | "held" | "not_held" | "unknown";
  /** The combined conditions. */
  parts: (Leaf | Group)[];
};

/** A Python guard: its source (or why there is none), whether it was called, what it returned, read and raised. */
export type GuardCode = {
  /** The name of the function. */
  name: string;
  /** Its text, or why there is none. */
  source: string;
  /** False where `source` says why there is none. */
  has_source?: boolean;
  /** The file of its source; empty without one. */
  file?: string;
  /** The line at which its source begins. */
  line?: number;
  /** What it returned; `None` if it was not called or raised. */
  returned?: unknown;
  /** The values that it read, by field. */
  reads?: Record<string, unknown>;
  /** The exception that it raised; empty if it raised none. */
  error?: string;
  /** Whether it was called; `forgotten` where it was, and retention dropped what came of it. */
  call?: "called" | "forgotten" | "not_called";
  /** The `file:line` that raised; empty if none did. */
  at?: string;
};

/** A problem in a guard that was typed. */
export type GuardProblem = {
  /** The transition of the guard. */
  transition: string;
  /** The code of the diagnostic. */
  code: string;
  /** What is wrong. */
  message: string;
  /** In the guard, from 1. */
  line: number;
  /** In the line, from 1. */
  column: number;
  /** What may have been meant. */
  hint: string;
};

/** Let a person take over. */
export type HandOver = {
  type: "hand_over";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The process answers. */
export type Health = {
  status: "ok";
};

/** Explain the open question, or a field. */
export type Help = {
  type: "help";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The field about which help is asked; empty for the open question. */
  field?: string;
};

/** What is known about a name, key or transition: what it is, more by line, and what stored conversations did. */
export type HoverView = {
  /** What it is. */
  title: string;
  /** What else is known, by line. */
  lines: (string)[];
  /** What stored conversations did with it, by line. */
  counts: (string)[];
  /** The name in the text. */
  range: TextRange;
};

/** What an import is given beside the file. */
export type ImportQuery = {
  /** The whole id of the new conversation, by default the one in the file. Under another it is a copy. Where callers have keys, an id begins with its owner: `ada:x`. */
  name?: string | null;
};

/** A text of a schedule for the next reply, and when it is dropped. */
export type Instruction = [string, number];

/** An item was added at the end of a list of records. */
export type ItemAdded = {
  type: "item_added";
  /** The address of the list. */
  field: string;
  /** The id of the item in its list, such as `i3`. */
  id: string;
  /** Its values by name. */
  values: Record<string, unknown>;
  /** How it was set: typed, chosen, by a model, by a tool. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** How sure the reader of the message was, from 0 to 1; it decides nothing. `None` if it did not say. */
  confidence?: number | null;
  /** Start and end of its words in the message of the turn. */
  words?: [number, number] | null;
  /** The id of the item that it is a copy of; empty if it is none. */
  copy_of?: string;
};

/** An item as a row. */
export type ItemCells = {
  /** Its id; empty as long as it is not stored. */
  id: string;
  /** A text for each column. */
  cells: (string)[];
};

/** A value of an item was set; `None` removed it. */
export type ItemChanged = {
  type: "item_changed";
  /** The address of the list. */
  field: string;
  /** The id of the item. */
  id: string;
  /** The name of the value. */
  name: string;
  /** The new value; `None` if it was removed. */
  value: unknown;
  /** How it was set: typed, chosen, by a model, by a tool. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** How sure the reader of the message was, from 0 to 1; it decides nothing. `None` if it did not say. */
  confidence?: number | null;
  /** Start and end of its words in the message of the turn. */
  words?: [number, number] | null;
};

/** A field of the items of a list of records, for tables and editors. */
export type ItemField = {
  /** The name of the field in the items. */
  name: string;
  /** What people call it. */
  title: string;
  /** Its type: `text`, `number`, `choice`. */
  type: string;
  /** The values that it may have, of a choice. */
  options?: (string)[];
};

/** An item was moved within its list. */
export type ItemMoved = {
  type: "item_moved";
  /** The address of the list. */
  field: string;
  /** The id of the item. */
  id: string;
  /** Its new position, counted from 0. */
  to: number;
  /** Who moved it: the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** An item was removed from its list. Its id is never used again in the conversation. */
export type ItemRemoved = {
  type: "item_removed";
  /** The address of the list. */
  field: string;
  /** The id of the item. */
  id: string;
  /** Who removed it: the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** The items of a list of records as users read them, for cards; only columns in which an item has a value. */
export type ItemTexts = {
  /** The titles of the columns. */
  columns: (string)[];
  /** The items, in order. */
  rows: (ItemCells)[];
};

/** What is different from the judging before: a value that was read, or the outcome. */
export type JudgingChange = {
  /** The field or root, or `outcome`. */
  name: string;
  /** At the judging before. */
  before: unknown;
  /** At this judging. */
  now: unknown;
};

/** A call of a reply of the model was made: the transitions at `calls` are judged when all calls of the reply have their results. Without a reply a result or a failure came while a person was in charge. */
export type JudgingPlanned = {
  type: "judging_planned";
  /** The id of the model call whose reply has the calls; empty without a reply. */
  reply: string;
  /** Without a reply: the moment that is judged when the person gives the conversation back. */
  moment?: "error" | "tool";
};

/** An effect that was performed in a turn which an undo took back, so that its next run is asked about. */
export type KeptEffect = [string, string, number, number, string, boolean, number];

/** How long the words of a closed scope are kept. */
export type KeptWords = [number, number, Erasure | null, number, string];

/** A value that is known: what its field is called, and how people read it. */
export type KnownValue = {
  /** The address of the field, `record.field`. */
  field: string;
  /** What the field is called. */
  label: string;
  /** The value as people read it. */
  value: string;
};

/** The conversation goes on in another language: fields that the flow's `language` reads have other values. */
export type LanguageChanged = {
  type: "language_changed";
  /** The code of the new language. */
  language: string;
};

/** A condition that is no combination of others. */
export type Leaf = {
  type: "leaf";
  /** The condition as it is written. */
  text: string;
  /** Whether it holds. */
  verdict: "error" | "held" | "not_held" | "unknown";
  /** The values that it read. */
  operands?: (Operand)[];
  /** Why it could not be computed; empty if it could. */
  error?: string;
};

/** The ledger of the form in charge. */
export type LedgerAnswer = {
  /** `None` where no form is in charge. */
  ledger?: FormLedger | null;
};

/** A question of a form. */
export type LedgerRow = {
  /** Its address, `record.field`. */
  field: string;
  /** What the question is called in a few words. */
  label: string;
  /** How it stands: `left` is to be asked still, `passed_over` does not apply. */
  state: "asked" | "given" | "left" | "passed_over" | "refused";
  /** The value as people read it; empty without one. */
  answer?: string;
  /** The items of a list of records. */
  items?: ItemTexts | null;
  /** The words of the user that the answer came from; empty where none are known. */
  words?: string;
  /** How the answer was understood; empty without one. */
  how?: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood" | "";
  /** The turn in which it was answered. */
  turn?: number | null;
  /** The position of the message with the words. */
  seq?: number | null;
  /** The first character of `words` in the message. */
  start?: number | null;
  /** The character behind them. */
  end?: number | null;
  /** A sentence in the language of the request: why the answer is refused, why the question is passed over, or what is to be known of it. */
  note?: string;
  /** Whether progress waits for it. */
  counts?: boolean;
};

/** Which conversations: of a flow, in a node, with a status, with a text in name, node or messages, where a word or number begins with it. */
export type ListQuery = {
  /** The name of the flow; empty for all. */
  flow?: string;
  /** Words to search for. */
  text?: string;
  /** The node in charge; empty for all. */
  node?: string;
  /** `None` for every status. */
  status?: "ended" | "failed" | "person" | "waiting" | "working" | null;
  /** The `next` of the page before; empty for the first page. */
  after?: string;
  /** How many conversations a page has. */
  limit?: number;
};

/** Who is asking: the owner, the scopes, the limits, and what this server offers. */
export type Me = {
  /** Whose conversations the caller sees; empty for those of all owners. */
  owner: string;
  /** What the caller may do. */
  scopes: ("admin" | "chat" | "debug:read" | "edit" | "events" | "metrics" | "operator")[];
  limits: OwnerLimits;
  /** The version of turnwise. */
  version: string;
  /** True on loopback without keys: everybody who reaches the server may do everything. */
  is_local: boolean;
  /** True on a demonstration, whose clock can be moved. */
  has_demo_clock: boolean;
};

/** One message of the transcript, of either side. */
export type Message = {
  /** Its position in the journal. */
  seq: number;
  turn: number;
  /** When it was sent, in milliseconds since 1970. */
  at_ms: number;
  /** The kind of speaker: the user, a pressed button, a model, a fixed text, or a person; for readers with `debug:read` also a tool with its result. `system` is the summary of a closed scope and, for them, what a command or an undo did. */
  by: "button" | "model" | "person" | "system" | "text" | "tool" | "user";
  /** What was said. */
  text: string;
  /** The name of the node, of the tool, of the scope or of the operator; empty for the user. */
  speaker: string;
  /** What a reply is: the text of a node, a question, a confirmation; empty for messages of the user. */
  kind: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why" | "";
  /** The buttons that it offers. */
  buttons: (Button)[];
  /** The values that were understood in it. */
  understood: (UnderstoodValue)[];
  /** The form, where the message is its summary or its chooser of answers. */
  form: FormView | null;
  /** True where a later undo took it back. */
  is_undone: boolean;
  /** True where retention erased its text. */
  is_erased: boolean;
  /** What became of the message, in words: not understood, refused, not interpreted while a person is in charge. */
  note: string;
  /** The id of the frame to which it belongs; 0 for the conversation itself. */
  frame: number;
  /** The id of the frame that was closed here; then the text is its summary, and `note` its outcome. */
  closes: number | null;
  /** Of a line of the system. */
  sign: "clock" | "event" | "limit" | "offer" | "overlay" | "";
  /** What a question of why calls what a line of the system with a sign is about: `timer idle`. */
  subject: string;
  /** A line of the system in each language of the page, by its code. */
  texts: Record<string, string>;
};

/** A durable message of the transcript. */
export type MessageSent = {
  type: "message";
  conversation: string;
  message: Message;
};

/** The conversation continues with another version of its flow, from this state. */
export type Migrated = {
  type: "migrated";
  /** The hash that identifies the new version. */
  fingerprint: string;
  /** The state in the new version. */
  state: State;
};

/** An answer was not understood: nothing was stored, and the same question is asked again. */
export type Missed = {
  type: "missed";
  /** The field that was asked for. */
  field?: string;
};

/** A request to a model in this turn. */
export type ModelCallView = {
  /** The id of the call. */
  effect: string;
  /** The node that called the model. */
  node: string;
  /** What the model was called for: the reply of a node, understanding a message, a summary. */
  purpose: string;
  /** The model that answered; empty where the call failed. */
  model: string;
  /** The position of the call in the journal. */
  seq: number;
  /** How many tokens the request had; `None` where that is not known. */
  tokens_in: number | null;
  /** How many tokens the reply had; `None` where that is not known. */
  tokens_out: number | null;
  /** In US dollars, where the provider's prices are known. */
  cost: number | null;
  /** How long the model took. */
  took_ms: number | null;
  /** Why it failed. */
  error: string;
};

/** A model call failed, or its reply was cut off. */
export type ModelFailed = {
  type: "model_failed";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** Why it failed. */
  reason: string;
  /** The part of the reply that had arrived. */
  text?: string;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced?: number;
  /** The `file:line` where the user's own code raised; empty if none did. */
  at?: string;
  /** The attempts that failed before the last one. */
  attempts?: (Attempt)[];
  /** The name of the model that was called; empty if it has none. */
  model?: string;
  /** Why the reply was none, where one came; else empty. */
  code?: "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "";
  /** What the call used, in a flow with budgets. */
  count?: TokenCount | null;
};

/** A model answered, with a text, with calls of tools, or with both. */
export type ModelReplied = {
  type: "model_replied";
  /** The id of the effect that this is the result of. */
  effect: string;
  text?: string;
  /** The calls of tools that the model asks for. */
  calls?: (Call)[];
  /** The model that replied, as the provider names it. */
  model?: string;
  /** A hash that proves what the model was shown. */
  prompt?: string;
  /** The tokens of the prompt. */
  tokens_in?: number;
  /** The tokens of the reply. */
  tokens_out?: number;
  /** The cost in US dollars; `None` where the provider's prices are not known. */
  cost?: number | null;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced?: number;
  /** The attempts that failed before. */
  attempts?: (Attempt)[];
  /** What the provider wants back with the calls. */
  thoughts?: (Thought)[];
  /** The characters to which the request was shortened, since a longer one was too long; 0 if it was not. */
  request_chars?: number;
  /** What the call used, in a flow with budgets. */
  count?: TokenCount | null;
};

/** Move an item of a list of records to a position, from 1; -1 is the last. */
export type Move = {
  type: "move";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is moved. */
  item: string | number | Record<string, unknown>;
  /** Its new position, from 1; -1 is the last. */
  to: number;
};

/** A move was decided that is taken at the next user event. */
export type MovePlanned = {
  type: "move_planned";
  transition: string;
  /** The node that will be entered. */
  target: string;
};

/** A move that was decided at `tool` is made when the other calls of that tool in the same reply are done. */
export type MovePutOff = {
  type: "move_put_off";
  /** The transition of the move; empty where it was tried then, and not made. */
  transition?: string;
  /** The node that will be entered. */
  target?: string;
  /** The id of the model call whose reply has the calls. */
  reply?: string;
  /** The tool whose other calls it waits for. */
  tool?: string;
};

/** A node was left and another entered. */
export type Moved = {
  type: "moved";
  /** The node that was left. */
  source: string;
  /** The node that was entered. */
  target: string;
  transition: string;
  /** Why the author wants the transition, where the user may ask. */
  because?: string;
  /** What the transition hands over to the model of the target. */
  note?: string;
};

/** One field change: the field, a value that would do, the rule that asks for it, and the value that it has now. */
export type Need = {
  /** The address of the field. */
  field: string;
  /** A value that would do; `None` to take it away. */
  value: unknown;
  /** The condition that the new value must meet. */
  rule: string;
  /** The value that it has now, also by default. */
  now: unknown;
  /** The rule with the values that it reads now: `user.age >= 38 (is 35)`. */
  text?: string;
};

/** The new text of a document. */
export type NewContent = {
  /** The path of the document. */
  file: string;
  /** The text to write. */
  text: string;
  /** The hash of the content that the file still has; with other content it is not written. */
  sha256: string;
};

/** Begin a conversation. */
export type NewConversation = {
  /** The name of the flow. */
  flow: string;
  /** The name of the conversation; without one the server makes one. */
  name?: string | null;
  /** The time zone of the user, as `Europe/Berlin`; by default that of the flow. */
  time_zone?: string | null;
};

/** The data of an event of another system; the flow declares its fields and their types. */
export type NewEvent = {
  /** Values by field. */
  data?: Record<string, unknown>;
};

/** One event for a conversation: exactly one of the keys, beside `position`. */
export type NewTurn = {
  /** A message of the user. */
  text?: string | null;
  /** The value or label of a button that the user pressed. */
  button?: string | null;
  /** With a button the position of the turn which offered it; with a text the last one that the sender has received (`seq`): where the user has sent something else since, the text is refused (`stale`). */
  position?: number | null;
  /** Take turns back. */
  undo?: UndoRequest | null;
  /** Commands instead of words, from a program. */
  commands?: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[] | null;
  /** A tool that the host used itself. */
  tool?: ToolReport | null;
  /** Fire a timer now. */
  timer?: TimerToFire | null;
};

/** The schedule that fires next in a conversation. */
export type NextSchedule = {
  name: string;
  /** When it fires. */
  at_ms: number;
};

/** No person came in time: the machine goes on. */
export type NobodyCame = {
  type: "nobody_came";
  /** The queue in which it waited. */
  queue: string;
};

/** A `set` or `set_on_leave` computed no value. */
export type NothingSet = {
  type: "nothing_set";
  /** The address of the field. */
  field: string;
  /** The names that it reads and that had no value. */
  missing: (string)[];
  /** True where the field had a value before, which is removed (`field_cleared` follows). */
  removed?: boolean;
};

/** An offer was taken, declined, or has lapsed. Unless it was taken, the user may still begin its scope. */
export type OfferClosed = {
  type: "offer_closed";
  scope: string;
  /** Whether it was taken, declined or has lapsed. */
  outcome: "declined" | "lapsed" | "taken";
  /** Why it lapsed; empty if it did not. */
  because?: "" | "closed" | "left" | "other_turn" | "question" | "refused" | "scope";
};

/** A scope that is proposed to the user. */
export type OfferView = {
  /** The address of the scope. */
  scope: string;
  /** What people call the scope. */
  title: string;
  /** The question that proposes it. */
  opener: string;
  /** `node`, or the name of the schedule that proposes it. */
  by: string;
  /** True while its question waits for an answer; else it waits until it may be asked. */
  is_open: boolean;
  /** What a question of why calls it. */
  subject: string;
};

/** A scope was proposed to the user. It waits until it may be asked: then `Said` has the question. */
export type Offered = {
  type: "offered";
  scope: string;
  /** The question that proposes it. */
  opener: string;
  /** `node` for the node in charge, or the name of the schedule that proposed it. */
  by?: string;
  /** The input of the scope, by address. */
  given?: Record<string, unknown>;
  /** True where a model puts the opener in words of its own. */
  is_worded?: boolean;
};

/** The scope that a frame is: its name, who opened it in which turn, and what it was given. */
export type OpenScope = {
  /** The qualified name of the scope. */
  name: string;
  /** Who opened it. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The turn in which it was opened. */
  turn: number;
  /** The position in the journal of the message that it knows; 0 without one. */
  message?: number;
  /** The id of the model's call that opened it, and waits for its summary; empty if none did. */
  call?: string;
  /** The tool that opened it. */
  tool?: string;
  /** How many turns of the user there were inside. */
  turns?: number;
  /** The tokens of the model calls inside. */
  tokens?: number;
};

/** Where the page opens a prepared conversation of the demonstration. */
export type Opening = {
  conversation: string;
  /** 0 where it opens at its end. */
  turn: number;
  /** The last position of the conversation; at another one it is not opened here. */
  seq: number;
  /** What it shows, as a headline; empty where the start page does not recommend it. */
  shows?: string;
  /** What is to be seen there. */
  about?: string;
};

/** A value that a leaf read. */
export type Operand = {
  /** What was read: a field (`user.age`) or a root (`turns`). */
  name: string;
  /** What it was; `None` where there is none. */
  value: unknown;
  /** How the value was set, `default`, or `missing` where there is none; empty for a root. */
  how?: string;
  /** The turn in which the value was set; 0 for a root. */
  turn?: number;
  /** In which words of which message it stands; `None` for a secret, and where it came from no message. */
  place?: [number, number, number] | null;
};

/** A message of the person in charge. */
export type OperatorMessage = {
  text: string;
  /** The person who writes: refused where another one is in charge. With keys the owner of the key is the operator. */
  operator?: string | null;
};

/** The person in charge said something to the user. */
export type OperatorSaid = {
  type: "operator_said";
  text: string;
  /** Who said it; without it the machine records who is in charge. */
  operator?: string;
  /** The name that the user sees, if it is another. */
  display?: string;
};

/** The options that a field has since they were read from its list. */
export type OptionList = {
  /** The options, in order. */
  items: (ShownOption)[];
  /** The address of the list. */
  source: string;
  /** The options of its value, as shown when it was chosen, if the options were read again since. */
  chosen?: (ShownOption)[];
};

/** The options of a field were read from the list that holds them, and stay these until they are read again. */
export type OptionsFixed = {
  type: "options_fixed";
  /** The field that has the options. */
  field: string;
  /** The list that holds them. */
  source: string;
  /** The options, in order. */
  options: (ShownOption)[];
  /** How many items are no options, as they have no value, or one that an item before has. */
  left_out?: number;
};

/** Where a value came from. */
export type Origin = {
  /** How it was set: typed, chosen, by a model, by a tool, by the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** The turn in which it was set. */
  turn: number;
  /** When it was set. */
  at_ms: number;
  /** Of the understanding, from 0 to 1; `None` where it has none. */
  confidence: number | null;
  /** The position of the message that has its words; `None` where none does. */
  seq: number | null;
  /** Where its words begin in the message. */
  start: number | null;
  /** Where its words end in the message. */
  end: number | null;
};

/** Something that would follow: a move, a call of a tool or a model, an end, a handing over. */
export type OutlookStep = {
  /** What would happen. */
  kind: "asks" | "ends" | "hands_over" | "moves" | "refused" | "runs" | "speaks";
  /** What it leads to or does, in the language of the request. */
  title: string;
  /** Why, or with what, in the language of the request. */
  detail?: string;
  /** Who else would have to agree; empty where no one is asked. */
  approver?: string;
};

/** An overlay was forced on or off, or goes by its dates again. */
export type OverlayForced = {
  type: "overlay_forced";
  /** The name of the overlay. */
  name: string;
  /** True for on, false for off, `None` where it goes by its dates again. */
  on: boolean | null;
  /** Who did it; empty if that is not known. */
  by?: string;
  /** True where it was forced for all conversations of the flow: this one takes it over before its next turn. */
  for_all?: boolean;
  /** When it was forced for all conversations; `None` where it was forced in this one. */
  since_ms?: number | null;
};

/** The overlays of a conversation. */
export type OverlayState = {
  /** Those of the current or last turn, the one with the lowest priority number first. */
  active?: (string)[];
  /** The name that the agent bears by them; empty if none gives it one. */
  persona_name?: string;
  /** What was forced in this conversation. */
  forced?: (ForcedOverlay)[];
  /** What was forced for all conversations of the flow when the last turn began. */
  forced_for_all?: (ForcedOverlay)[];
};

/** Force an overlay on or off; with `null` its dates decide. */
export type OverlaySwitch = {
  /** Whether it is on; `null` to go by its dates. */
  on: boolean | null;
};

/** How an overlay stands. */
export type OverlayView = {
  name: string;
  /** What people call it. */
  title: string;
  /** The name that the agent has while it is active; empty for no other name. */
  persona_name: string;
  /** Whether it was active in the last turn. */
  is_active: boolean;
  /** Whether it is active in a turn that begins now. */
  is_next: boolean;
  /** How it is forced; where it is empty its dates decide. */
  forced: "" | "off" | "on";
  /** True where it is forced for all conversations of the flow. */
  is_forced_for_all: boolean;
  /** Who forced it; empty if that is not known. */
  forced_by: string;
  /** When it was forced. */
  forced_ms: number | null;
  /** When the span of its dates begins that holds now, else the next one; `None` without one. */
  begins_ms: number | null;
  /** When that span ends; `None` without one. */
  ends_ms: number | null;
  /** What a question of why calls it. */
  subject: string;
};

/** Other overlays are active than in the turn before, from this turn on: all of them, the one with the lowest priority number first, and the name that the agent bears by them. */
export type OverlaysChanged = {
  type: "overlays_changed";
  /** The names of the overlays that are active now. */
  active: (string)[];
  /** The name that the agent bears by them; empty if none gives it one. */
  persona_name?: string;
};

/** The limits that the server applies to this owner. */
export type OwnerLimits = {
  /** The largest body of a request. */
  body_bytes: number;
  /** The longest message of a user. */
  message_chars: number;
  requests_per_minute: number;
  /** How many event streams may be open at once. */
  open_streams: number;
  /** How many conversations the owner may have. */
  conversations: number;
};

/** A move that was decided and is taken at the next user event (`reply: next`). */
export type Pending = [string, string, number, string];

/** The input of a schedule for a period. */
export type PeriodInputView = {
  /** The day, week, month or year, as `2026-W14`. */
  period: string;
  /** Values by field of the scope's input. */
  input: Record<string, unknown>;
  /** True where a program has set it, in the place of what the flow has for the period, if it has something. */
  is_set: boolean;
  /** Who set it; empty where no program did. */
  by: string;
  /** When the program set it. */
  at_ms: number | null;
};

/** A person for whom the conversation waits, or who is in charge (law 6.10). */
export type Person = {
  /** The queue in which the conversation waits. */
  queue: string;
  /** When the wait began. */
  since_ms: number;
  /** What the person is asked to do. */
  about?: string;
  /** When the wait ends if no person comes; `None` if it does not end. */
  due_ms?: number | null;
  /** The name of the person; empty until one comes. */
  operator?: string;
  /** When the operator took over; `None` before that. */
  taken_ms?: number | null;
  /** Why the operator took over. */
  reason?: string;
  /** True where the person is the work of the node in charge, else the person interrupts it. */
  is_work?: boolean;
  /** The name that the user sees; empty if it is that of the operator. */
  display?: string;
};

/** The conversation waits for a person in a queue. */
export type PersonAwaited = {
  type: "person_awaited";
  queue: string;
  /** A text for the person. */
  about?: string;
  /** When the wait ends at the latest; `None` if it does not. */
  due_ms?: number | null;
  /** True where the person is the work of the node. */
  is_work?: boolean;
};

/** The part of a person in a conversation (law 6.10). */
export type PersonView = {
  /** The queue in which the conversation waits for a person. */
  queue: string;
  /** What the person is asked to do, as the author wrote it. */
  about: string;
  /** When the wait began. */
  since_ms: number;
  /** The person; empty while the conversation waits in the queue. With keys it is the owner of the key. */
  operator: string;
  /** When the person took over; `None` while it waits. */
  taken_ms: number | null;
  /** Why the person took over. */
  reason: string;
  /** The name that the user sees, if it is another. */
  display: string;
};

/** Nothing happened lately. The first event of each stream is one; its id is the cursor of the beginning. */
export type Ping = {
  type: "ping";
  /** The time of the server. */
  at_ms: number;
};

/** A place in the document that an author edits. */
export type PlaceInText = {
  /** The path of the edited document. */
  file: string;
  /** Its text in the editor. */
  text: string;
  /** The line, from 0. */
  line: number;
  /** The characters before the place in its line, as UTF-16 code units. */
  character: number;
  /** Documents that the author changed too and did not save. */
  others?: (EditedDocument)[];
};

/** An error as RFC 9457 defines it. */
export type Problem = {
  /** The kind of problem as a URI. */
  type: string;
  /** The kind of problem in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What is wrong, for people. */
  detail: string;
  /** What is wrong, for programs. */
  code: string;
  /** The name of the limit that was exceeded. */
  limit?: string | null;
  /** What to do. */
  hint?: string | null;
  /** All things that are wrong in the request. */
  errors?: (Fault)[];
  /** The turn that was taken nevertheless, or the refused event. */
  turn?: TurnResult | null;
  /** Where the user can log in. */
  login_url?: string | null;
  /** What an unclear question may be about. */
  candidates?: (SubjectCandidate)[];
};

/** A part of a prompt: persona, instructions, entry, a message of the transcript, notes. */
export type PromptPart = {
  /** What the part is. */
  part: "entry" | "instructions" | "missing" | "must_call" | "notes" | "persona" | "prompt" | "question" | "transcript" | "wording";
  /** The words of the part. */
  text: string;
  /** Who speaks, in a message of the transcript. */
  role: "" | "agent" | "person" | "tool" | "user";
};

/** A prompt that was sent to a model, made again from the journal. */
export type PromptView = {
  /** The id of the call. */
  effect: string;
  /** The node that called the model. */
  node: string;
  /** What the model was called for: the reply of a node, understanding a message, a summary. */
  purpose: string;
  /** What it consists of, in order. */
  parts: (PromptPart)[];
  /** The whole prompt. */
  text: string;
  /** The text of the prompt before it in this conversation, to show the difference. */
  previous: string | null;
  /** The parts of that prompt. */
  previous_parts: (PromptPart)[] | null;
  /** The recorded hash; empty where the call failed. */
  hash: string;
  /** True if its hash is the recorded one. */
  is_proved: boolean;
  /** True where retention erased what it was made of. */
  is_erased: boolean;
};

/** A scope that is proposed: its opener, who proposes it, and the input that it opens with. */
export type Proposal = {
  /** The qualified name of the scope. */
  scope: string;
  /** The question that proposes it. */
  opener: string;
  /** `node`, or the name of the schedule that proposes it. */
  by?: string;
  /** The frame in which it is proposed. */
  frame?: number;
  /** The node that proposes it. */
  node?: string;
  /** The visit to that node in which it is proposed. */
  visit?: number;
  /** The input that it opens with, by address. */
  given?: Record<string, unknown>;
  /** `waiting` until it may be asked, then `open`; `passed` if declined or lapsed: the user may still begin it. */
  status?: "open" | "passed" | "waiting";
  /** How often it was asked. */
  asked?: number;
  /** True where a model puts the opener in words of its own. */
  is_worded?: boolean;
  /** When it was asked last. */
  asked_ms?: number;
};

/** A move that was decided at `tool`, and waits for other calls in the same reply. */
export type PutOff = [string, string, string, string];

/** The question that is open, and the journal positions at which it was first and last asked. */
export type Question = ["budget" | "call" | "chooser" | "confirmation" | "field" | "offer", string, number, number];

/** The questions with which a form was entered, which stay the same until it is entered again. */
export type QuestionList = {
  /** The questions, in order. */
  items: (DataQuestion)[];
  /** The field from which they were read. */
  source: string;
  /** The node of the form. */
  node: string;
};

/** What to suppose in the conversations of a flow. */
export type QuestionToAll = {
  /** The values to suppose, by field; `null` for none. */
  values?: Record<string, unknown>;
  /** The guards to suppose, by transition. */
  rules?: Record<string, string>;
  /** The `next` of the page before; empty for the first page. */
  after?: string;
};

/** The questions whose answers a field takes were read from a field, and stay these until the form is entered again. A scope that returns the answers takes their questions along. */
export type QuestionsFixed = {
  type: "questions_fixed";
  /** The field that takes the answers. */
  field: string;
  /** The field that the questions were read from. */
  source: string;
  /** The node of the form. */
  node: string;
  /** The questions. */
  questions: (DataQuestion)[];
};

/** The source of the Python guards, where the node has nothing but code. */
export type RawCode = {
  /** The source of the guard before the work. */
  pre: string | null;
  /** The source of the guard after it. */
  post: string | null;
};

/** The server takes new turns. */
export type Readiness = {
  status: "ready";
  /** How many versions of its flows conversations needed that cannot run here: their events are refused with `flow_unavailable`, and left to replicas that have their Python functions. */
  unavailable_versions: number;
};

/** Give back the state as it was at the end of a turn; answered by `StateRecalled`. */
export type RecallState = {
  type: "recall_state";
  /** The id of the effect, by which its result names it. */
  id: string;
  /** The turn at whose end the state was. */
  turn: number;
};

/** Read words back from the journal; answered by `WordsRecalled` in the same order. */
export type RecallWords = {
  type: "recall_words";
  /** The id of the effect, by which its result names it. */
  id: string;
  /** Of each text: the position of the message, start and end of the words in it. */
  places: ([number, number, number])[];
};

/** Every field of a conversation's records with its value, at the end of its last turn. Secrets are redacted. */
export type Records = {
  conversation: string;
  /** The number of the last turn. */
  turn: number;
  /** The position of the last entry in the journal. */
  seq: number;
  values: (ValueView)[];
};

/** Changes of the values of fields and of the items of lists of records. */
export type RecordsEdit = {
  /** Values to set, by field (`user.age`). */
  set?: Record<string, unknown>;
  /** The fields to clear. */
  clear?: (string)[];
  /** Changes of items, in order: each names its item by `id`, by position (from 1), or by values that it has. */
  items?: (Add | Change | Remove | Move | Copy)[];
};

/** The turn of an edit, and the records after it. */
export type RecordsEdited = {
  turn: TurnResult;
  /** All records after the edit. */
  records: Records;
};

/** Take an item out of a list field: the item itself, or as an `ItemRef` names one of a list of records. */
export type Remove = {
  type: "remove";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is removed. */
  item: unknown;
};

/** A repair of a problem: what a button says, the part of the text that it replaces, and the new text. */
export type RepairView = {
  /** What the button says. */
  title: string;
  /** The part of the text that is replaced. */
  range: TextRange;
  /** The new text. */
  text: string;
};

/** Say the open question or the last reply again. */
export type Repeat = {
  type: "repeat";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The client has a position that the journal has not reached: the conversation was deleted and begun again under its name, or a backup was restored. Drop what you have of it; everything follows from the first entry. */
export type Reset = {
  type: "reset";
  conversation: string;
  /** The position of the client. */
  position: number;
  /** The last position of the journal. */
  last: number;
};

/** Begin the form or the scope again. */
export type Restart = {
  type: "restart";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The effect of a rule that holds. */
export type RuleResult = {
  /** What follows when the rule holds. */
  action: "block" | "stay" | "transition";
  /** The node that it leads to; `None` where it leads to none. */
  target?: string | null;
};

/** Run a tool; answered by `ToolReturned` or `ToolFailed`. */
export type RunTool = {
  type: "run_tool";
  /** The id of the effect, by which its result names it. */
  id: string;
  tool: string;
  /** The arguments by name. */
  arguments?: Record<string, unknown>;
  /** The id of the model's call; empty where the tool is a node's own work. */
  call?: string;
  /** True where it may have run before under this id, as after a crash. */
  was_begun?: boolean;
};

/** The machine sent a text to the user, with its buttons and its question. */
export type Said = {
  type: "said";
  text: string;
  /** What kind of reply it is: the text of a node, a question, a confirmation. */
  kind?: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why";
  buttons?: (Button)[];
  /** What kind of answer it asks for; `None` for none. */
  question?: "budget" | "call" | "chooser" | "confirmation" | "field" | "offer" | null;
  /** The field that it asks for. */
  field?: string;
};

/** A document that was written, and whether the flow was loaded again with it. */
export type SavedDocument = {
  /** The document as it is on disk now, which may be newer than what was written. */
  file: SourceFile;
  /** The hash of what was written. */
  sha256: string;
  /** The version of the flow that new conversations use now. */
  fingerprint: string;
  /** True if the flow was loaded again. False where the documents have errors: new conversations still begin with the version before. */
  is_running: boolean;
  /** The problems of the documents as they are written. */
  problems?: (DiagnosticView)[];
};

/** A schedule came due. */
export type ScheduleDue = {
  type: "schedule_due";
  schedule: string;
  /** The time at which it fires; `None` where it is fired now, by a person or program. */
  at_ms?: number | null;
  /** How many times of the schedule were handled before. */
  count?: number;
  /** The inputs that the program has set for periods about this time. */
  inputs?: Record<string, Record<string, unknown>>;
  /** Who fires it now; empty where it came due by itself. */
  by?: string;
};

/** A schedule came due, and did something; with this event the time is handled, unless it is put off. */
export type ScheduleFired = {
  type: "schedule_fired";
  schedule: string;
  /** When it came due. */
  due_ms: number;
  /** What it did. */
  did: "called" | "instructed" | "nothing" | "offered" | "put_off";
  /** The code of why it did nothing or waits. */
  reason?: "" | "bad_input" | "held" | "missed" | "no_input" | "quiet" | "refused";
  /** The scope that it opened or proposed. */
  scope?: string;
  /** The period whose input was used; empty if none was. */
  period?: string;
  /** The input that was used, by field; `None` without one. */
  input?: Record<string, unknown> | null;
  /** True where the program had set that input. */
  is_set?: boolean;
  /** How many earlier times were handled with it. */
  missed?: number;
  /** True where it fired too late to count as punctual. */
  late?: boolean;
  /** When its text for the next reply is dropped, or until when it is put off. */
  until_ms?: number;
  /** Why it did nothing, or what it waits for. */
  text?: string;
  /** Who fired it before its time; empty if no one did. */
  by?: string;
};

/** The input of a schedule for a period. */
export type ScheduleInput = {
  /** Values by field; `null` takes away what was set. */
  input: Record<string, unknown> | null;
};

/** A schedule of a flow. */
export type ScheduleView = {
  name: string;
  /** When it is due, in words. */
  rhythm: string;
  /** What it does when it is due. */
  does: string;
  /** The scope that it opens or proposes; empty without one. */
  scope: string;
  /** The fields of the scope's input; empty for a schedule without a scope. */
  takes: (string)[];
  /** The inputs that are known, by period. */
  inputs: (PeriodInputView)[];
};

/** The schedules of a conversation, in the time zone by which they were computed. */
export type Schedules = {
  /** The time zone of the conversation. */
  zone: string;
  /** When the user wrote last, or the conversation began. */
  said_ms: number;
  /** Where each schedule stands. */
  armed?: (ArmedSchedule)[];
  /** Texts for the next reply. */
  instructions?: (Instruction)[];
};

/** A scope was closed with an outcome. What was said inside leaves the transcript, and the summary stays in it; what it returned is set next. */
export type ScopeClosed = {
  type: "scope_closed";
  scope: string;
  /** The name of the outcome. */
  outcome: string;
  /** What the transcript has in the place of the words inside. */
  summary: string;
  /** Who had opened it. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The id of the model's call that opened it and gets the summary as its result; empty if none did. */
  call?: string;
  /** The tool that opened it; empty if none did. */
  tool?: string;
  /** True where a model wrote the summary. */
  is_by_model?: boolean;
  /** How long the words inside are kept; `None` where they are kept as the conversation is. */
  keep?: KeptWords | null;
};

/** A scope was opened at its first node, and the conversation goes on inside. */
export type ScopeOpened = {
  type: "scope_opened";
  scope: string;
  /** The first node inside. */
  node: string;
  /** Who opened it. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The transition that opened it. */
  transition?: string;
  /** The position of the message that it knows; 0 without one. */
  message?: number;
  /** The id of the model's call that opened it; empty if none did. */
  call?: string;
  /** The tool that opened it; empty if none did. */
  tool?: string;
  /** What was handed over to the model inside. */
  note?: string;
  /** How the words inside were erased. */
  erased?: Erasure | null;
};

/** A decision between two messages, in one line. With the moment `person` it is no decision but an act of a person, who took over, or gave the conversation back. */
export type Seam = {
  /** The position of the decision in the journal. */
  seq: number;
  turn: number;
  /** When it was made, in milliseconds since 1970. */
  at_ms: number;
  /** The node at which it was made. */
  node: string;
  /** The moment that was judged. */
  moment: string;
  /** What it came to; `error` is a stay in which a candidate was in error. */
  outcome: "blocked" | "ended" | "error" | "moved" | "person" | "stayed";
  /** The outcome of the candidate that stands for the decision: the one taken or blocked, else the nearest. */
  mark: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
  /** The line, made of the parts beside it, with ids. */
  text: string;
  /** The node that was entered; empty if none was. */
  target: string;
  /** The transition that was taken; empty if none was. */
  transition: string;
  /** Why the author wants that transition. */
  because: string;
  /** The candidate that was nearest to holding, where none was taken. */
  nearest: string;
  /** The person who made the decision. */
  operator: string;
  /** True where a later undo took it back. */
  is_undone: boolean;
  /** The id of the frame in which it was decided. */
  frame: number;
  /** What the conversation does at the end of its turn, where it is the last decision, chose nothing, and something is open there. */
  activity: ActivityView | null;
  /** The decision with titles, in each language of the page. */
  words: Record<string, VerdictWords>;
};

/** A decision that was made; needs `debug:read`. */
export type SeamSent = {
  type: "seam";
  conversation: string;
  seam: Seam;
};

/** Whether to send a delivery also where a turn has reported it to its caller. */
export type SendAgainQuery = {
  /** Send it although a turn has reported it. */
  confirm?: boolean;
};

/** The conversation has passed this many positions of the node's tool sequence (law 4.1). */
export type SequenceAdvanced = {
  type: "sequence_advanced";
  /** How many positions were passed. */
  to: number;
};

/** Give a field a value. Without a field the machine finds the one that is corrected (law 7.3). */
export type Set = {
  type: "set";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The value as it was understood, to be checked by the type of the field. */
  value: unknown;
  /** The address of the field; empty where the machine finds it. */
  field?: string;
  /** True if the user replaces a value that they know to be there. */
  correction?: boolean;
};

/** One option as it was shown: the value that is stored, and the label if it is another text. */
export type ShownOption = [string, string];

/** Skip the open question. */
export type Skip = {
  type: "skip";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The state at this position: folding may begin here. It changes nothing. */
export type Snapshot = {
  type: "snapshot";
  /** The whole state. */
  state: State;
  /** How the turn that it ends was erased; `None` if it was not. */
  by?: Erasure | null;
};

/** A document of a flow: as it is on disk now where the server reloads the flow, else as it was at the start. */
export type SourceFile = {
  /** Its path, as the problems of the flow call it. */
  file: string;
  /** Its path from the folder of the flow's own document. */
  name: string;
  format: "dygram" | "json" | "yaml";
  /** The whole document; empty where it cannot be read. */
  text: string;
  /** When it was last written, 0 where it cannot be read. */
  saved_ms: number;
  /** The hash of its bytes, which saving compares; empty where it cannot be read. */
  sha256: string;
  /** False where the file on disk has changed since, so that this text is not what is there now. */
  is_current: boolean;
};

/** What was used in all, in the last turn and on the last day that used anything. */
export type Spending = {
  /** In all turns. */
  total?: Used;
  /** The last turn that used anything. */
  turn?: number;
  /** What that turn used. */
  of_turn?: Used;
  /** The last day that used anything. */
  day?: string;
  /** What that day used. */
  of_day?: Used;
  /** The tokens of the last prompt by the purpose of its call, from which the next one is estimated. */
  prompts?: Record<string, number>;
  /** The period in which a budget with a cheaper model was reached, by the name of the budget. */
  reached?: Record<string, string>;
  /** The period in which the user allowed more, and how much, by the name of the budget. */
  granted?: Record<string, [string, number]>;
  /** The budget about which the user is asked; empty if none is. */
  asked?: string;
  /** How much more the user is asked for. */
  wanted?: number;
  /** What the last call used. */
  last?: Used;
};

/** What calls used in all, in the last turn and on the last day, and how the budgets stand. */
export type SpendingReport = {
  /** In all turns. */
  conversation: SpentAmount;
  /** In the last turn. */
  turn: SpentAmount;
  /** On the last day. */
  day: SpentAmount;
  /** The currency of the budgets; empty if no budget is of money. */
  currency?: string;
  /** The budget about which the user is asked; empty where none is. */
  asked?: string;
  /** How each budget stands. */
  budgets?: (BudgetUse)[];
};

/** What the calls of models used and cost: in all turns, and in each of the last ones that called a model. */
export type SpendingView = {
  /** How many calls of models were made. */
  calls: number;
  /** How many tokens the requests had. */
  tokens_in: number;
  /** How many tokens the replies had. */
  tokens_out: number;
  /** The cost in `currency`; `None` where no price is known. */
  money: number | null;
  /** The last turns that called a model. */
  turns: (TurnSpending)[];
  /** The code of the currency of `money`. */
  currency: string;
  /** The budgets of the flow in their present period. */
  budgets: (BudgetUse)[];
  /** The budget about which the user is asked; empty for none. */
  asked: string;
};

/** An amount of each measure: money in the currency of the budgets, tokens, seconds of models and tools. */
export type SpentAmount = {
  /** In the currency of the budgets. */
  money?: number;
  tokens?: number;
  /** The seconds of models and tools. */
  time_s?: number;
};

/** Begin a scope, with values for fields of its input as the user typed them. */
export type Start = {
  type: "start";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The scope. */
  target: string;
  /** Values of its input, by field. */
  input?: Record<string, unknown>;
};

/** A conversation began. Always the first event. */
export type Started = {
  type: "started";
  flow: string;
  /** The version number of the flow. */
  version: number;
  /** The hash that identifies that version. */
  fingerprint: string;
  /** The first node. */
  node: string;
  time_zone?: string;
  language?: string;
  /** True where the first node is entered with it: no write that belongs to entering was refused. */
  is_entered?: boolean;
  /** True where the user may ask why. */
  explains?: boolean;
  /** The overlays that were forced for all conversations of the flow. */
  overlays?: (ForcedOverlay)[];
};

/** Everything that a conversation is at one moment. */
export type State = {
  /** The number of the format in which states are stored. */
  format: number;
  /** The name of its flow. */
  flow: string;
  /** The version number of its flow. */
  version: number;
  /** The hash that identifies the version of its flow. */
  fingerprint: string;
  /** The position of the last entry of the journal. */
  seq: number;
  /** The number of the last turn. */
  turn: number;
  /** When the last entry was written. */
  at_ms: number;
  time_zone: string;
  language: string;
  /** Whether the conversation waits, has ended, or its last turn failed. */
  status: turnwise_core_state_Waiting | turnwise_core_state_Ended | turnwise_core_state_Failed;
  /** The frame in charge. */
  frame: Frame;
  /** The frames that wait below it, the root first; only an undo and a migration change them. */
  outer?: (Frame)[];
  /** The turn at whose end the last turn began: where an undo goes. */
  came_from?: number;
  /** The values of fields, by address. */
  values?: Record<string, FieldValue>;
  /** Answers that are inactive, by address. */
  shelved?: Record<string, FieldValue>;
  /** How many failures the conversation had. */
  errors?: number;
  /** How many moves the autonomous run has made. */
  run_moves?: number;
  /** True if the user may ask why (`commands: [why]`), so that the reasons for moves are kept. */
  explains?: boolean;
  /** True in a fork that may not use tools which change the world (law 6.9). */
  is_bound?: boolean;
  /** The position of the newest `Forked`, 0 in a conversation that is no copy. */
  forked?: number;
  /** The turn under way; `None` between turns. */
  doing?: TurnState | null;
  /** The position of the newest snapshot of the journal. */
  snapshot?: number;
  /** Calls whose result an undo took back, and that no node has made again yet; the last `KEPT_USES` of them. */
  taken_back?: (TakenBack)[];
  /** Effects that an undo did not reverse and that were not done again since; the last `KEPT_USES` of them. */
  kept_effects?: (KeptEffect)[];
  /** The turns that undos took back, as the turns before and behind them: no model is shown them. */
  undone?: ([number, number])[];
  /** The characters to which requests in a node are shortened, since a longer one was too long for its model. */
  request_chars?: Record<string, number>;
  /** The first turn that went on after it was cut off, until a caller receives a later one. */
  cut_off?: number;
  /** The turns whose callers left before they received the outcome, until another caller receives a later one. */
  missed?: (number)[];
  /** The turns that the machine started itself since the last one that a caller asked for; the last ones, if they are many. */
  unprompted?: (number)[];
  /** The position at which a timer or an operator began a turn, the first since the user's last one; 0 without one. */
  unseen_from?: number;
  /** What calls have used; `None` where the flow has no budgets. */
  spending?: Spending | null;
  /** The questions with which forms over data were entered last; `None` before the first one. */
  question_lists?: Record<string, QuestionList> | null;
  /** The options that fields have from lists; `None` before the first ones. */
  option_lists?: Record<string, OptionList> | null;
  /** The scopes that are proposed to the user: at most one is open, others wait, or were passed over. */
  offers?: (Proposal)[];
  /** The overlays that are active or forced; `None` if none ever was. */
  overlays?: OverlayState | null;
  /** When schedules are due; `None` for a flow without them. */
  schedules?: Schedules | null;
  /** The number of the last id that an item of a list of records got; an undo does not take it back. */
  last_item?: number;
  /** The item that the last change of a list of records was about; `None` before the first one. */
  changed_item?: ChangedItem | null;
};

/** The runner read the state at the end of an earlier turn, for an undo. */
export type StateRecalled = {
  type: "state_recalled";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** The turn at whose end the state was. */
  turn: number;
  /** That state; `None` where it cannot be read any more. */
  state?: State | null;
  /** The tools used since, which an undo cannot reverse. */
  kept?: (string)[];
  /** Calls of these tools that were the work of a node. */
  calls?: (TakenBack)[];
  /** The last text of that turn. */
  said?: string;
  /** The ids of a model's calls of these tools; `None` in journals of version 0.1. */
  made?: (string)[] | null;
  /** All calls of these tools that changed the world. */
  effects?: (KeptEffect)[];
  /** The frames of those in `kept`; empty where all belong to the one in charge then. */
  frames?: (number)[];
};

/** The state at the end of a turn. */
export type StateView = {
  /** The number of the turn. */
  turn: number;
  /** The position of the last entry of the turn in the journal. */
  seq: number;
  /** The node in charge. */
  node: string;
  /** What it waits for, or how it ended, as it is stored. */
  status: Record<string, unknown>;
  /** All fields of the records. */
  values: (ValueView)[];
  /** The timers that are armed. */
  timers: (TimerView)[];
  /** The form of the node in charge. */
  form: FormView | null;
  /** The kind of the open question and its field, as `ask order.size`; empty if none is open. */
  question: string;
  /** The move that is planned for the next message. */
  pending: string;
  /** The first call that waits for approval, as it is stored. */
  awaiting_approval: Record<string, unknown> | null;
  /** How often each node was entered. */
  visits: Record<string, number>;
  /** How often each tool was used. */
  tools: Record<string, number>;
  /** The last uses of tools, the newest last. */
  last_tools: (ToolUse)[];
  /** How many failures the conversation had. */
  errors: number;
  /** The nodes of the frames, the outermost first. */
  stack: (string)[];
  /** The ids of the frames, the outermost first. */
  frames: (number)[];
  /** The person in charge, or the wait for one. */
  person: PersonView | null;
  /** The time zone of its local dates and times. */
  time_zone: string;
  /** The code of the language of the conversation. */
  language: string;
  /** All calls that wait for approval, in order. */
  approvals: (WaitingCall)[];
};

/** What a tab watches. */
export type StreamQuery = {
  /** The ids of the conversations to watch. */
  conversation?: (string)[];
  /** A position for each conversation, for a client that has loaded some; empty to get everything. */
  after?: (number)[];
  /** Whether to send decisions and entries too, which needs `debug:read`. */
  debug?: boolean;
  /** Whether to send changes of the list of conversations. */
  list?: boolean;
  /** The id of the last event that was received; empty for none. */
  cursor?: string;
};

/** What a question or a fact is about: a kind of thing and its name. */
export type Subject = {
  /** The kind of the subject: a field, a node, a turn and so on. */
  kind: "call" | "conversation" | "delivery" | "end" | "event" | "field" | "form" | "item" | "limit" | "message" | "model" | "node" | "origin" | "overlay" | "person" | "question" | "schedule" | "timer" | "tool" | "transition" | "turn";
  /** The name, id or number: `user.age`, `12`, `order.items[i3].size`; empty for what exists only once. */
  name?: string;
};

/** What a question may be about: the subject as it can be asked for, what the flow or the user calls it, and why it is offered. */
export type SubjectCandidate = {
  /** The subject, to be sent as the question. */
  subject: string;
  /** What the flow or the user calls it. */
  title: string;
  /** Why it is offered. */
  because: string;
};

/** A conversation of the list began or changed. */
export type SummarySent = {
  type: "summary";
  summary: ConversationSummary;
};

/** A person takes a conversation over. */
export type TakeOver = {
  /** The name that the user sees. With keys the trace records the owner of the key. */
  operator: string;
  /** Why the person takes over; it is recorded. */
  reason?: string;
  /** The person in charge (`person.operator`) from whom this one takes over; `None` where no one is in charge. */
  instead_of?: string | null;
};

/** A performed call of a node's own work, whose result an undo removed. */
export type TakenBack = [string, string, string, string];

/** A person took the conversation over; until they give it back, nothing is interpreted and no model is called. */
export type TakenOver = {
  type: "taken_over";
  /** Who took it over. */
  operator: string;
  /** Why the person took over. */
  reason?: string;
  /** The person who was in charge before, where one takes over from another; else empty. */
  instead_of?: string;
  /** The name that the user sees; empty if it is the same. */
  display?: string;
};

/** A place in a text. */
export type TextPosition = {
  /** The line, from 0. */
  line: number;
  /** The characters before it in its line, as UTF-16 code units. */
  character: number;
};

/** A part of a text. */
export type TextRange = {
  /** Its first character. */
  start: TextPosition;
  /** The place behind its last character. */
  end: TextPosition;
};

/** What a provider wants back with the calls of a reply: a signed thought, or a mark of a call or text. */
export type Thought = {
  /** The only model that it is sent to. */
  model: string;
  /** Whether it is a thought, or a mark of a call or of the text. */
  kind?: "call" | "text" | "thought";
  /** The number of calls before it; for a mark of a call, that call included. */
  calls?: number;
  /** The words of the thought. */
  text?: string;
  /** The signature by which the provider knows its own thought. */
  signature?: string;
  /** The id that the provider gave it. */
  id?: string;
  /** The provider that it came from. */
  provider?: string;
  /** What else the provider wants back, unchanged. */
  details?: Record<string, unknown>;
};

/** What a conversation does by the clock, and what it spent. */
export type TimeView = {
  conversation: string;
  /** The time of the server. */
  now_ms: number;
  /** The time zone of the dates of the conversation. */
  time_zone: string;
  /** Timers and schedules, the next one first. */
  due: (DueView)[];
  /** The scopes that are proposed. */
  offers: (OfferView)[];
  overlays: (OverlayView)[];
  spending: SpendingView;
};

/** The conversation goes on in another time zone: fields that the flow's `time_zone` reads have other values. */
export type TimeZoneChanged = {
  type: "time_zone_changed";
  /** The name of the new time zone, such as `Europe/Berlin`. */
  time_zone: string;
};

/** The whole path of a conversation, compact: arrays instead of objects for turns and marks. */
export type Timeline = {
  conversation: string;
  /** The names of the nodes, in the order of the flow; those inside a scope follow its node. */
  lanes: (string)[];
  /** The turns, in order. */
  turns: (TimelineTurn)[];
  /** The decisions, in order. */
  marks: (TimelineMark)[];
  /** The positions of the last entry of each commit. */
  commits: (number)[];
  /** Position, lane before, lane after; also where a scope was opened or closed. */
  moves: ([number, number, number])[];
  /** The position of the last entry of the journal. */
  last_seq: number;
  /** True where earlier turns are no longer stored. */
  is_cut: boolean;
  /** The distinct lists of transitions that were judged, in the order of judging. */
  candidates: ((string)[])[];
  /** In how many scopes each lane stands. */
  depths: (number)[];
  /** What happened around it by the clock, by offers, and in other systems. */
  signs: (TimelineSign)[];
  /** The overlays, in the order in which they became active. */
  overlays: (TimelineOverlay)[];
  /** What people call each lane, by its name. */
  titles: Record<string, string>;
};

/** One decision on the timeline. */
export type TimelineMark = [number, number, number, number, "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown", number, string, boolean, string, string, number, string, number, number, boolean];

/** An overlay on the timeline: from the position at which it became active, to that at which it ended. */
export type TimelineOverlay = [string, string, number, number | null];

/** Something around the conversation on the timeline: a timer that fired, an offer, an event of another system. */
export type TimelineSign = [number, number, number, "clock" | "event" | "limit" | "offer" | "overlay", string];

/** One turn on the timeline. */
export type TimelineTurn = [number, number, number, number, number, "" | "chose" | "commands" | "continued" | "event" | "person" | "said" | "schedule" | "started" | "timer" | "tool" | "undo", boolean, number, number];

/** A timer that is armed: its transition, the visit, when it is due, and how often it has fired in this wait. */
export type Timer = [string, string, number, number, number];

/** A timer came due: the transition it belongs to, the visit for which it was armed, and its time. */
export type TimerFired = {
  type: "timer_fired";
  /** The transition that the timer belongs to. */
  timer: string;
  /** The visit of the node for which it was armed. */
  visit?: number | null;
  /** When it was due. */
  due_ms?: number | null;
};

/** A timer, named by its transition. */
export type TimerToFire = {
  /** The transition that the timer takes. */
  transition: string;
  /** Which visit of the node the timer belongs to, where it was visited several times. */
  visit?: number | null;
};

/** A timer that is armed: its transition, its node and when it is due. */
export type TimerView = {
  /** The transition that it takes. */
  transition: string;
  /** The node that it was armed in. */
  node: string;
  /** When it is due. */
  due_ms: number;
  /** Why the author wants the transition. */
  because: string;
  /** The node that the transition leads to. */
  target: string;
};

/** The tokens of all attempts of a model call, in a flow with budgets. */
export type TokenCount = {
  /** The tokens of the prompts. */
  tokens_in?: number;
  /** The tokens of the replies. */
  tokens_out?: number;
  /** How many of `tokens_in` the provider had cached. */
  tokens_cached?: number;
  /** The tokens of the last prompt. */
  last_in?: number;
  /** True where the provider counted none, so that four characters are one token. */
  is_estimated?: boolean;
};

/** A tool call failed. */
export type ToolFailed = {
  type: "tool_failed";
  /** The id of the effect that this is the result of. */
  effect: string;
  tool: string;
  /** Why it failed. */
  reason: string;
  /** After how many milliseconds it failed. */
  ms?: number;
  /** The id of the model's call; empty where the tool is the work of the node. */
  call?: string;
  /** True where the tool may have done its work nevertheless (law 4.5). */
  in_doubt?: boolean;
  /** True where no runner was found, so that the call is not a use of the tool (law 4.3). */
  not_run?: boolean;
  /** The `file:line` where the user's own code raised; empty if none did. */
  at?: string;
  /** The attempts that failed before the last one. */
  attempts?: (Attempt)[];
};

/** How often each tool was used, and the last uses in order, the newest last. */
export type ToolHistory = {
  /** How often each tool was used. */
  counts?: Record<string, number>;
  /** The last uses, the newest last. */
  last?: (ToolUse)[];
};

/** A use of a tool by the code of the host. */
export type ToolReport = {
  /** The tool. */
  name: string;
  /** What it was called with, by name. */
  arguments?: Record<string, unknown>;
  /** What it returned, as JSON data. */
  result?: unknown;
};

/** A tool returned a result. */
export type ToolReturned = {
  type: "tool_returned";
  /** The id of the effect that this is the result of. */
  effect: string;
  tool: string;
  /** The result as JSON data. */
  result?: unknown;
  /** After how many milliseconds it returned. */
  ms?: number;
  /** The id of the model's call; empty where the tool is the work of the node. */
  call?: string;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced?: number;
  /** The attempts that failed before. */
  attempts?: (Attempt)[];
};

/** One use of a tool. */
export type ToolUse = [string, number, string];

/** The host's own code used a tool. */
export type ToolUsed = {
  type: "tool_used";
  tool: string;
  arguments?: Record<string, unknown>;
  /** What it returned, as JSON data. */
  result?: unknown;
};

/** A tool of the flow at this node: offered to the model, or why not. */
export type ToolView = {
  name: string;
  /** What it does. */
  about: string;
  /** Whether the model may call it now. */
  is_offered: boolean;
  /** Why it is not offered, in words. */
  reason: string;
  /** What decides this: the key of the flow, or the tool that must come first. */
  policy: string;
  /** True where it has side effects. */
  is_effect: boolean;
  /** How often the conversation has used it. */
  used: number;
  /** The JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
  /** The reason for programs: `offered`, `denied`, `not_allowed`, `out_of_sequence` and others. */
  code: string;
};

/** What the chat shows. */
export type Transcript = {
  conversation: ConversationSummary;
  /** The messages, the oldest first. */
  messages: (Message)[];
  /** The decisions, in order; empty without `debug:read`. */
  seams: (Seam)[];
  /** True where earlier messages are no longer stored. */
  is_cut: boolean;
  /** When retention erased the last of them, and its rule: `on 2026-11-01, which keeps events for 30 days`. */
  erasure: string;
  /** The buttons by which the user may begin an inner conversation now. */
  starts: (Button)[];
};

/** Which messages of a transcript. */
export type TranscriptQuery = {
  /** The position after which messages are wanted. Those of the whole turn there are sent. */
  after?: number;
  /** Only the lines of one frame, by its id or the name of its scope; of several runs of a scope those of the last one. */
  frame?: string | null;
};

/** A transition that the person may take: its name, its moment, and where it leads. */
export type TransitionChoice = {
  /** The name of the transition in the flow. */
  name: string;
  /** When its guard would be judged. */
  moment: "after" | "before" | "calls" | "choice" | "error" | "event" | "timer" | "tool";
  /** The node that it leads to. */
  target: string;
  /** Why the author wants it. */
  because: string;
};

/** The payload of the event `debug_transition_eval`, with the keys of seed 000. */
export type TransitionEval = {
  crewName: string;
  transitionTo: string | null;
  didTransition: boolean;
  hasStructuredRules: boolean;
  evaluatedRules: EvaluatedRules | null;
  rawCode: RawCode | null;
  collectedFields: Record<string, string>;
  contextSnapshot: Record<string, unknown>;
  /** The decision that was made. */
  decision: Decision;
};

/** The turn is over. */
export type TurnEnded = {
  type: "turn_ended";
  /** What is awaited; empty where the conversation has ended or failed. */
  waits_for?: "" | "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user";
  /** The timers that are armed now. */
  timers?: (Timer)[];
  /** What schedules do next; `None` where it is as before. */
  schedules?: Schedules | null;
};

/** A turn that was cut off resumes at the effect that it awaits; text that was shown but not stored is withdrawn. */
export type TurnRestarted = {
  type: "turn_restarted";
};

/** The result of a turn, or the refusal of an event. */
export type TurnResult = {
  conversation: string;
  /** The number of the turn. */
  number: number;
  /** What was replied, or the reason of the refusal. */
  text: string;
  /** The buttons of the last reply. */
  buttons: (Button)[];
  /** Whether it waits for the user, or is over; empty for a refusal. */
  status: "" | "ended" | "failed" | "waiting";
  /** The node in charge after the turn. */
  node: string;
  /** The outcome with which the conversation ended. */
  outcome: string;
  /** Send it with a button, so that a stale button is recognised. */
  position: number | null;
  /** The position of the last entry of the turn in the journal. */
  seq: number;
  /** The code of the refusal; empty where the event was accepted. */
  refused: string;
  /** True where the event was received before (the same idempotency key): this is its first result. */
  is_duplicate: boolean;
  /** The messages of the turn, the user's among them. */
  messages: (Message)[];
  /** The form of the last reply that shows one. */
  form: FormView | null;
  /** What forms made for the host: problem statement, plan or handover. */
  artefacts: (Record<string, unknown>)[];
  /** Problems of the turn that operators should see. */
  warnings: (TurnWarning)[];
  /** Earlier turns that were cut off or not delivered, and are delivered with this one. */
  recovered: (TurnResult)[];
  /** Turns since the last one that no message began (timers, schedules), and that are delivered with this one. */
  unprompted: (TurnResult)[];
  /** The person in charge after the turn, by the name that the user sees; empty while the machine is in charge. */
  operator: string;
  /** The buttons by which the user may begin an inner conversation now. */
  starts: (Button)[];
};

/** A turn has ended. */
export type TurnSent = {
  type: "turn";
  conversation: string;
  turn: TurnResult;
};

/** What the model calls of one turn used and cost. */
export type TurnSpending = {
  /** The number of the turn. */
  turn: number;
  /** When the turn was, in milliseconds since 1970. */
  at_ms: number;
  /** How many calls of models the turn made. */
  calls: number;
  /** How many tokens the requests had. */
  tokens_in: number;
  /** How many tokens the replies had. */
  tokens_out: number;
  /** The cost in US dollars by the prices of the provider; `None` where these are not known. */
  money: number | null;
  /** The cost in the currency of the flow by its own prices; `None` in a flow without budgets. */
  priced: number | null;
};

/** The part of the state that lasts for one turn. */
export type TurnState = {
  /** What began the turn. */
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  /** When it began, in milliseconds since 1970. */
  at_ms: number;
  /** The position of the event that began it: of the message, if there is one. */
  seq: number;
  /** The node in charge when it began. */
  start_node?: string;
  /** The turn at whose end it began. */
  base?: number;
  /** The text of the user, if a message began it. */
  message?: string | null;
  /** The value of the button, if one began it. */
  button?: string | null;
  /** True if the message was answered or applied, so that a later node does not work on it. */
  is_used_up?: boolean;
  /** How many moves were made in it. */
  moves?: number;
  /** The nodes that were entered in it. */
  entered?: (string)[];
  /** The nodes for which its message was understood. */
  understood_for?: (string)[];
  /** True if something was said to the user in it. */
  has_spoken?: boolean;
  /** The status of a form that was confirmed or handed over in this turn; empty if none was. */
  closed?: "" | "confirmed" | "handed_off";
  heard?: (CommandOutcome)[];
  /** The last failure, while it is judged. */
  fault?: turnwise_core_state_turn_state_Fault | null;
  /** How many effects were requested; their ids count from it. */
  effects?: number;
  /** How many calls of models were made. */
  model_calls?: number;
  /** How many calls of tools were made. */
  tool_calls?: number;
  /** The calls of a model that still wait, in order. */
  calls?: (Call)[];
  /** How many calls failed or were refused, by tool. */
  failures?: Record<string, number>;
  /** How often a model was asked to choose a way out. */
  asked_to_choose?: number;
  /** True if the timers of the node are armed anew although no user event came. */
  rearms?: boolean;
  /** The effect whose result it waits for. */
  awaited?: Understand | CallModel | RunTool | RecallWords | RecallState | null;
  /** `State.cut_off` before this turn. */
  cut_off?: number;
  /** The person who made the last decision. */
  operator?: string;
  /** True if the message asks to stop, or for a person, where no form is open. */
  wants_out?: boolean;
  /** True if the last decision was made about a failure. */
  has_caught?: boolean;
  /** `State.missed` before this turn. */
  missed?: (number)[];
  /** The node for which a model was called last. */
  prompted?: string;
  /** How many scopes were opened in this turn. */
  opened?: number;
  /** The scopes that were closed in this turn, which do not open again in it. */
  closed_scopes?: (string)[];
  /** The outcome of the scope that was closed last in this turn. */
  scope_outcome?: string;
  /** True if the user declined an offer in this turn. */
  has_declined?: boolean;
  /** The event of another system that this turn judges. */
  event?: EventData | null;
};

/** Everything that the panel shows of one turn. */
export type TurnTrace = {
  conversation: string;
  /** The number of the turn. */
  turn: number;
  /** What began the turn, in words. */
  about: string;
  /** The version number of the flow that it used. */
  version: number;
  /** The hash that identifies that version. */
  fingerprint: string;
  /** True where new conversations begin with another version. */
  is_other_version: boolean;
  /** The position of its first entry in the journal. */
  first_seq: number;
  /** The position of its last entry. */
  last_seq: number;
  /** When it began. */
  at_ms: number;
  /** How long the turn took. */
  took_ms: number;
  /** The decisions of the turn, in order. */
  decisions: (DecisionView)[];
  /** The state at its end. */
  state: StateView;
  /** What models were sent. */
  prompts: (PromptView)[];
  /** Every tool, and whether it was offered. */
  tools: (ToolView)[];
  /** The calls of tools. */
  calls: (CallView)[];
  /** The calls of models. */
  model_calls: (ModelCallView)[];
  /** All entries of the turn. */
  events: (EventRow)[];
  /** The positions of the last entry of each commit of the turn. */
  commits: (number)[];
  /** The overlays that were active. */
  overlays: (string)[];
  /** Why the turn has no decision: which moment would judge. */
  nothing_judged: string;
  /** True where retention erased the turn: only its positions and times are left. */
  is_erased: boolean;
  /** What the conversation did at the end of the turn, where something was open then. */
  activity: ActivityView | null;
};

/** A problem of a turn, by its code. What happened is in the trace, which needs `debug:read`: the words may name guards, providers and operators. */
export type TurnWarning = {
  /** Which problem it is. */
  code: "calls_not_run" | "characters_replaced" | "guard_error" | "late" | "offer_not_made" | "options_left_out" | "reply_failed" | "reply_replaced" | "request_shortened" | "result_not_stored" | "scope_not_opened" | "silent_turn" | "stale_button" | "summary_failed" | "text_gap" | "transition_cascade_limit" | "understanding_failed" | "unknown_language" | "unknown_time_zone" | "wording_failed";
};

/** Read the turn's message and propose commands; answered by `Understood` or `UnderstandingFailed`. */
export type Understand = {
  type: "understand";
  /** The id of the effect, by which its result names it. */
  id: string;
  /** The one field for which only the offline rules read the message, and no model may (law 5.2); empty if none. */
  field?: string;
  /** True where no budget allows a call of a model. */
  by_rules?: boolean;
  /** The model that a budget puts in the place of the usual one; empty if none does. */
  model?: string;
};

/** Understanding failed; the turn continues without commands. */
export type UnderstandingFailed = {
  type: "understanding_failed";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** Why it failed. */
  reason: string;
  /** The `file:line` where user code raised; empty if none did. */
  at?: string;
  /** The attempts of a model that failed before the last one. */
  attempts?: (Attempt)[];
  /** What the call of the model used, in a flow with budgets. */
  count?: TokenCount | null;
};

/** A message was understood as commands. */
export type Understood = {
  type: "understood";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** The commands that were proposed. */
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
  /** What understood it. */
  by: "function" | "model" | "rules";
  /** Other statements of the understanding: recorded, never applied. */
  claims: Record<string, unknown>;
  /** The model that understood it; empty if none did. */
  model: string;
  /** A hash that proves what the model was shown; empty without a model. */
  prompt: string;
  /** The tokens of the model's prompt. */
  tokens_in: number;
  /** The tokens of the model's reply. */
  tokens_out: number;
  /** The cost in US dollars; `None` where the provider's prices are not known. */
  cost: number | null;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced: number;
  /** The attempts of the model that failed before. */
  attempts: (Attempt)[];
  /** The characters to which the request was shortened, since a longer one was too long; 0 if it was not. */
  request_chars: number;
  /** Words for values that the rules did not propose, with the reason. */
  dropped: (Dropped)[];
  /** True where a model would have read the message, and a budget left nothing for that. */
  is_over_budget: boolean;
  /** What the call of the model used, in a flow with budgets. */
  count: TokenCount | null;
};

/** A value that was understood in a message. */
export type UnderstoodValue = {
  /** The address of the field, `record.field`. */
  field: string;
  /** What was understood, as JSON data. */
  value: unknown;
  /** How it was understood: typed, chosen, by a model. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** Where its words begin in the text; `None` where no words are known. */
  start?: number | null;
  /** Where its words end in the text. */
  end?: number | null;
  /** What it did to its field. */
  did?: "added" | "changed" | "moved" | "removed" | "set";
};

/** Take the last turn back. */
export type Undo = {
  type: "undo";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The host undoes the last turn, or all turns after `to`. */
export type UndoAsked = {
  type: "undo_asked";
  /** The last turn that stays; `None` to undo one turn. */
  to?: number | null;
};

/** Undo the last turn, or several. */
export type UndoRequest = {
  /** The turn after which all turns are undone; `None` for the last one only. */
  to?: number | null;
};

/** The state of the end of an earlier turn was restored; effects that were performed are not reversed. */
export type Undone = {
  type: "undone";
  /** The turn at whose end that state was. */
  to: number;
  /** The restored state. */
  state: State;
  /** The tools whose effects were not reversed. */
  kept?: (string)[];
  /** The open scopes whose opening was taken back and whose words are kept for a time only. */
  closed?: (KeptWords)[];
};

/** An amount of each measure: money in billionths, tokens, milliseconds. */
export type Used = [number, number, number];

/** The user pressed a button. */
export type UserChose = {
  type: "user_chose";
  /** The value or the label of the button. */
  value: string;
  /** The position of the text that offered it. */
  position?: number | null;
  /** True if it may answer a question that no caller received, as in `UserSaid`. */
  is_new?: boolean;
};

/** The user said something. */
export type UserSaid = {
  type: "user_said";
  text: string;
  /** True if it may answer a question that no caller received: it came with the position that its client has shown, or, unless a timer asked that question, with a key of its own. */
  is_new?: boolean;
};

/** A field with its value at the end of the turn. The value of a list of records is its items, each with its `id` and its values by name. */
export type ValueView = {
  /** Its address, `record.field`. */
  field: string;
  /** What people call it. */
  title: string;
  /** Its type: `text`, `number`, `list of text`. */
  type: string;
  /** As JSON data; the default where it has none. */
  value: unknown;
  /** The value as people read it. */
  text: string;
  /** True where it has a value of its own, which is active. */
  is_known: boolean;
  /** True where it is redacted. */
  is_secret: boolean;
  /** True where `value` is the default of the flow. */
  is_default: boolean;
  /** False where its question does not apply any more, so that its answer does not count. */
  is_active: boolean;
  /** Where the value came from; `None` where that is unknown or secret. */
  origin: Origin | null;
  /** Why it is empty or inactive. */
  reason: string;
  /** The value before the turn, where it changed. */
  before: unknown;
  /** Whether the turn changed it. */
  is_changed: boolean;
  /** The fields of the items, of a list of records. */
  item_fields: (ItemField)[];
  /** How many items there may be, of a list of records; `None` for no limit. */
  most: number | null;
};

/** What happened, and why, without a full stop. */
export type VerdictWords = {
  /** What happened: `Moved to Profiler`, `Stayed: needs Age ≥ 38 (is 35)`. */
  headline: string;
  /** Why: `Terms accepted`, `With that it would go to Expert: old enough`; empty where the flow gives none. */
  reason?: string;
};

/** The user needs a moment: wait, and ask nothing. */
export type Wait = {
  type: "wait";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** An argument of a call that waits; a secret value is redacted. */
export type WaitingArgument = {
  /** The name of the argument in the flow. */
  name: string;
  /** What people call the argument. */
  title: string;
  /** Its type in the flow: `text`, `number`, `choice`. */
  type: string;
  /** The value as JSON data. */
  value: unknown;
  /** The value as people read it. */
  text: string;
  /** The values that it may have, of a choice. */
  options: (string)[];
  /** True where the value is redacted. */
  is_secret: boolean;
  /** True where the call may be made without it. */
  is_optional: boolean;
  /** The items, of a list of records. */
  items: ItemTexts | null;
};

/** A call that waits for approval. */
export type WaitingCall = {
  /** Its name in decisions. */
  id: string;
  /** The name of the tool. */
  tool: string;
  /** What it does. */
  about: string;
  /** What it is called with. */
  arguments: (WaitingArgument)[];
  /** Who may decide: the user, or only an operator. */
  approver: "operator" | "user";
  /** When it began to wait. */
  since_ms: number;
  /** When it is declined if no one decides; `None` if it is not. */
  due_ms: number | null;
  /** True for the call that the open question of the conversation is about. */
  is_asked: boolean;
  /** The tools of calls that wait behind it. */
  then: (string)[];
  /** The question that the author wrote for its approval, in parts; empty without one. */
  question: (WaitingQuestionPart)[];
  /** That the same effect was done before an undo, and when; empty where it was not. */
  done_before: string;
};

/** A part of the question about a call that waits. */
export type WaitingQuestionPart = {
  /** The words of the part. */
  text: string;
  /** The names of the arguments that the text is made of. */
  arguments?: (string)[];
  /** True where it is the value of one argument, so a client that changes the argument can show the question again. */
  is_value?: boolean;
};

/** A problem that operators should see; the turn continues. */
export type Warned = {
  type: "warned";
  /** Which problem it is. */
  code: "calls_not_run" | "characters_replaced" | "guard_error" | "late" | "offer_not_made" | "options_left_out" | "reply_failed" | "reply_replaced" | "request_shortened" | "result_not_stored" | "scope_not_opened" | "silent_turn" | "stale_button" | "summary_failed" | "text_gap" | "transition_cascade_limit" | "understanding_failed" | "unknown_language" | "unknown_time_zone" | "wording_failed";
  /** What happened, in words. */
  message: string;
  /** The fields that it is about. */
  fields?: (string)[];
};

/** What to suppose. */
export type WhatIfBody = {
  /** The turn to judge again, by default every turn. */
  turn?: number | null;
  /** The values to suppose, by field; `null` for none. */
  values?: Record<string, unknown>;
  /** The guards to suppose, by transition. */
  rules?: Record<string, string>;
};

/** A decision that was judged again: as recorded, and as it would have been. */
export type WhatIfDecision = {
  /** The position of the decision in the journal. */
  seq: number;
  turn: number;
  node: string;
  /** As it was recorded. */
  was: Decision;
  /** As it would have been. */
  would: Decision;
  /** Whether another transition would have been taken. */
  differs: boolean;
  /** The transitions whose guard was replaced; their `because` still describes the old one. */
  replaced: (string)[];
};

/** What would differ in some of a flow's conversations. */
export type WhatIfPage = {
  /** How many conversations this page judged. */
  conversations: number;
  /** How many conversations the flow has. */
  total: number;
  /** How many decisions were judged again. */
  judged: number;
  /** How many of them would differ. */
  differs: number;
  /** The conversations with such decisions. */
  changed: (ChangedConversation)[];
  /** How many conversations cannot be judged again: their version of the flow does not have what is supposed. */
  skipped: number;
  /** Faults in the values or guards; then nothing was judged. */
  problems: (GuardProblem)[];
  /** The cursor of the following conversations; `None` at the end. */
  next: string | null;
};

/** What would differ. */
export type WhatIfResult = {
  /** How many decisions were judged again. */
  judged: number;
  /** How many of them would differ. */
  differs: number;
  /** Those that would differ, or all where one turn was asked for. */
  decisions: (WhatIfDecision)[];
  /** Faults in the values or guards of the question; then nothing was judged. */
  problems: (GuardProblem)[];
  /** How many decisions cannot be judged again. */
  skipped: number;
  /** The command that asks the same in a terminal, empty where there is none. */
  command: string;
};

/** Say why: the question, the last move, or what a field is needed for. */
export type Why = {
  type: "why";
  /** Start and end of the words in the message that it came from, in characters. */
  words?: [number, number] | null;
  /** From 0 to 1; it is recorded and decides nothing. */
  confidence?: number | null;
  /** Why the machine refuses it although it was understood; empty for most. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The field that is asked about. */
  field?: string;
  /** A whole question of the user; empty without one. */
  text?: string;
  /** What the runner found in the journal for that question. */
  answer?: string;
};

/** A question of why. */
export type WhyQuery = {
  /** A name, the number of a turn, `end`, or a question in plain words. */
  subject?: string;
  /** The number of the turn that it is about, by default the last. */
  turn?: number | null;
  /** Another conversation with which this one is compared. */
  against?: string | null;
  /** A turn of the other conversation, or of this one. */
  against_turn?: number | null;
  /** A node to which ways are searched, from the end of the turn. */
  to?: string | null;
  /** Whether to count also in how many conversations of the flow that was so; then the second fact says it. */
  usual?: boolean;
  /** Whether nodes, fields, tools, conditions and values stand as people call and write them, not as the flow does. */
  titles?: boolean;
};

/** Words of the user that contain a secret. They are hidden from models, whether or not the value was applied. */
export type WordsHidden = {
  type: "words_hidden";
  /** The position of the message, start and end of the words in it. */
  place: [number, number, number];
};

/** The runner read words from the journal. */
export type WordsRecalled = {
  type: "words_recalled";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** The texts that were asked for, in order; `None` where retention erased one. */
  words: (string | null)[];
};

/** The node in charge has done its work. */
export type WorkDone = {
  type: "work_done";
  /** The node. */
  node: string;
};

/** The conversation has ended. */
export type turnwise_core_state_Ended = {
  type: "ended";
  /** The outcome with which it ended. */
  outcome: string;
};

/** The last turn failed; the next message tries again from the same node. */
export type turnwise_core_state_Failed = {
  type: "failed";
  /** The code of the reason. */
  reason: "guard" | "limit" | "model" | "refused" | "stuck" | "text" | "tool" | "write";
  /** Why it failed, in words. */
  message?: string;
};

/** The conversation waits for a message, a button, or the result of an effect. */
export type turnwise_core_state_Waiting = {
  type: "waiting";
  /** What it waits for. */
  what: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user";
  /** When the wait began, in milliseconds since 1970. */
  since_ms: number;
};

/** The conversation ended with an outcome. */
export type EndedEvent = {
  type: "ended";
  /** The outcome. */
  outcome: string;
};

/** The turn failed; the next message can continue the conversation. */
export type FailedEvent = {
  type: "failed";
  /** The code of the reason. */
  reason: "guard" | "limit" | "model" | "refused" | "stuck" | "text" | "tool" | "write";
  /** Why it failed, in words. */
  message?: string;
};

/** A failure: what `error.*` is bound to while an `error` transition is judged, and what explanations show. */
export type turnwise_core_state_turn_state_Fault = ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string, string, unknown, unknown, string, string];

/** Which turn. */
export type turnwise_server_routes_questions_TurnQuery = {
  /** Its number, by default that of the last one. */
  turn?: number | null;
};

/** What an event stream of a turn has. */
export type turnwise_server_routes_turns_TurnQuery = {
  /** Whether it also has entries and evaluations, which needs `debug:read`. */
  debug?: boolean;
};

/** A conversation that waits for a person, or has one. */
export type Waiting = {
  conversation: ConversationSummary;
  /** The person in charge, or the wait for one. */
  person: PersonView;
  /** What led to it, as a sentence: the words of the rule, or that the user asked for a person. */
  why: string;
  /** When the wait ends if no person comes; `None` if it does not end by itself. */
  due_ms: number | null;
  /** The values that the person sees in the list. */
  known: (KnownValue)[];
};

/** One thing that is wrong in a request: where, what, and what to do. */
export type Fault = {
  /** A JSON pointer into the body (in a file of lines the first part is the line, from 0), `?name` for a parameter, or the name of a header. */
  at: string;
  /** What is wrong. */
  message: string;
  /** What to do. */
  hint: string;
};
