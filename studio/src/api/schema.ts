// Generated from the server's OpenAPI document by scripts/types.mjs. Do not edit.

/** What a conversation does, as a headline: `Asks for “purpose”: 3 of 5 answered`. */
export type ActivityView = {
  kind: "asks_about_budget" | "asks_another_item" | "asks_field" | "asks_item" | "asks_which_answer" | "asks_which_item" | "confirms" | "ended" | "failed" | "form_stopped" | "offers" | "waits_for_approval" | "waits_for_approvals" | "waits_for_message" | "waits_for_person" | "with_person" | "works";
  /** The headline in the language of the conversation. */
  text: string;
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
  field: string;
  /** The item, or its values by name. */
  item: unknown;
};

/** What a visitor of the demonstration may say in a node, while its form asks for a field, or asks nothing, and while the field `missing` was not given. */
export type Advice = {
  node: string;
  /** The field that the form asks for; empty where none is asked. */
  field: string;
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
  conversation: string;
  subject: Subject;
  /** The turn at whose end the answer holds. */
  turn: number;
  /** The position of the last entry that it takes into account. */
  seq: number;
  read_as: string;
  facts: (Fact)[];
  plain?: string;
  decisions?: (Decision)[];
  also?: (Subject)[];
  erased?: (string)[];
  /** The answer in one line: the first fact. */
  line?: string;
};

/** What an answer would do, tried on a copy of the state without calling anything. `text` is it in a few words; `stops_at` is what would have to be asked before more is known: a model or a tool. */
export type AnswerOutlook = {
  /** The button that gives the answer. */
  label: string;
  /** The value that it sends. */
  value: string;
  text: string;
  /** What would follow, in order. */
  steps?: (OutlookStep)[];
  stops_at?: "" | "model" | "tool" | "understanding";
};

/** A call that waits for approval: of a model, or of the node's own work where `call` is empty. `id` is the id of its effect from now on, so repeated approvals approve the same call. `was_begun` is true where it may have run already, before an undo. */
export type ApprovalRequest = {
  /** The tool that is called. */
  tool: string;
  arguments: Record<string, unknown>;
  call?: string;
  id?: string;
  was_begun?: boolean;
  /** Who may decide: the user, or only an operator. */
  approver?: "operator" | "user";
  since_ms?: number;
  due_ms?: number | null;
  behind?: (Call)[];
  is_approved?: boolean;
  /** How often the user has answered neither yes nor no. */
  unclear?: number;
};

/** The user answered the question about a call neither with yes nor with no: the question is asked again. It counts, unless the message was only a greeting or thanks, or asked for help, for time, or for the question. */
export type ApprovalUnclear = {
  type: "approval_unclear";
  /** The id of the call. */
  call: string;
  tool: string;
  is_counted?: boolean;
};

/** One schedule of a conversation. `due_ms` is its next time, 0 where none is known and `NEVER` where none comes; `at_ms` is when it fires, 0 while it is held; `waits` says why that is later. `count` is how many times were handled, the last of them at `done_ms`. */
export type ArmedSchedule = [string, number, number, "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope", number, number];

/** Something that a form made for the host. */
export type Artefact = {
  /** The position of its event in the journal. */
  seq: number;
  turn: number;
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

/** An attempt of a call that failed and was repeated: why it failed, when it began, after how many milliseconds it failed, and `file:line` where the user's own code raised. `code` says why a model's reply was none, `tool` is the one that it called in its text. */
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

/** The user answered whether to go on beyond a budget: `granted` is how much more, 0 for a no. */
export type BudgetAnswered = {
  type: "budget_answered";
  /** The name of the budget. */
  budget: string;
  /** The period for which more was allowed. */
  period: string;
  granted?: number;
};

/** A call was not made, for it would have gone beyond a budget; with `then` as `model` another model is called. */
export type BudgetReached = {
  type: "budget_reached";
  budget: string;
  /** What the budget limits: money, tokens or time. */
  measure: "money" | "time" | "tokens";
  /** For how long it is: a turn, the conversation, a day. */
  per: "conversation" | "day" | "turn";
  /** The present one: the number of the turn, or the day. */
  period: string;
  amount: number;
  spent: number;
  needed: number;
  then: "ask" | "end" | "hand_over" | "model" | "own_text";
  /** What the call was for. */
  purpose: string;
  node: string;
  model?: string;
  instead?: string;
  wanted?: number;
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
  spent: number;
  left: number;
  /** What happens where the next call would go beyond it. */
  then: "ask" | "end" | "hand_over" | "model";
  /** The same in words. */
  text: string;
  is_reached: boolean;
};

/** A button: what it shows, and the value that pressing it sends. */
export type Button = {
  label: string;
  value: string;
};

/** A call of a tool by a model. `id` is ours: the effect it came with and its number there. `wrong` says why its arguments cannot be read, where they cannot. */
export type Call = {
  id: string;
  tool: string;
  /** The arguments by name. */
  arguments?: Record<string, unknown>;
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

/** A call that waited was approved by a decision of a client: `by` is who, `arguments` are those that are approved, with `is_edited` others than the call had. */
export type CallApproved = {
  type: "call_approved";
  /** The id of the call. */
  call: string;
  tool: string;
  arguments: Record<string, unknown>;
  by?: string;
  /** Who had to decide: the user, or an operator. */
  approver?: "operator" | "user";
  is_edited?: boolean;
};

/** The decision about one call: `arguments` are those to change, `reason` is why it is declined. */
export type CallChoice = {
  /** The `id` of the call. */
  call: string;
  approve: boolean;
  arguments?: Record<string, unknown>;
  reason?: string;
};

/** The decision about one call that waits for approval: `call` is its id, `arguments` are those to change, `reason` is why it is declined. */
export type CallDecision = {
  call: string;
  /** True to approve, false to decline. */
  approve: boolean;
  arguments?: Record<string, unknown>;
  reason?: string;
};

/** A call waits for approval (law 4.5); `arguments` are as they will be given to the tool, `effect` is the id under which it will be run, `since_ms` when it began to wait, `due_ms` when it is declined if nobody decides. */
export type CallHeld = {
  type: "call_held";
  tool: string;
  arguments: Record<string, unknown>;
  /** The id of the model's call; empty where the tool is the work of the node. */
  call?: string;
  effect?: string;
  /** Who may decide: the user, or only an operator. */
  approver?: "operator" | "user";
  since_ms?: number;
  due_ms?: number | null;
};

/** Let the model speak for the node in charge; answered by `ModelReplied` or `ModelFailed`. */
export type CallModel = {
  type: "call_model";
  /** The id of the effect, by which its result names it. */
  id: string;
  purpose?: "aside" | "choose" | "offer" | "reply" | "summary" | "word";
  about?: string;
};

/** A call that needs no approval waits, because an earlier call of its reply waits for approval. */
export type CallQueued = {
  type: "call_queued";
  /** The id of the call. */
  call: string;
  tool: string;
};

/** A call was not run: the reason for machines, the text for the model; `by` is the person who declined it, where the host named one. */
export type CallRefused = {
  type: "call_refused";
  /** The id of the call. */
  call: string;
  tool: string;
  reason: "already_open" | "arguments" | "cannot_open" | "declined" | "dropped" | "expired" | "fork" | "not_allowed" | "not_json" | "not_open" | "out_of_sequence" | "replaced" | "unknown_tool" | "waiting";
  text: string;
  by?: string;
};

/** What a call used, in a flow with budgets: of a model, or of a tool, which only takes time. */
export type CallSettled = {
  type: "call_settled";
  /** The id of the call. */
  effect: string;
  /** The amounts that it used. */
  used: Used;
  day: string;
  /** What the model was called for. */
  purpose?: string;
  model?: string;
  tool?: string;
  node?: string;
  tokens_in?: number;
  tokens_out?: number;
  /** How many of `tokens_in` the provider had cached. */
  cached?: number;
  reserved?: Used | null;
  is_estimated?: boolean;
  is_lost?: boolean;
};

/** A call of a tool in this turn, and what came of it. */
export type CallView = {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** What came of it; `answered` by the machine itself, `unknown` while its result is missing. */
  status: "answered" | "failed" | "refused" | "returned" | "unknown" | "waiting";
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

/** The results of these turns were not delivered, because their callers had left. `unprompted` are undelivered turns that the machine started itself. If both are empty, a refusal has reported all undelivered turns. */
export type CallerLeft = {
  type: "caller_left";
  /** The numbers of the turns. */
  turns: (number)[];
  unprompted?: (number)[];
};

/** Calls that wait were approved or declined, each by itself (law 4.5). `by` is who decided, `is_operator` whether it is a person with the right of operators, who decides what the user may not. */
export type CallsDecided = {
  type: "calls_decided";
  /** One for each call that was decided. */
  decisions: (CallDecision)[];
  by?: string;
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
  field: string;
  /** The item that is changed. */
  item: string | number | Record<string, unknown>;
  /** The name of the value. */
  name: string;
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
  returned?: unknown;
  /** The values that it read, by field. */
  reads?: Record<string, unknown>;
  /** The exception that it raised; empty if it raised none. */
  error?: string;
  /** The `file:line` that raised. */
  at?: string;
};

/** A command that sets no field was applied. `input` is what a scope that was asked for is opened with, by field. */
export type CommandApplied = {
  type: "command_applied";
  /** Which command. */
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "move" | "other" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  /** The field that it is about. */
  field?: string;
  /** What it was given, such as the question of `ask`. */
  text?: string;
  input?: Record<string, unknown>;
};

/** What one command of this turn did. `iso` is the text for models if it differs from `text`. */
export type CommandOutcome = ["add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "cleared" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "missed" | "move" | "other" | "refused" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why", string, string, string];

/** A command was refused: the reason for machines, the text for people; `iso` is the text for models, where it has dates and numbers in another form. `scope` is one that was to begin after another, and is not waited for any more. `item` is the id of the item of a list that the command is about, and `name` the field of that item. */
export type CommandRefused = {
  type: "command_refused";
  /** Which command. */
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "deny" | "edit" | "hand_over" | "help" | "move" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  reason: "already_applied" | "already_known" | "already_open" | "ambiguous" | "answers" | "arguments" | "beside_question" | "blank" | "boolean" | "cannot_open" | "choice" | "contradicted" | "date" | "datetime" | "derived" | "digits" | "doubtful" | "duration" | "email" | "form_cancelled" | "form_closed" | "fraction" | "handed_over" | "integer" | "item" | "items" | "length" | "list" | "list_bytes" | "max" | "min" | "misquoted" | "no_field" | "no_item" | "no_list" | "no_options" | "no_person" | "no_plain_yes" | "no_position" | "no_value" | "not_asked_here" | "not_exposed" | "not_named" | "nothing_before" | "nothing_to_affirm" | "nothing_to_cancel" | "nothing_to_clear" | "nothing_to_confirm" | "nothing_to_deny" | "nothing_to_edit" | "nothing_to_skip" | "nothing_to_start" | "number" | "option" | "option_changed" | "option_gone" | "pattern" | "phone" | "placeholder" | "question" | "repeated" | "required" | "secret_not_asked" | "several_items" | "skipped" | "string" | "time" | "unknown_argument" | "unknown_field" | "unsupported" | "validate" | "write";
  /** The field that it is about. */
  field?: string;
  text?: string;
  iso?: string;
  scope?: string;
  item?: string;
  name?: string;
};

/** Commands came from the host: an importer, a test, another understanding. `by` is who sent them over the API. */
export type Commands = {
  type: "commands";
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
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

/** What may be written instead of a part of the text, best first. `is_incomplete` is true where more would fit. */
export type CompletionView = {
  /** The part of the text that is replaced. */
  range: TextRange;
  offers: (CompletionOffer)[];
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
  by?: string;
  /** Every part of its guard with its verdict. */
  verdict?: Leaf | Group | null;
  /** The fields without a value that the guard reads. */
  missing?: (string)[];
  needs?: ((Need)[])[];
  in_words?: (string)[];
  /** What is different from the judging before. */
  changed?: (JudgingChange)[];
  /** Its Python guard, where it has one. */
  code?: GuardCode | null;
  failure?: Failure | null;
  planned?: boolean;
  is_exception?: boolean;
};

/** An autonomous flow starts its next turn without a message (law 2.8). */
export type Continued = {
  type: "continued";
};

/** A page of conversations, the most recently changed first. `next` is the cursor of the next page. */
export type ConversationList = {
  conversations: (ConversationSummary)[];
  total: number;
  next: string | null;
  is_complete: boolean;
};

/** One conversation in a list. `waits_for` and `since_ms` say what it waits for and since when. */
export type ConversationSummary = {
  id: string;
  flow: string;
  /** The version number of the flow that it uses. */
  version: number;
  /** `waiting` for the user, `working` on a turn or for a result, with a `person`, or over. */
  status: "ended" | "failed" | "person" | "waiting" | "working";
  node: string;
  /** The number of its last turn. */
  turn: number;
  /** The position of its last entry in the journal. */
  seq: number;
  /** When it last changed. */
  at_ms: number;
  waits_for: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user" | "" | "person";
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
  reads?: unknown[];
  /** The calls of Python guards. */
  code?: (CodeRun)[];
  marks?: Record<string, number>;
  /** The timer that fired, or the event that came. */
  firing?: string;
  operator?: string;
  because?: string;
  trimmed?: Erasure | null;
  broken_off?: "" | "cancelled" | "handed_off" | "left" | "stopped";
  calls?: Record<string, number> | null;
};

/** One judging of a moment: every candidate, in the order of judging, and a line that sums it up. `failure` is what an `error` moment was judged for, `nothing_set` lists the fields in which the move that it chose set nothing. A `hypothetical` decision was never made: its outcomes say what would come of it. With an `operator` a person made the decision, for a `reason`. `erased` says which values that it read retention erased, when, and by which rule. */
export type Decision = {
  conversation: string;
  /** Its position in the journal. */
  seq: number;
  turn: number;
  at_ms: number;
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
  failure?: Failure | null;
  hypothetical?: boolean;
  nothing_set?: (NothingSet)[];
  operator?: string;
  reason?: string;
  erased?: string;
};

/** `turn`: by default the last one that decided something. `transition`: its name, or that of its target. */
export type DecisionQuery = {
  turn?: number | null;
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
  limit?: number;
};

/** Deliveries, the oldest first. `next` is the number to continue after, `None` at the end. */
export type DeliveryPage = {
  deliveries: (DeliveryView)[];
  next: number | null;
};

/** A delivery of the messages of one turn: what began it, how it stands, and when the next attempt is due. */
export type DeliveryView = {
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
  status: "delivered" | "failed" | "sending" | "waiting";
  attempts: number;
  due_ms: number | null;
  /** When it was delivered or given up; `None` while it waits. */
  done_ms: number | null;
  error: string;
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
  message: string;
  /** What to do; empty where nothing is suggested. */
  hint: string;
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
  words: [number, number];
  field: string;
  value: unknown;
  /** Why nothing was proposed. */
  reason: "about_another" | "corrected" | "denied" | "doubtful" | "elsewhere" | "not_alone" | "other_words" | "question" | "several";
};

/** What an event would do, without effects. `is_known` is false where only a model, a tool or an understanding of the host could say, which `decided_by` names; `why` says it in words. Without `debug:read` there are no `moves`, `values` and `why`. */
export type DryRun = {
  is_known: boolean;
  decided_by: "" | "model" | "tool" | "understanding";
  /** The code of the refusal; empty where the event would be accepted. */
  refused: string;
  /** What would be replied, or the reason of the refusal. */
  text: string;
  /** The transitions that would be taken, in order. */
  moves: (string)[];
  /** The node in which the turn would end. */
  node: string;
  values: Record<string, unknown>;
  why: string;
};

/** One event to try: exactly one of `text`, `button` (with `position`) and `commands`. */
export type DryRunRequest = {
  text?: string | null;
  button?: string | null;
  position?: number | null;
  commands?: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[] | null;
};

/** Something that the conversation does by itself, the next time that it does it. */
export type DueView = {
  kind: "schedule" | "timer";
  name: string;
  /** What people call it. */
  title: string;
  /** When it is due; `None` where that is not known. */
  due_ms: number | null;
  does: string;
  subject: string;
  because: string;
  /** The node of a timer. */
  node: string;
  held_by: "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope";
  can_fire: boolean;
  /** When it fires, if that is known and later than it is due. */
  fires_ms: number | null;
};

/** How often a transition was judged, held and taken, in one conversation or in all. */
export type EdgeHistory = {
  node: string;
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
  text: string;
};

/** The document that an author edits; `others` are those that the author changed too and did not save. */
export type EditedDocuments = {
  /** The path of the edited document. */
  file: string;
  /** Its text in the editor. */
  text: string;
  others?: (EditedDocument)[];
};

/** A problem of a text, the part that it is about, and its repairs. */
export type EditedProblem = {
  /** The code of the diagnostic, such as `TW041`. */
  code: string;
  severity: "error" | "warning";
  message: string;
  /** What to do; empty where nothing is suggested. */
  hint: string;
  /** The part of the text that it is about. */
  range: TextRange;
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

/** An event that retention erased; `kind` is its former tag. `by` is with the last event of a turn. */
export type Erased = {
  type: "erased";
  /** The tag of the event that was erased. */
  kind: string;
  by?: Erasure | null;
};

/** When retention erased something, in milliseconds since 1970, and for how many days it keeps such. */
export type Erasure = {
  at_ms: number;
  /** For how many days retention keeps such. */
  days: number;
};

/** A rule as it was judged; `passed` if it holds. */
export type EvaluatedRule = {
  id: string;
  /** The guard in words. */
  description: string;
  /** The fields that it reads. */
  fields: (string)[];
  passed: boolean;
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
  inside?: string;
};

/** Entries after a position. `next` is the position to continue after, `None` at the end. */
export type EventPage = {
  events: (EventRow)[];
  /** The position of the last entry of the journal. */
  last: number;
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

/** An event from outside was refused and began no turn; nothing else changed. `kind` is the kind of turn that it would have begun, `name` the button, timer, tool, transition or turn that it named, `operator` the person who sent it. `text` is the reason as its sender got it. The words of a message are not kept. */
export type EventRefused = {
  type: "event_refused";
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  /** The code of the refusal. */
  code: "approver" | "arguments" | "busy" | "conversation_ended" | "event_too_long" | "events_waiting" | "flow_unavailable" | "key_reused" | "message_empty" | "message_too_long" | "no_person" | "not_awaited" | "not_due" | "not_going_on" | "not_json" | "other_flow" | "result_too_long" | "stale" | "store_unavailable" | "taken_over" | "unknown_button" | "unknown_call" | "unknown_conversation" | "unknown_event" | "unknown_field" | "unknown_schedule" | "unknown_time_zone" | "unknown_timer" | "unknown_tool" | "unknown_transition" | "unknown_turn" | "value_refused";
  text: string;
  name?: string;
  operator?: string;
};

/** The first event that waits for this frame is judged now, once: the frame is in charge, and no person takes part. */
export type EventResumed = {
  type: "event_resumed";
  /** The name of the event. */
  name: string;
};

/** An entry of the journal, with its kind and one line about it. `subject` is what it is about, as a question of why names it: `field user.age`. */
export type EventRow = {
  /** Its position in the journal. */
  seq: number;
  turn: number;
  at_ms: number;
  /** The tag of the event, such as `field_set`. */
  kind: string;
  /** What happened, in one line. */
  line: string;
  subject: string;
  /** The event itself, with secrets redacted. */
  event: Started | UserSaid | UserChose | Commands | ToolUsed | TimerFired | ScheduleDue | EventReceived | Continued | CallsDecided | UndoAsked | TakenOver | OperatorSaid | GivenBack | Understood | UnderstandingFailed | ModelReplied | ModelFailed | ToolReturned | ToolFailed | WordsRecalled | StateRecalled | FieldSet | FieldCleared | ItemAdded | ItemChanged | ItemRemoved | ItemMoved | NothingSet | FieldShelved | FieldRevived | LanguageChanged | TimeZoneChanged | ScheduleFired | CommandApplied | CommandRefused | Missed | Decided | MovePlanned | MovePutOff | JudgingPlanned | Moved | QuestionsFixed | OptionsFixed | FormChanged | FormClosed | Said | CallAnswered | CallRefused | CallHeld | CallQueued | ApprovalUnclear | CallApproved | SequenceAdvanced | WorkDone | ScopeOpened | ScopeClosed | Offered | OfferClosed | EventHeld | EventResumed | PersonAwaited | NobodyCame | ArtefactMade | EffectAsked | Faulted | Warned | Undone | EndedEvent | FailedEvent | TurnEnded | WordsHidden | GiveBackRefused | OverlaysChanged | OverlayForced | CallSettled | BudgetReached | BudgetAnswered | TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased;
  /** True where retention erased it. */
  is_erased: boolean;
};

/** What became of an event. `transition` is the one that was taken, empty where none held. With `waits` the event is judged later: when a scope is closed, or a person has given the conversation back. `is_duplicate` is true where its key was there before. */
export type EventTaken = {
  /** The number of the turn that it began. */
  turn: number;
  transition?: string;
  waits?: boolean;
  is_duplicate?: boolean;
};

/** An event that a flow takes, and the JSON Schema of its data. */
export type EventType = {
  name: string;
  /** The JSON Schema of the data. */
  data: Record<string, unknown>;
};

/** Entries after a position; a page has at most `limit`. */
export type EventsQuery = {
  /** The position of the last entry that the client has. */
  after?: number;
  limit?: number;
};

/** One thing that happened, or holds, and what caused it. */
export type Fact = {
  /** What happened or holds, by which a program can tell facts apart. */
  kind: "answer_elsewhere" | "approval_unclear" | "artefact_made" | "aside_not_answered" | "attempt_failed" | "began_here" | "budget_answered" | "budget_reached" | "budget_stands" | "budget_undeclared" | "button_pressed" | "button_stale" | "call_answered" | "call_approved" | "call_awaits_approval" | "call_made_again" | "call_queued" | "call_refused" | "call_settled" | "call_still_awaits" | "call_unknown" | "caller_left" | "calls_decided" | "came_closest" | "chooser_due" | "code_failed" | "code_returned" | "command_applied" | "command_refused" | "commands_received" | "confirmation_due" | "confirmation_later" | "conversation_ended" | "conversation_failed" | "conversation_goes_on" | "conversation_started" | "conversation_waits" | "correction_unclear" | "counted" | "decided" | "delivery_none" | "delivery_stands" | "enter_when_judged" | "enter_when_skipped" | "erased" | "event_held" | "event_never_came" | "event_received" | "event_refused" | "event_resumed" | "event_waits" | "field_cleared" | "field_collected" | "field_computed" | "field_default" | "field_empty" | "field_inactive" | "field_revived" | "field_set" | "field_shelved" | "field_without_form" | "field_written_by" | "flow_continued" | "flows_differ" | "forked" | "form_cancelled" | "form_closed" | "form_confirmed" | "form_ended" | "form_handed_over" | "form_left" | "form_none" | "form_not_open" | "form_not_reached" | "form_progress" | "form_progressed" | "form_stopped" | "form_unconfirmed" | "form_waits_for_person" | "give_back_refused" | "guard_failed" | "happened_at" | "item_absent" | "item_added" | "item_change_undone" | "item_changed" | "item_decided" | "item_holds" | "item_moved" | "item_part_empty" | "item_removed" | "item_unclear" | "item_unknown" | "items_added" | "items_removed" | "judging_planned" | "language_changed" | "limit_reached" | "limit_stands" | "limit_used" | "list_holds" | "message_none" | "message_not_interpreted" | "message_not_kept" | "message_not_read" | "message_read_exactly" | "message_received" | "migrated" | "model_called" | "model_called_often" | "model_failed" | "model_not_called" | "model_replied" | "move_blocked" | "move_planned" | "move_put_off" | "move_undone" | "move_waits" | "moves_erased" | "moves_left_out" | "no_item_decided" | "no_model_connected" | "no_person" | "no_way" | "nobody_came" | "node_in_charge" | "node_left" | "node_never_entered" | "node_not_in_charge" | "node_waits" | "not_searched" | "not_taken" | "not_understood" | "nothing_returned" | "nothing_set" | "notice_said" | "offer_closed" | "offer_stands" | "offered" | "options_read" | "outranked" | "outranked_else" | "overlay_began" | "overlay_ended" | "overlay_forced" | "overlay_in_prompt" | "overlay_is_active" | "overlay_not_active" | "person_acted" | "person_awaited" | "person_gave_back" | "person_in_charge" | "person_is_awaited" | "person_said" | "person_took_over" | "prompt_changed" | "prompt_shown" | "question_again" | "question_answered" | "question_applies" | "question_asked" | "question_condition_failed" | "question_edited" | "question_kept" | "question_later" | "question_more" | "question_never_put" | "question_next" | "question_none" | "question_not_due" | "question_not_put" | "question_repeated" | "question_skipped" | "question_walked" | "question_was_asked" | "questions_copied" | "questions_read" | "reminder_said" | "result_not_stored" | "root_read" | "rules_disagree" | "rules_sufficed" | "run_stopped" | "run_went_on" | "same_moves" | "schedule_due" | "schedule_fired" | "schedule_not_due" | "schedule_waits" | "scope_closed" | "scope_is_open" | "scope_never_opened" | "scope_not_open" | "scope_opened" | "sequence_advanced" | "text_gap" | "text_refused" | "text_said" | "time_passed" | "time_zone_changed" | "timer_armed" | "timer_dropped" | "timer_fired" | "timer_is_armed" | "timer_late" | "timer_not_armed" | "tool_called" | "tool_called_often" | "tool_failed" | "tool_given_up" | "tool_is_work" | "tool_never_used" | "tool_not_called" | "tool_not_offered" | "tool_offered" | "tool_returned" | "tool_used" | "tool_used_by_host" | "tools_of_node" | "transition_judged" | "transition_not_judged" | "transition_was_taken" | "turn_ended" | "turn_failed" | "turn_recovered" | "turn_under_way" | "turn_undone" | "understanding_failed" | "understood" | "understood_nothing" | "undo_asked" | "undo_refused" | "uses_read" | "usual" | "usual_not_counted" | "validator_failed" | "value_copied" | "value_lost" | "value_missing" | "value_not_computed" | "value_read" | "value_refused" | "value_replaced" | "value_suggested" | "value_undone" | "values_differ" | "versions_differ" | "warned" | "way" | "ways_part" | "window_began" | "words_hidden" | "words_not_taken" | "words_summarized" | "work_done" | "write_not_called" | "write_refused" | "yes_to_nothing";
  text: string;
  about?: (Subject)[];
  turn?: number;
  seq?: number;
  values?: Record<string, unknown>;
  source?: string;
  /** The facts that caused it. */
  causes?: (Fact)[];
};

/** What failed: its kind (`write`, `tool`, `model`, `guard`, `limit`, `refused`), the reason, and the tool. */
export type Failure = {
  kind: "guard" | "limit" | "model" | "refused" | "text" | "tool" | "write";
  reason: string;
  tool?: string;
  subject?: string;
  value?: unknown;
  bound?: unknown;
  at?: string;
  transition?: string;
};

/** Something failed: a model, a guard, a write, a limit. Counts in `errors`. */
export type Faulted = {
  type: "faulted";
  fault: turnwise_core_state_turn_state_Fault;
};

/** The value of a field was removed; where it had none, a blank value or null was written to it. */
export type FieldCleared = {
  type: "field_cleared";
  field: string;
  /** Who removed it: the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** A field of the flow, for editors of values. */
export type FieldInfo = {
  /** Its address, `record.field`. */
  name: string;
  title: string;
  /** Its type: `text`, `number`, `list of text`. */
  type: string;
  /** The values that it may have, of a choice. */
  options: (string)[];
  /** True where its values are redacted. */
  is_secret: boolean;
  /** True where its value is computed from others and cannot be set. */
  is_derived: boolean;
  minimum: number | null;
  maximum: number | null;
};

/** An inactive answer counts again. */
export type FieldRevived = {
  type: "field_revived";
  field: string;
};

/** The value of a field was set. Where items of a list of records got new ids, `last_item` is the number of the last one. */
export type FieldSet = {
  type: "field_set";
  field: string;
  value: unknown;
  /** How it was set: typed, chosen, by a model, by a tool, by the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  confidence?: number | null;
  /** Start and end of its words in the message of the turn. */
  words?: [number, number] | null;
  /** Where its words stand: the position of the message, start and end in it. */
  place?: [number, number, number] | null;
  last_item?: number;
};

/** An answer became inactive: kept, but missing to guards and not submitted (law 5.7). */
export type FieldShelved = {
  type: "field_shelved";
  field: string;
};

/** A value and its origin. A field without a value has no `FieldValue`. */
export type FieldValue = [unknown, "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood", number, number, number | null, [number, number, number] | null];

/** The conversations of the guided look of the demonstration: what to say first, where to see why, which value to try there, with which other conversation to compare, and which one waits for a person. */
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
  /** The conversation to compare it with. */
  against: string;
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
  title: string;
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
};

/** An overlay that was forced on or off: by whom, if that is known, and when. */
export type ForcedOverlay = [string, boolean, string, number];

/** A conversation was deleted for good. */
export type Forgotten = {
  type: "forgotten";
  conversation: string;
};

/** Copy a conversation up to the end of a turn, by default the last. Without `effects` the copy may not use tools that change the world. Without a `name` the server makes one. */
export type ForkRequest = {
  name?: string | null;
  /** The last turn that is copied, by default the last of all. */
  turn?: number | null;
  effects?: boolean;
};

/** All earlier entries were copied from another conversation, up to the end of a turn. Without `effects`, tools that change the world do not run here (law 6.9). */
export type Forked = {
  type: "forked";
  /** The conversation that was copied. */
  source: string;
  /** The last turn that was copied. */
  turn: number;
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
  status: "confirmed" | "handed_off";
};

/** A question of a form with its answer, for the summary and the edit chooser; a list of records has `items`. */
export type FormItem = {
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

/** The form in charge at the end of a turn. `answered` of `count` questions are answered: those that are asked and apply. `language` is that of labels, answers and words; notes are in the language of the request. */
export type FormLedger = {
  /** The node that the form belongs to. */
  node: string;
  title: string;
  /** How far the form is: it collects answers, waits for the confirmation, or is closed. */
  status: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  answered: number;
  count: number;
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
  asked?: string;
  editing?: "" | "chooser" | "one" | "walk";
  walk?: (string)[];
  misses?: Record<string, number>;
  /** The fields whose question was skipped. */
  skipped?: (string)[];
  /** True where the user pressed *Other*, and the answer is awaited as a text. */
  awaits_other?: boolean;
  /** The field whose answer ended the form. */
  stopped_at?: string;
  held?: unknown;
  held_place?: [number, number, number] | null;
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
  /** A mark per `call` of the node that was judged in this visit: it may hold again when what it reads has changed. */
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
  id: number;
  /** The qualified name of its scope; empty for the conversation itself, and where retention erased it. */
  scope: string;
  /** What people call the scope. */
  title: string;
  /** How many frames are around it. */
  depth: number;
  parent: number | null;
  /** `undone` where an undo took its opening back. */
  status: "closed" | "open" | "undone";
  node: string;
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user" | "";
  transition: string;
  tool: string;
  call: string;
  /** The turn in which it was opened. */
  opened_turn: number;
  /** When it was opened; `None` where that is not stored. */
  opened_ms: number | null;
  /** The position at which it was closed. */
  closed_seq: number | null;
  closed_turn: number | null;
  closed_ms: number | null;
  /** The outcome with which it was closed. */
  outcome: string;
  turns: number;
  tokens: number;
  max_turns: number | null;
  max_tokens: number | null;
  /** After how long without a message it is closed. */
  idle_ms: number | null;
  /** What stays of it in the transcript of the frame around it. */
  summary: string;
  /** The records of the frame around it that it reads; `message` is the message that opened it. */
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
  outcome?: string;
  set?: Record<string, unknown>;
  transition?: string | null;
  end?: string | null;
  reason?: string;
  /** Who gives it back, on a server without keys. */
  operator?: string | null;
};

/** What giving a conversation back would do now, without doing it. */
export type GiveBackPreview = {
  is_known: boolean;
  /** The code of the refusal; empty where it would be accepted. */
  refused: string;
  /** What the machine would reply, or the reason of the refusal. */
  text: string;
  faults: (Fault)[];
  moves: (string)[];
  /** The node in which the turn would end. */
  node: string;
  /** The outcome with which the conversation would end; empty if it would go on. */
  outcome: string;
  /** The values that would change, by field. */
  values: Record<string, unknown>;
  decisions: (Decision)[];
  /** The transitions that the person may take by name. */
  transitions: (TransitionChoice)[];
  /** The outcomes that the transitions of the node know. */
  outcomes: (string)[];
  why: string;
};

/** The person in charge wanted to give the conversation back with values that their fields refuse. Nothing else changed: the person stays in charge. `set` has the refused values, those of secret fields redacted. */
export type GiveBackRefused = {
  type: "give_back_refused";
  operator: string;
  set: Record<string, unknown>;
  /** Each refused value, with the reason. */
  refused: (CommandRefused)[];
};

/** The person in charge gave the conversation back to the machine. */
export type GivenBack = {
  type: "given_back";
  outcome?: string;
  set?: Record<string, unknown>;
  transition?: string;
  end?: string;
  reason?: string;
  operator?: string;
  /** The name of the person that the user sees, if it is another. */
  display?: string;
};

/** A transition of the drawing. `node` is the address of the node that declares it, empty for one of the whole flow or scope. */
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
  name: string;
  /** Its text, or why there is none. */
  source: string;
  has_source?: boolean;
  file?: string;
  line?: number;
  returned?: unknown;
  /** The values that it read, by field. */
  reads?: Record<string, unknown>;
  /** The exception that it raised; empty if it raised none. */
  error?: string;
  call?: "called" | "forgotten" | "not_called";
  at?: string;
};

/** A problem in a guard that was typed: where, what, and what is near. */
export type GuardProblem = {
  transition: string;
  /** The code of the diagnostic. */
  code: string;
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
  lines: (string)[];
  /** What stored conversations did with it, by line. */
  counts: (string)[];
  /** The name in the text. */
  range: TextRange;
};

/** `name`: the whole id of the new conversation, by default the one in the file. Under another it is a copy. Where callers have keys, an id begins with its owner: `ada:x`. */
export type ImportQuery = {
  name?: string | null;
};

/** A text of a schedule for the next reply, and when it is dropped. */
export type Instruction = [string, number];

/** An item was added at the end of a list of records. `copy_of` is the id of the item that it is a copy of. */
export type ItemAdded = {
  type: "item_added";
  field: string;
  /** The id of the item in its list, such as `i3`. */
  id: string;
  values: Record<string, unknown>;
  /** How it was set: typed, chosen, by a model, by a tool. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  confidence?: number | null;
  /** Start and end of its words in the message of the turn. */
  words?: [number, number] | null;
  copy_of?: string;
};

/** An item as a row: its id, which is empty as long as it is not stored, and a text for each column. */
export type ItemCells = {
  id: string;
  cells: (string)[];
};

/** A value of an item was set; `None` removed it. */
export type ItemChanged = {
  type: "item_changed";
  field: string;
  /** The id of the item. */
  id: string;
  /** The name of the value. */
  name: string;
  value: unknown;
  /** How it was set: typed, chosen, by a model, by a tool. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  confidence?: number | null;
  /** Start and end of its words in the message of the turn. */
  words?: [number, number] | null;
};

/** A field of the items of a list of records, for tables and editors. */
export type ItemField = {
  name: string;
  /** What people call it. */
  title: string;
  /** Its type: `text`, `number`, `choice`. */
  type: string;
  /** The values that it may have, of a choice. */
  options?: (string)[];
};

/** An item was moved within its list, to the position `to`, counted from 0. */
export type ItemMoved = {
  type: "item_moved";
  field: string;
  /** The id of the item. */
  id: string;
  to: number;
  /** Who moved it: the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** An item was removed from its list. Its id is never used again in the conversation. */
export type ItemRemoved = {
  type: "item_removed";
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

/** A call of a reply of the model was made: the transitions at `calls` are judged when all calls of the reply have their results. Without a reply a result or a failure came while a person was in charge: those at `tool`, or at the `moment`, are judged when the person gives the conversation back. */
export type JudgingPlanned = {
  type: "judging_planned";
  /** The id of the model call whose reply has the calls. */
  reply: string;
  moment?: "error" | "tool";
};

/** An effect that was performed in a turn which an undo took back, so that its next run is asked about. `arguments` is a digest of them, `result` what the user may be shown of the result. With `in_doubt` it is not certain that it was done. `frame` is the frame in which it was performed. */
export type KeptEffect = [string, string, number, number, string, boolean, number];

/** How long the words of a closed scope are kept: its frame, and the time from its closing in milliseconds. `by` is how they were erased, `mean_chars` the mean number of characters of a text among them. `scope` is its name where an undo took back its opening, which closes it, too. */
export type KeptWords = [number, number, Erasure | null, number, string];

/** A value that is known: what its field is called, and how people read it. */
export type KnownValue = {
  field: string;
  /** What the field is called. */
  label: string;
  /** The value as people read it. */
  value: string;
};

/** The conversation goes on in another language, whose code this is: fields that the flow's `language` reads have other values. */
export type LanguageChanged = {
  type: "language_changed";
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

/** The ledger of the form in charge; `None` where no form is. */
export type LedgerAnswer = {
  ledger?: FormLedger | null;
};

/** A question of a form. `answer` is its value as people read it; `words` are the user's, with the message (`seq`) and the characters in it where they stand. `note` is a sentence in the language of the request: why it is refused or passed over, or what is to be known of it. Of a row that counts, progress waits for the answer. */
export type LedgerRow = {
  /** Its address, `record.field`. */
  field: string;
  /** What the question is called in a few words. */
  label: string;
  /** How it stands: `left` is to be asked still, `passed_over` does not apply. */
  state: "asked" | "given" | "left" | "passed_over" | "refused";
  answer?: string;
  /** The items of a list of records. */
  items?: ItemTexts | null;
  words?: string;
  /** How the answer was understood; empty without one. */
  how?: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood" | "";
  /** The turn in which it was answered. */
  turn?: number | null;
  seq?: number | null;
  /** The first character of `words` in the message. */
  start?: number | null;
  /** The character behind them. */
  end?: number | null;
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
  node?: string;
  status?: "ended" | "failed" | "person" | "waiting" | "working" | null;
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
  at_ms: number;
  by: "button" | "model" | "person" | "system" | "text" | "tool" | "user";
  text: string;
  speaker: string;
  /** What a reply is: the text of a node, a question, a confirmation; empty for messages of the user. */
  kind: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why" | "";
  /** The buttons that it offers. */
  buttons: (Button)[];
  /** The values that were understood in it. */
  understood: (UnderstoodValue)[];
  /** The form, where the message is its summary or its chooser of answers. */
  form: FormView | null;
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
  node: string;
  /** What the model was called for: the reply of a node, understanding a message, a summary. */
  purpose: string;
  /** The model that answered; empty where the call failed. */
  model: string;
  /** The position of the call in the journal. */
  seq: number;
  tokens_in: number | null;
  tokens_out: number | null;
  /** In US dollars, where the provider's prices are known. */
  cost: number | null;
  took_ms: number | null;
  /** Why it failed. */
  error: string;
};

/** A model call failed, or its reply was cut off: `text` is the part that had arrived, `at` is `file:line` where the user's own code raised. `attempts` are those that failed before the last one. `model` is the name of the model that was called, if it has one. `code` says why the reply was none, where one came. */
export type ModelFailed = {
  type: "model_failed";
  /** The id of the effect that this is the result of. */
  effect: string;
  reason: string;
  text?: string;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced?: number;
  at?: string;
  attempts?: (Attempt)[];
  model?: string;
  code?: "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "";
  /** What the call used, in a flow with budgets. */
  count?: TokenCount | null;
};

/** A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was shown; `cost` is in US dollars, where the provider's prices are known. `attempts` are those that failed before. `thoughts` are those that the provider wants back with the calls. */
export type ModelReplied = {
  type: "model_replied";
  /** The id of the effect that this is the result of. */
  effect: string;
  text?: string;
  calls?: (Call)[];
  /** The model that replied, as the provider names it. */
  model?: string;
  prompt?: string;
  tokens_in?: number;
  tokens_out?: number;
  cost?: number | null;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced?: number;
  attempts?: (Attempt)[];
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

/** A move that was decided at `tool` is made when the other calls of `tool` in the same reply are done. Without a `transition` it was tried then, and not made. */
export type MovePutOff = {
  type: "move_put_off";
  transition?: string;
  /** The node that will be entered. */
  target?: string;
  /** The id of the model call whose reply has the calls. */
  reply?: string;
  tool?: string;
};

/** A node was left and another entered. `note` is what the transition hands over to the model of the target. */
export type Moved = {
  type: "moved";
  /** The node that was left. */
  source: string;
  /** The node that was entered. */
  target: string;
  transition: string;
  /** Why the author wants the transition, where the user may ask. */
  because?: string;
  note?: string;
};

/** One field change: the field, a value that would do (`None`: take it away), the rule that asks for it, and the value that it has now, also by default (`None` where it is missing). */
export type Need = {
  field: string;
  /** A value that would do; `None` to take it away. */
  value: unknown;
  /** The condition that the new value must meet. */
  rule: string;
  /** The value that it has now, also by default. */
  now: unknown;
  text?: string;
};

/** The new text of a document. It is written only where the file still has the content of the hash `sha256`. */
export type NewContent = {
  /** The path of the document. */
  file: string;
  text: string;
  sha256: string;
};

/** Begin a conversation. Without a `name` the server makes one. */
export type NewConversation = {
  /** The name of the flow. */
  flow: string;
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

/** The schedule that fires next in a conversation, and when. */
export type NextSchedule = {
  name: string;
  at_ms: number;
};

/** No person came in time: the machine goes on. */
export type NobodyCame = {
  type: "nobody_came";
  /** The queue in which it waited. */
  queue: string;
};

/** A `set` or `set_on_leave` computed no value, because the names in `missing` had none. `removed` is true where the field had a value before, which is removed (`field_cleared` follows). */
export type NothingSet = {
  type: "nothing_set";
  field: string;
  missing: (string)[];
  removed?: boolean;
};

/** An offer was taken, declined, or has lapsed; `because` is why it lapsed. Unless it was taken, the user may still begin its scope. */
export type OfferClosed = {
  type: "offer_closed";
  scope: string;
  /** Whether it was taken, declined or has lapsed. */
  outcome: "declined" | "lapsed" | "taken";
  because?: "" | "closed" | "left" | "other_turn" | "question" | "refused" | "scope";
};

/** A scope that is proposed to the user. It is `open` while its question waits for an answer, else it waits until it may be asked. `by` is `node`, or the name of the schedule that proposes it. */
export type OfferView = {
  scope: string;
  /** What people call the scope. */
  title: string;
  /** The question that proposes it. */
  opener: string;
  by: string;
  is_open: boolean;
  /** What a question of why calls it. */
  subject: string;
};

/** A scope was proposed to the user by the node in charge, or by a schedule of the name `by`. It waits until it may be asked: then `Said` has the question. `given` is the input of the scope by address; with `is_worded` a model puts the opener in words of its own. */
export type Offered = {
  type: "offered";
  scope: string;
  /** The question that proposes it. */
  opener: string;
  by?: string;
  given?: Record<string, unknown>;
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
  message?: number;
  call?: string;
  /** The tool that opened it. */
  tool?: string;
  turns?: number;
  tokens?: number;
};

/** Where the page opens a prepared conversation of the demonstration, while that stands at the position `seq`. */
export type Opening = {
  conversation: string;
  /** 0 where it opens at its end. */
  turn: number;
  seq: number;
  /** What it shows, as a headline; empty where the start page does not recommend it. */
  shows?: string;
  /** What is to be seen there. */
  about?: string;
};

/** A value that a leaf read. `how` says where it came from (`missing` where there is none), `turn` when, `place` in which words of which message; a secret has no place. */
export type Operand = {
  /** What was read: a field (`user.age`) or a root (`turns`). */
  name: string;
  value: unknown;
  how?: string;
  turn?: number;
  place?: [number, number, number] | null;
};

/** A message of the person in charge. With `operator` it is refused where another person is in charge; with keys the owner of the key is the operator. */
export type OperatorMessage = {
  text: string;
  operator?: string | null;
};

/** The person in charge said something to the user. Without `operator` the machine records who is in charge. */
export type OperatorSaid = {
  type: "operator_said";
  text: string;
  operator?: string;
  /** The name that the user sees, if it is another. */
  display?: string;
};

/** The options that a field has since they were read from its list (`source`). `chosen` are those of its value, as they were shown when it was chosen, if the options were read again since. */
export type OptionList = {
  items: (ShownOption)[];
  source: string;
  chosen?: (ShownOption)[];
};

/** The options of a field were read from the list that holds them (`source`), and stay these until they are read again. `left_out` items are no options, as they have no value, or one that an item before has. */
export type OptionsFixed = {
  type: "options_fixed";
  /** The field that has the options. */
  field: string;
  source: string;
  /** The options, in order. */
  options: (ShownOption)[];
  left_out?: number;
};

/** Where a value came from. `seq`, `start` and `end` are the place of its words in a message. */
export type Origin = {
  /** How it was set: typed, chosen, by a model, by a tool, by the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** The turn in which it was set. */
  turn: number;
  at_ms: number;
  /** Of the understanding, from 0 to 1; `None` where it has none. */
  confidence: number | null;
  seq: number | null;
  start: number | null;
  end: number | null;
};

/** Something that would follow: a move, a call of a tool or a model, an end, a handing over. `title` is what it leads to or does, `detail` why or with what, in the language of the request; `approver` is who else would have to agree: empty where no one is asked. */
export type OutlookStep = {
  /** What would happen. */
  kind: "asks" | "ends" | "hands_over" | "moves" | "refused" | "runs" | "speaks";
  title: string;
  detail?: string;
  approver?: string;
};

/** An overlay was forced on or off, or goes by its dates again (`None`). `by` is who did it, if that is known. */
export type OverlayForced = {
  type: "overlay_forced";
  name: string;
  on: boolean | null;
  by?: string;
  for_all?: boolean;
  since_ms?: number | null;
};

/** The overlays of a conversation. */
export type OverlayState = {
  active?: (string)[];
  persona_name?: string;
  forced?: (ForcedOverlay)[];
  forced_for_all?: (ForcedOverlay)[];
};

/** Force an overlay on or off; with `null` its dates decide. */
export type OverlaySwitch = {
  /** Whether it is on; `null` to go by its dates. */
  on: boolean | null;
};

/** How an overlay stands. `is_active` is whether it was active in the last turn, `is_next` whether it is in a turn that begins now. `forced` is how it is forced; where it is empty its dates decide. `begins_ms` and `ends_ms` are the span of its dates that holds now, else the next one. */
export type OverlayView = {
  name: string;
  /** What people call it. */
  title: string;
  /** The name that the agent has while it is active; empty for no other name. */
  persona_name: string;
  is_active: boolean;
  is_next: boolean;
  forced: "" | "off" | "on";
  /** True where it is forced for all conversations of the flow. */
  is_forced_for_all: boolean;
  /** Who forced it; empty if that is not known. */
  forced_by: string;
  /** When it was forced. */
  forced_ms: number | null;
  begins_ms: number | null;
  ends_ms: number | null;
  /** What a question of why calls it. */
  subject: string;
};

/** Other overlays are active than in the turn before, from this turn on: all of them, the one with the lowest priority number first, and the name that the agent bears by them. */
export type OverlaysChanged = {
  type: "overlays_changed";
  /** The names of the overlays that are active now. */
  active: (string)[];
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

/** A move that was decided and is taken at the next user event (`reply: next`); `operator` is who chose it. */
export type Pending = [string, string, number, string];

/** The input of a schedule for a period. With `is_set` the program has set it, `by` whom and when, in the place of what the flow has for the period, if it has something. */
export type PeriodInputView = {
  /** The day, week, month or year, as `2026-W14`. */
  period: string;
  /** Values by field of the scope's input. */
  input: Record<string, unknown>;
  is_set: boolean;
  by: string;
  /** When the program set it. */
  at_ms: number | null;
};

/** A person for whom the conversation waits, or who is in charge (law 6.10). `operator` is the name of the person, empty until a person comes, and `display` what the user sees instead; `reason` is why the operator took over. */
export type Person = {
  /** The queue in which the conversation waits. */
  queue: string;
  since_ms: number;
  /** What the person is asked to do. */
  about?: string;
  due_ms?: number | null;
  operator?: string;
  taken_ms?: number | null;
  reason?: string;
  is_work?: boolean;
  display?: string;
};

/** The conversation waits for a person in a queue, until `due_ms` at most. With `is_work` the person is the work of the node; `about` is a text for the person. */
export type PersonAwaited = {
  type: "person_awaited";
  queue: string;
  about?: string;
  due_ms?: number | null;
  is_work?: boolean;
};

/** The part of a person in a conversation (law 6.10). `operator` is empty while it waits in the queue; with keys it is the owner of the key. `display` is the name that the user sees, if it is another. */
export type PersonView = {
  /** The queue in which the conversation waits for a person. */
  queue: string;
  /** What the person is asked to do, as the author wrote it. */
  about: string;
  /** When the wait began. */
  since_ms: number;
  operator: string;
  /** When the person took over; `None` while it waits. */
  taken_ms: number | null;
  /** Why the person took over. */
  reason: string;
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

/** An error as RFC 9457 defines it. `code` is for programs, `detail` for people. */
export type Problem = {
  /** The kind of problem as a URI. */
  type: string;
  /** The kind of problem in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  detail: string;
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
  text: string;
  /** Who speaks, in a message of the transcript. */
  role: "" | "agent" | "person" | "tool" | "user";
};

/** A prompt that was sent to a model, made again from the journal; `is_proved` if its hash is the recorded one. */
export type PromptView = {
  /** The id of the call. */
  effect: string;
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
  is_proved: boolean;
  /** True where retention erased what it was made of. */
  is_erased: boolean;
};

/** A scope that is proposed: its opener, who proposes it, and the input that it opens with, by address. */
export type Proposal = {
  scope: string;
  /** The question that proposes it. */
  opener: string;
  /** `node`, or the name of the schedule that proposes it. */
  by?: string;
  frame?: number;
  node?: string;
  visit?: number;
  /** The input that it opens with, by address. */
  given?: Record<string, unknown>;
  status?: "open" | "passed" | "waiting";
  asked?: number;
  is_worded?: boolean;
  asked_ms?: number;
};

/** A move that was decided at `tool`, and waits for the other calls of the tool in the same reply. */
export type PutOff = [string, string, string, string];

/** The question that is open, and the journal positions at which it was first and last asked. */
export type Question = ["budget" | "call" | "chooser" | "confirmation" | "field" | "offer", string, number, number];

/** The questions with which a form was entered, which stay the same until it is entered again. `source` is the field from which they were read. */
export type QuestionList = {
  items: (DataQuestion)[];
  source: string;
  /** The node of the form. */
  node: string;
};

/** What to suppose in the conversations of a flow; `after` is the `next` of the page before. */
export type QuestionToAll = {
  /** The values to suppose, by field; `null` for none. */
  values?: Record<string, unknown>;
  /** The guards to suppose, by transition. */
  rules?: Record<string, string>;
  after?: string;
};

/** The questions whose answers a field takes were read from a field, and stay these until the form is entered again. `node` is the node of the form. A scope that returns the answers takes their questions along. */
export type QuestionsFixed = {
  type: "questions_fixed";
  /** The field that takes the answers. */
  field: string;
  /** The field that the questions were read from. */
  source: string;
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

/** Values to set, by field (`user.age`), fields to clear, and changes of items of lists of records, in order: each names its item by `id`, by position (from 1), or by values that it has. */
export type RecordsEdit = {
  set?: Record<string, unknown>;
  clear?: (string)[];
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
  action: "block" | "stay" | "transition";
  /** The node that it leads to; `None` where it leads to none. */
  target?: string | null;
};

/** Run a tool; answered by `ToolReturned` or `ToolFailed`. `call` is the call of a model that it answers, empty where the tool is a node's own work. `was_begun` is true where it may have run before under this id, as after a crash. */
export type RunTool = {
  type: "run_tool";
  /** The id of the effect, by which its result names it. */
  id: string;
  tool: string;
  arguments?: Record<string, unknown>;
  call?: string;
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
  is_running: boolean;
  /** The problems of the documents as they are written. */
  problems?: (DiagnosticView)[];
};

/** A schedule came due: the time at which it fires, and how many times it was handled before. `inputs` are those that the program has set for periods about this time. Without `at_ms` it is fired now, by `by`. */
export type ScheduleDue = {
  type: "schedule_due";
  schedule: string;
  at_ms?: number | null;
  /** How many times of the schedule were handled before. */
  count?: number;
  inputs?: Record<string, Record<string, unknown>>;
  by?: string;
};

/** A schedule came due at `due_ms`, and `did` something; with this event the time is handled, unless it is put off. `missed` is how many earlier times were handled with it, `late` says that it is no more punctual. `period` is the one whose `input` was used, `is_set` whether the program had set that input. `text` is why it did nothing, or wait for what. `by` is who fired it before its time. */
export type ScheduleFired = {
  type: "schedule_fired";
  schedule: string;
  due_ms: number;
  did: "called" | "instructed" | "nothing" | "offered" | "put_off";
  /** The code of why it did nothing or waits. */
  reason?: "" | "bad_input" | "held" | "missed" | "no_input" | "quiet" | "refused";
  /** The scope that it opened or proposed. */
  scope?: string;
  period?: string;
  input?: Record<string, unknown> | null;
  is_set?: boolean;
  missed?: number;
  late?: boolean;
  /** When its text for the next reply is dropped, or until when it is put off. */
  until_ms?: number;
  text?: string;
  by?: string;
};

/** The input of a schedule for a period; `null` takes away what was set. */
export type ScheduleInput = {
  input: Record<string, unknown> | null;
};

/** A schedule of a flow: when it is due (`rhythm`), what it then does, and the inputs of its scope by period. */
export type ScheduleView = {
  name: string;
  rhythm: string;
  /** What it does when it is due. */
  does: string;
  /** The scope that it opens or proposes; empty without one. */
  scope: string;
  takes: (string)[];
  /** The inputs that are known, by period. */
  inputs: (PeriodInputView)[];
};

/** The schedules of a conversation, in the time zone by which they were computed. `said_ms` is when the user wrote last, or the conversation began. */
export type Schedules = {
  /** The time zone of the conversation. */
  zone: string;
  said_ms: number;
  /** Where each schedule stands. */
  armed?: (ArmedSchedule)[];
  /** Texts for the next reply. */
  instructions?: (Instruction)[];
};

/** A scope was closed with an outcome. What was said inside leaves the transcript, and the summary stays in it; what it returned is set next. `tool` is the tool that opened it, `call` the model's call which that result answers. `is_by_model` is true where a model wrote the summary. */
export type ScopeClosed = {
  type: "scope_closed";
  scope: string;
  outcome: string;
  summary: string;
  /** Who had opened it. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  call?: string;
  tool?: string;
  is_by_model?: boolean;
  /** How long the words inside are kept; `None` where they are kept as the conversation is. */
  keep?: KeptWords | null;
};

/** A scope was opened at its first node, and the conversation goes on inside. `message` is the position of the message that it knows; `tool` is the tool that opened it, `call` the model's call of that tool. `note` was handed over to the model inside. */
export type ScopeOpened = {
  type: "scope_opened";
  scope: string;
  /** The first node inside. */
  node: string;
  /** Who opened it. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The transition that opened it. */
  transition?: string;
  message?: number;
  call?: string;
  tool?: string;
  note?: string;
  /** How the words inside were erased. */
  erased?: Erasure | null;
};

/** A decision between two messages, in one line. `text` is made of the parts beside it, with ids; `words` say it with titles in each language of the page. With the moment `person` it is no decision but an act of a person, who took over, or gave the conversation back. */
export type Seam = {
  /** The position of the decision in the journal. */
  seq: number;
  turn: number;
  at_ms: number;
  node: string;
  /** The moment that was judged. */
  moment: string;
  /** What it came to; `error` is a stay in which a candidate was in error. */
  outcome: "blocked" | "ended" | "error" | "moved" | "person" | "stayed";
  /** The outcome of the candidate that stands for the decision: the one taken or blocked, else the nearest. */
  mark: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
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
  field?: string;
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

/** The state at this position: folding may begin here. It changes nothing. `by` is how the turn that it ends was erased. */
export type Snapshot = {
  type: "snapshot";
  /** The whole state. */
  state: State;
  by?: Erasure | null;
};

/** A document of a flow: as it is on disk now where the server reloads the flow, else as it was at the start. */
export type SourceFile = {
  /** Its path, as the problems of the flow call it. */
  file: string;
  /** Its path from the folder of the flow's own document. */
  name: string;
  format: "dygram" | "json" | "yaml";
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
  prompts?: Record<string, number>;
  reached?: Record<string, string>;
  granted?: Record<string, [string, number]>;
  asked?: string;
  wanted?: number;
  /** What the last call used. */
  last?: Used;
};

/** What calls used in all, in the last turn and on the last day, and how the budgets stand. `asked` is the budget about which the user is asked, empty where none is. */
export type SpendingReport = {
  conversation: SpentAmount;
  /** In the last turn. */
  turn: SpentAmount;
  /** On the last day. */
  day: SpentAmount;
  currency?: string;
  asked?: string;
  budgets?: (BudgetUse)[];
};

/** What the calls of models used and cost: in all turns, and in each of the last ones that called a model. */
export type SpendingView = {
  /** How many calls of models were made. */
  calls: number;
  tokens_in: number;
  tokens_out: number;
  money: number | null;
  /** The last turns that called a model. */
  turns: (TurnSpending)[];
  currency: string;
  budgets: (BudgetUse)[];
  asked: string;
};

/** An amount of each measure: money in the currency of the budgets, tokens, seconds of models and tools. */
export type SpentAmount = {
  money?: number;
  tokens?: number;
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

/** A conversation began. Always the first event. The first node is entered with it, unless a write that belongs to entering was refused. `explains` is true where the user may ask why. `overlays` are those that were forced for all conversations of the flow. */
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
  is_entered?: boolean;
  explains?: boolean;
  overlays?: (ForcedOverlay)[];
};

/** Everything that a conversation is at one moment. */
export type State = {
  /** The number of the format in which states are stored. */
  format: number;
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
  status: turnwise_core_state_Waiting | turnwise_core_state_Ended | turnwise_core_state_Failed;
  frame: Frame;
  outer?: (Frame)[];
  came_from?: number;
  /** The values of fields, by address. */
  values?: Record<string, FieldValue>;
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
  doing?: TurnState | null;
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

/** The runner read the state at the end of an earlier turn, for an undo. `kept` are the tools used since, which an undo cannot reverse; `calls` are those that were the work of a node, `made` the ids of those of a model (`None` in journals of version 0.1), `effects` all of them that changed the world; `said` is the last text of that turn. `frames` are the frames of those in `kept`, empty where all belong to the one in charge then. */
export type StateRecalled = {
  type: "state_recalled";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** The turn at whose end the state was. */
  turn: number;
  /** That state; `None` where it cannot be read any more. */
  state?: State | null;
  kept?: (string)[];
  calls?: (TakenBack)[];
  said?: string;
  made?: (string)[] | null;
  effects?: (KeptEffect)[];
  frames?: (number)[];
};

/** The state at the end of a turn. */
export type StateView = {
  turn: number;
  /** The position of the last entry of the turn in the journal. */
  seq: number;
  node: string;
  /** What it waits for, or how it ended, as it is stored. */
  status: Record<string, unknown>;
  /** All fields of the records. */
  values: (ValueView)[];
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

/** What a tab watches. `after` are positions, one for each conversation, for a client that has loaded some. `list` adds changes of the list of conversations; `cursor` is the id of the last event that was received. */
export type StreamQuery = {
  /** The ids of the conversations to watch. */
  conversation?: (string)[];
  after?: (number)[];
  /** Whether to send decisions and entries too, which needs `debug:read`. */
  debug?: boolean;
  list?: boolean;
  cursor?: string;
};

/** What a question is about. `name` is the name in the flow, the number of a turn or message, the id of a call, an item of a list of records by its id (`order.items[i3]`), or one value of it (`order.items[i3].size`); it is empty for what there is once: the conversation, its end, the open question, the person. */
export type Subject = {
  /** What kind of thing it is: a field, a node, a turn. */
  kind: "call" | "conversation" | "delivery" | "end" | "event" | "field" | "form" | "item" | "limit" | "message" | "model" | "node" | "origin" | "overlay" | "person" | "question" | "schedule" | "timer" | "tool" | "transition" | "turn";
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

/** A person takes a conversation over; `operator` is the name that the user sees. With keys the trace records the owner of the key. `instead_of` is the person in charge (`person.operator`) from whom this one takes over. */
export type TakeOver = {
  operator: string;
  /** Why the person takes over; it is recorded. */
  reason?: string;
  instead_of?: string | null;
};

/** A performed call of a node's own work, whose result an undo removed. If the node makes the same call again, the call has the same `id`. `arguments` is a digest of them. */
export type TakenBack = [string, string, string, string];

/** A person took the conversation over; until they give it back, nothing is interpreted and no model is called. */
export type TakenOver = {
  type: "taken_over";
  operator: string;
  /** Why the person took over. */
  reason?: string;
  instead_of?: string;
  display?: string;
};

/** A place in a text. */
export type TextPosition = {
  /** The line, from 0. */
  line: number;
  /** The characters before it in its line, as UTF-16 code units. */
  character: number;
};

/** A part of a text; `end` is behind its last character. */
export type TextRange = {
  /** Its first character. */
  start: TextPosition;
  end: TextPosition;
};

/** What a provider wants back with the calls of a reply: a thought with its signature, or a mark of a call or text. */
export type Thought = {
  model: string;
  kind?: "call" | "text" | "thought";
  calls?: number;
  text?: string;
  /** The signature by which the provider knows its own thought. */
  signature?: string;
  id?: string;
  /** The provider that it came from. */
  provider?: string;
  /** What else the provider wants back, unchanged. */
  details?: Record<string, unknown>;
};

/** What a conversation does by the clock, and what it spent. `now_ms` is the time of the server; the dates of the conversation are in `time_zone`. */
export type TimeView = {
  conversation: string;
  now_ms: number;
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

/** One turn on the timeline: its number, its first and last position, its time, and the lane it ends in; `frame` is the id of the frame it ends in, `depth` how many frames are around that one. */
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

/** A timer, named by its transition; `visit` distinguishes timers of several visits of a node. */
export type TimerToFire = {
  transition: string;
  visit?: number | null;
};

/** A timer that is armed: its transition, its node and when it is due. */
export type TimerView = {
  transition: string;
  /** The node that it was armed in. */
  node: string;
  due_ms: number;
  /** Why the author wants the transition. */
  because: string;
  /** The node that the transition leads to. */
  target: string;
};

/** The tokens of all attempts of a model call, in a flow with budgets; `tokens_cached` are among `tokens_in`. Where the provider counted none, four characters are one, and `is_estimated` is true. `last_in` is the last prompt. */
export type TokenCount = {
  tokens_in?: number;
  tokens_out?: number;
  tokens_cached?: number;
  last_in?: number;
  is_estimated?: boolean;
};

/** A tool call failed. `in_doubt` is true where the tool may have done its work nevertheless (law 4.5); `not_run` is true where no runner was found, so that the call is not a use of the tool (law 4.3). `at` is `file:line` where the user's own code raised. `attempts` are those that failed before the last one. */
export type ToolFailed = {
  type: "tool_failed";
  /** The id of the effect that this is the result of. */
  effect: string;
  tool: string;
  reason: string;
  /** After how many milliseconds it failed. */
  ms?: number;
  /** The id of the model's call; empty where the tool is the work of the node. */
  call?: string;
  in_doubt?: boolean;
  not_run?: boolean;
  at?: string;
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
  arguments?: Record<string, unknown>;
  /** What it returned, as JSON data. */
  result?: unknown;
};

/** A tool returned a result (JSON data) after `ms` milliseconds. `attempts` are those that failed before. */
export type ToolReturned = {
  type: "tool_returned";
  /** The id of the effect that this is the result of. */
  effect: string;
  tool: string;
  result?: unknown;
  ms?: number;
  /** The id of the model's call; empty where the tool is the work of the node. */
  call?: string;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced?: number;
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

/** What the chat shows. `seams` are empty without `debug:read`. */
export type Transcript = {
  conversation: ConversationSummary;
  /** The messages, the oldest first. */
  messages: (Message)[];
  seams: (Seam)[];
  /** True where earlier messages are no longer stored. */
  is_cut: boolean;
  /** When retention erased the last of them, and its rule: `on 2026-11-01, which keeps events for 30 days`. */
  erasure: string;
  /** The buttons by which the user may begin an inner conversation now. */
  starts: (Button)[];
};

/** `after`: the position after which messages are wanted. Those of the whole turn there are sent. `frame`: only the lines of one frame, by its id or the name of its scope; of several runs of a scope those of the last one. */
export type TranscriptQuery = {
  after?: number;
  frame?: string | null;
};

/** A transition that the person may take: its name, its moment, and where it leads. */
export type TransitionChoice = {
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
  decision: Decision;
};

/** The turn is over; `waits_for` is empty where the conversation has ended or failed. */
export type TurnEnded = {
  type: "turn_ended";
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

/** The result of a turn, or the refusal of an event (`refused` is its code, `text` its words). */
export type TurnResult = {
  conversation: string;
  /** The number of the turn. */
  number: number;
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
  refused: string;
  /** True where the event was received before (the same idempotency key): this is its first result. */
  is_duplicate: boolean;
  /** The messages of the turn, the user's among them. */
  messages: (Message)[];
  /** The form of the last reply that shows one. */
  form: FormView | null;
  /** What forms made for the host: problem statement, plan or handover. */
  artefacts: (Record<string, unknown>)[];
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
  turn: number;
  at_ms: number;
  calls: number;
  tokens_in: number;
  tokens_out: number;
  money: number | null;
  priced: number | null;
};

/** The part of the state that lasts for one turn. */
export type TurnState = {
  /** What began the turn. */
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  at_ms: number;
  seq: number;
  /** The node in charge when it began. */
  start_node?: string;
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
  calls?: (Call)[];
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
  at_ms: number;
  /** How long the turn took. */
  took_ms: number;
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
  field?: string;
  by_rules?: boolean;
  model?: string;
};

/** Understanding failed; the turn continues without commands. `at` is the `file:line` where user code raised, `attempts` are those of a model that failed before the last one. */
export type UnderstandingFailed = {
  type: "understanding_failed";
  /** The id of the effect that this is the result of. */
  effect: string;
  reason: string;
  at?: string;
  attempts?: (Attempt)[];
  /** What the call of the model used, in a flow with budgets. */
  count?: TokenCount | null;
};

/** A message was understood as commands. `claims` are other statements of the understanding: recorded, never applied. `dropped` are words for values that the rules did not propose, with the reason. If a model understood it, `model`, `prompt`, tokens, cost and `attempts` are as in `ModelReplied`. */
export type Understood = {
  type: "understood";
  /** The id of the effect that this is the result of. */
  effect: string;
  /** The commands that were proposed. */
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
  /** What understood it. */
  by: "function" | "model" | "rules";
  claims: Record<string, unknown>;
  model: string;
  prompt: string;
  tokens_in: number;
  tokens_out: number;
  cost: number | null;
  /** How many characters that UTF-8 cannot encode were replaced. */
  replaced: number;
  attempts: (Attempt)[];
  /** The characters to which the request was shortened, since a longer one was too long; 0 if it was not. */
  request_chars: number;
  dropped: (Dropped)[];
  /** True where a model would have read the message, and a budget left nothing for that. */
  is_over_budget: boolean;
  /** What the call of the model used, in a flow with budgets. */
  count: TokenCount | null;
};

/** A value that was understood in a message; `start` and `end` are its words, as offsets in the text. */
export type UnderstoodValue = {
  field: string;
  value: unknown;
  /** How it was understood: typed, chosen, by a model. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  start?: number | null;
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

/** Undo the last turn, or all turns after `to`. */
export type UndoRequest = {
  to?: number | null;
};

/** The state of the end of turn `to` was restored; effects that were performed are not reversed. `closed` are the open scopes whose opening was taken back and whose words are kept for a time only. */
export type Undone = {
  type: "undone";
  to: number;
  /** The restored state. */
  state: State;
  /** The tools whose effects were not reversed. */
  kept?: (string)[];
  closed?: (KeptWords)[];
};

/** An amount of each measure: money in billionths, tokens, milliseconds. */
export type Used = [number, number, number];

/** The user pressed a button: its value (or label), the position that offered it, and `is_new` as in `UserSaid`. */
export type UserChose = {
  type: "user_chose";
  /** The value or the label of the button. */
  value: string;
  /** The position of the text that offered it. */
  position?: number | null;
  is_new?: boolean;
};

/** The user said something. `is_new` says that it may answer a question which no caller received: it came with the position that its client has shown, or, unless a timer asked that question, with a key of its own. */
export type UserSaid = {
  type: "user_said";
  text: string;
  is_new?: boolean;
};

/** A field with its value at the end of the turn. The value of a list of records is its items, each with its `id` and its values by name; `item_fields` are the fields of these, and `most` how many items there may be. */
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
  item_fields: (ItemField)[];
  most: number | null;
};

/** What happened, and why, without a full stop: `Moved to Profiler`, `Terms accepted`; or `Stayed: needs Age ≥ 38 (is 35)`, `That leads to Expert: old enough`. `reason` is empty where the flow gives none. */
export type VerdictWords = {
  headline: string;
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

/** An argument of a call that waits. `text` is the value as people read it; a secret value is redacted. */
export type WaitingArgument = {
  name: string;
  /** What people call the argument. */
  title: string;
  /** Its type in the flow: `text`, `number`, `choice`. */
  type: string;
  value: unknown;
  text: string;
  /** The values that it may have, of a choice. */
  options: (string)[];
  is_secret: boolean;
  is_optional: boolean;
  /** The items, of a list of records. */
  items: ItemTexts | null;
};

/** A call that waits for approval: `id` names it in decisions, `about` is what it does, `question` the question that the author wrote for its approval, in parts; empty without one. `done_before` says that the same effect was done before an undo, and when; empty where it was not. */
export type WaitingCall = {
  id: string;
  tool: string;
  about: string;
  arguments: (WaitingArgument)[];
  /** Who may decide: the user, or only an operator. */
  approver: "operator" | "user";
  /** When it began to wait. */
  since_ms: number;
  due_ms: number | null;
  is_asked: boolean;
  then: (string)[];
  question: (WaitingQuestionPart)[];
  done_before: string;
};

/** A part of the question about a call that waits: its text, and the arguments that it is made of. With `is_value` it is the value of one argument, so a client that changes the argument can show the question again. */
export type WaitingQuestionPart = {
  text: string;
  /** The names of the arguments that the text is made of. */
  arguments?: (string)[];
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

/** What to suppose: values by field (`null`: none), guards by transition. `turn` is the turn to judge again, by default every turn. */
export type WhatIfBody = {
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

/** What would differ in some of a flow's conversations; `next` is the cursor of the following ones. `skipped` are conversations that cannot be judged again: their version of the flow does not have what is supposed. */
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
  skipped: number;
  /** Faults in the values or guards; then nothing was judged. */
  problems: (GuardProblem)[];
  next: string | null;
};

/** What would differ. `problems` are faults in the values or guards of the question; then nothing was judged. */
export type WhatIfResult = {
  /** How many decisions were judged again. */
  judged: number;
  /** How many of them would differ. */
  differs: number;
  /** Those that would differ, or all where one turn was asked for. */
  decisions: (WhatIfDecision)[];
  problems: (GuardProblem)[];
  /** How many decisions cannot be judged again. */
  skipped: number;
  /** The command that asks the same in a terminal, empty where there is none. */
  command: string;
};

/** Say why: the question, the last move, or what a field is needed for. `text` is a whole question of the user, `answer` what the runner found in the journal for it. */
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
  text?: string;
  answer?: string;
};

/** `subject`: a name, the number of a turn, `end`, or a question in plain words. `turn`: by default the last. */
export type WhyQuery = {
  subject?: string;
  turn?: number | null;
  against?: string | null;
  against_turn?: number | null;
  to?: string | null;
  usual?: boolean;
};

/** Words of the user that contain a secret. They are hidden from models, whether or not the value was applied. */
export type WordsHidden = {
  type: "words_hidden";
  /** The position of the message, start and end of the words in it. */
  place: [number, number, number];
};

/** The runner read words from the journal; `None` where retention erased them. */
export type WordsRecalled = {
  type: "words_recalled";
  /** The id of the effect that this is the result of. */
  effect: string;
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
  message?: string;
};

/** The conversation waits for a message, a button, or the result of an effect. */
export type turnwise_core_state_Waiting = {
  type: "waiting";
  /** What it waits for. */
  what: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user";
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
  message?: string;
};

/** A failure: what `error.*` is bound to while an `error` transition is judged, and what explanations show. */
export type turnwise_core_state_turn_state_Fault = ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string, string, unknown, unknown, string, string];

/** `turn`: its number, by default the last one. */
export type turnwise_server_routes_questions_TurnQuery = {
  turn?: number | null;
};

/** With `debug` an event stream also has entries and evaluations; this needs `debug:read`. */
export type turnwise_server_routes_turns_TurnQuery = {
  debug?: boolean;
};

/** A conversation that waits for a person, or has one. `why` is what led to it, as a sentence: the words of the rule, or that the user asked for a person. `due_ms` is when the wait ends if no person comes. */
export type Waiting = {
  conversation: ConversationSummary;
  /** The person in charge, or the wait for one. */
  person: PersonView;
  why: string;
  due_ms: number | null;
  /** The values that the person sees in the list. */
  known: (KnownValue)[];
};

/** One thing that is wrong in a request: where, what, and what to do. `at` is a JSON pointer into the body (in a file of lines the first part is the line, from 0), `?name` for a parameter, or the name of a header. */
export type Fault = {
  at: string;
  message: string;
  /** What to do. */
  hint: string;
};
