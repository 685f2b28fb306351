// Generated from the server's OpenAPI document by scripts/types.mjs. Do not edit.

/** What a conversation does now, as a headline: `Asks for “purpose”: 3 of 5 answered`. */
export type ActivityView = {
  /** The kind of activity. */
  kind: "asks_about_budget" | "asks_another_item" | "asks_field" | "asks_item" | "asks_which_answer" | "asks_which_item" | "changes_answer" | "confirms" | "ended" | "failed" | "form_stopped" | "offers" | "waits_for_approval" | "waits_for_approvals" | "waits_for_message" | "waits_for_person" | "with_person" | "works";
  /** The headline in English, with a time of the conversation's zone. */
  text: string;
  /** The title of the inner conversation in charge; empty for the outermost conversation. */
  inside: string;
  /** The headline in each language of the page, by its code, without that time. */
  texts?: Record<string, string>;
  /** Since when that is so, in milliseconds since 1970; `None` where the headline names no time. */
  since_ms?: number | null;
};

/** Add an item to a list field; in a list of records `item` is a dict of values by name, some may be missing. */
export type Add = {
  type: "add";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item; in a list of records its values by name. */
  item: unknown;
};

/** Messages that a visitor of the demonstration may send in a node. */
export type Advice = {
  /** The address of the node. */
  node: string;
  /** The field that the form asks for; empty where none is asked. */
  field: string;
  /** The field that must have no value yet for this advice; empty for none. */
  missing: string;
  /** The messages that the visitor may send. */
  lines: (string)[];
};

/** Answer yes to what the machine asked. */
export type Affirm = {
  type: "affirm";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
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
  /** The decisions that the answer refers to. With titles, `in_words` of their candidates has them, too. */
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
  /** The label of the button that gives the answer. */
  label: string;
  /** The value that the button sends. */
  value: string;
  /** What the answer would do, in a few words. */
  text: string;
  /** The steps that the answer would cause, in order. */
  steps?: (OutlookStep)[];
  /** What would have to be called before more is known: a model or a tool; empty where nothing would. */
  stops_at?: "" | "model" | "tool" | "understanding";
};

/** A tool call that waits for approval: a call by a model, or a node's own call. */
export type ApprovalRequest = {
  /** The name of the tool that is called. */
  tool: string;
  /** The arguments of the call by name. */
  arguments: Record<string, unknown>;
  /** The id of the model's call; empty if the node itself makes the call. */
  call?: string;
  /** The id of the call's effect, kept so that repeated approvals approve the same call. */
  id?: string;
  /** True where the call may have run already, before an undo. */
  was_begun?: boolean;
  /** Who may decide: the user, or only an operator. */
  approver?: "operator" | "user";
  /** Since when the call waits, in milliseconds since 1970; 0 in states of version 0.1. */
  since_ms?: number;
  /** When the call is declined if no one decides, in milliseconds since 1970; `None` if never. */
  due_ms?: number | null;
  /** The later calls of the same reply that need no approval and run only after this one is decided. */
  behind?: (Call)[];
  /** True from the approval until the call is requested as an effect, in the same turn. */
  is_approved?: boolean;
  /** How often the user has answered the question about this call with neither yes nor no. */
  unclear?: number;
};

/** The user answered the question about a call with neither yes nor no, and is asked again. */
export type ApprovalUnclear = {
  type: "approval_unclear";
  /** The id of the call. */
  call: string;
  /** The name of the tool. */
  tool: string;
  /** False where the message was only a greeting or thanks, or asked for help, time or the question: it is no miss. */
  is_counted?: boolean;
};

/** One schedule of a conversation: its next time, and what was handled so far. */
export type ArmedSchedule = [string, number, number, "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope", number, number];

/** Something that a form made for the host. */
export type Artefact = {
  /** The position of the artefact's event in the journal. */
  seq: number;
  /** The number of the turn in which the artefact was made. */
  turn: number;
  /** When the artefact was made, in milliseconds since 1970. */
  at_ms: number;
  /** The kind of artefact: a problem statement, a plan of answers so far, or a handover. */
  kind: "DRAFT_PLAN" | "HANDOFF" | "PROBLEM_STATEMENT";
  /** The content of the artefact as JSON data, as the form made it. */
  data: Record<string, unknown>;
  /** True where a later undo took back the turn that made the record. */
  is_undone?: boolean;
};

/** The machine made a document for the host program: `PROBLEM_STATEMENT`, `DRAFT_PLAN` or `HANDOFF`. */
export type ArtefactMade = {
  type: "artefact_made";
  /** What the document is: the problem statement, the answers so far as a plan, or a handover. */
  kind: "DRAFT_PLAN" | "HANDOFF" | "PROBLEM_STATEMENT";
  /** The content of the document for the host, as JSON data; its keys depend on `kind`. */
  data: Record<string, unknown>;
};

/** Answer a question of the user aside, without leaving the node or the form. */
export type Ask = {
  type: "ask";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The user's question, in words. */
  text: string;
};

/** An attempt of a call that failed and was repeated: the reason, its time, and its duration. */
export type Attempt = [string, number, number, string, "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "", string];

/** Ask the question before the open one again; its answer stays until it is replaced. */
export type Back = {
  type: "back";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A conversation that began, with its first turn. */
export type BegunConversation = {
  /** The conversation in short, as lists show it. */
  conversation: ConversationSummary;
  /** The first turn. */
  turn: TurnResult;
};

/** The user answered whether the conversation may exceed a budget. */
export type BudgetAnswered = {
  type: "budget_answered";
  /** The name of the budget. */
  budget: string;
  /** The turn number or date for which more was allowed. */
  period: string;
  /** How much more the user allowed, in billionths of the currency, tokens or milliseconds; 0 if the user declined. */
  granted?: number;
};

/** A call was not made, since it would have exceeded a budget. */
export type BudgetReached = {
  type: "budget_reached";
  /** The name of the budget. */
  budget: string;
  /** What the budget limits: money, tokens or time. */
  measure: "money" | "time" | "tokens";
  /** The period that the budget covers: a turn, the conversation, a day. */
  per: "conversation" | "day" | "turn";
  /** The current period: the number of the turn, or the date of the day; empty for the conversation. */
  period: string;
  /** What the budget allows, in the unit of `Used`: billionths of the currency, tokens or milliseconds. */
  amount: number;
  /** What was used of the budget so far, in the same unit as `amount`. */
  spent: number;
  /** What the call would have needed at most, in the same unit as `amount`. */
  needed: number;
  /** What happens in place of the call; for `model`, another model is called. */
  then: "ask" | "end" | "hand_over" | "model" | "own_text";
  /** What the call would have been for, such as a reply. */
  purpose: string;
  /** The node that the call was made for. */
  node: string;
  /** The model that was not called. */
  model?: string;
  /** The model that is called instead; empty if none is. */
  instead?: string;
  /** How much more the user is asked to allow, in the unit of `amount`; 0 if they are not asked. */
  wanted?: number;
  /** The currency of a budget for money; empty for tokens and time. */
  currency?: string;
};

/** The use of a budget in its current period: what it allows, what is used and left, also in words. */
export type BudgetUse = {
  /** The name of the budget. */
  name: string;
  /** What the budget limits: money, tokens or time. */
  measure: "money" | "time" | "tokens";
  /** The period that the budget covers: a turn, the conversation, a day. */
  per: "conversation" | "day" | "turn";
  /** What the budget allows, with what the user added, in the currency, tokens or seconds. */
  allowed: number;
  /** What is used of the budget in the current period, in the currency, tokens or seconds. */
  spent: number;
  /** What is left of the budget in the current period, in the currency, tokens or seconds. */
  left: number;
  /** What happens when the next call would exceed the budget. */
  then: "ask" | "end" | "hand_over" | "model";
  /** The use of the budget in words. */
  text: string;
  /** True while another model is called because of this budget. */
  is_reached: boolean;
};

/** A button under a message: the text that it shows, and the value that it sends. */
export type Button = {
  /** The text that the button shows. */
  label: string;
  /** The value that the button sends when it is pressed. */
  value: string;
};

/** A call of a tool by a model. */
export type Call = {
  /** The id of the call, made by turnwise: the id of the effect that asked the model, and a number. */
  id: string;
  /** The name of the tool. */
  tool: string;
  /** The arguments of the call, by name. */
  arguments?: Record<string, unknown>;
  /** Why the arguments cannot be read; empty if they can. */
  wrong?: string;
};

/** The machine itself answered a call of a generated tool; the resulting events are recorded with it. */
export type CallAnswered = {
  type: "call_answered";
  /** The id of the call. */
  call: string;
  /** The name of the tool. */
  tool: string;
  /** The result that the model gets: values by name. */
  result: Record<string, unknown>;
};

/** A call that waited for approval was approved. */
export type CallApproved = {
  type: "call_approved";
  /** The id of the call. */
  call: string;
  /** The name of the tool. */
  tool: string;
  /** The arguments that were approved, by name. */
  arguments: Record<string, unknown>;
  /** The name of the person who approved the call; empty if it is not known. */
  by?: string;
  /** Who had to decide: the user, or an operator. */
  approver?: "operator" | "user";
  /** True where the person changed arguments of the call. */
  is_edited?: boolean;
};

/** The decision about one tool call that waits. */
export type CallChoice = {
  /** The `id` of the waiting call. */
  call: string;
  /** True to approve the call, false to decline it. */
  approve: boolean;
  /** The new values of arguments to change, by name. */
  arguments?: Record<string, unknown>;
  /** Why the call is declined; empty for no reason. */
  reason?: string;
};

/** The decision about one call that waits for approval. */
export type CallDecision = {
  /** The id of the call. */
  call: string;
  /** True if the call is approved, false if it is declined. */
  approve: boolean;
  /** The changed arguments by name, with their new values; the others stay. */
  arguments?: Record<string, unknown>;
  /** Why the call is declined; empty if no reason was given. */
  reason?: string;
};

/** A call waits for approval (law 4.5). */
export type CallHeld = {
  type: "call_held";
  /** The name of the tool. */
  tool: string;
  /** The arguments with which the tool will be called, by name. */
  arguments: Record<string, unknown>;
  /** The id of the model's call; empty if the node itself makes the call. */
  call?: string;
  /** The id of the effect that will run the call. */
  effect?: string;
  /** Who may approve the call: the user, or only an operator. */
  approver?: "operator" | "user";
  /** Since when the call waits, in milliseconds since 1970. */
  since_ms?: number;
  /** When the call is declined if no one decides, in milliseconds since 1970; `None` if never. */
  due_ms?: number | null;
};

/** An effect: call the model of the node in charge; its result is `ModelReplied` or `ModelFailed`. */
export type CallModel = {
  type: "call_model";
  /** The id of the effect, which its result refers to. */
  id: string;
  /** What the call is for: a reply, an aside, wording a question or offer, choosing a transition, a summary. */
  purpose?: "aside" | "choose" | "offer" | "reply" | "summary" | "word";
  /** The question or opener to word, the question to answer aside, or the outcome of the closing scope; else empty. */
  about?: string;
};

/** A call that needs no approval waits, because an earlier call of its reply waits for approval. */
export type CallQueued = {
  type: "call_queued";
  /** The id of the call. */
  call: string;
  /** The name of the tool. */
  tool: string;
};

/** A tool call was refused and did not run: `reason` is the code, `text` the reason in words for the model. */
export type CallRefused = {
  type: "call_refused";
  /** The id of the model's call. */
  call: string;
  /** The name of the tool, as the model wrote it. */
  tool: string;
  /** The code of why the call was refused. */
  reason: "already_open" | "arguments" | "cannot_open" | "declined" | "dropped" | "expired" | "fork" | "not_allowed" | "not_json" | "not_open" | "out_of_sequence" | "replaced" | "unknown_tool" | "waiting";
  /** Why the call was refused, in words for the model. */
  text: string;
  /** The name of the person who declined the call; empty if none did, or the name is not known. */
  by?: string;
};

/** A call of a model or tool ended, in a flow with budgets: what it used. A tool uses only time. */
export type CallSettled = {
  type: "call_settled";
  /** The id of the call's effect. */
  effect: string;
  /** The money, tokens and time that the call used. */
  used: Used;
  /** The date of the call in the conversation's time zone, such as `2026-11-01`. */
  day: string;
  /** What the model was called for; empty for a tool. */
  purpose?: string;
  /** The model that was called; empty for a tool. */
  model?: string;
  /** The tool that was called; empty for a model. */
  tool?: string;
  /** The node that the call was made for. */
  node?: string;
  /** The number of tokens of the prompt. */
  tokens_in?: number;
  /** The number of tokens of the reply. */
  tokens_out?: number;
  /** How many of `tokens_in` the provider had cached. */
  cached?: number;
  /** The amounts that were reserved before the call; `None` if nothing was. */
  reserved?: Used | null;
  /** True where the provider counted no tokens, so that they are estimated. */
  is_estimated?: boolean;
  /** True where the process ended before the reply came: the reserved amounts count as used. */
  is_lost?: boolean;
};

/** A tool call in this turn, and its result. */
export type CallView = {
  /** The id of the call. */
  id: string;
  /** The name of the tool. */
  tool: string;
  /** The values of the tool's arguments, by name; secrets are redacted. */
  arguments: Record<string, unknown>;
  /** The status of the call; `answered` by the machine itself, `unknown` while its result is missing. */
  status: "answered" | "failed" | "refused" | "returned" | "unknown" | "waiting";
  /** The result of the tool, as JSON data; `None` without one. */
  result: unknown;
  /** Why the call failed or was refused, in words; empty where it was neither. */
  error: string;
  /** The code of a refusal; `host` where a program used the tool itself; else empty. */
  reason: string;
  /** The position of the call in the journal; 0 where it is not known. */
  seq: number;
  /** How many milliseconds the tool ran; `None` where that is not known. */
  took_ms: number | null;
};

/** The results of these turns were not delivered, since their callers had left. */
export type CallerLeft = {
  type: "caller_left";
  /** The numbers of the turns whose results were not delivered. */
  turns: (number)[];
  /** The numbers of undelivered turns that the machine started itself. */
  unprompted?: (number)[];
};

/** Calls that wait for approval were approved or declined, each separately (law 4.5). */
export type CallsDecided = {
  type: "calls_decided";
  /** The decisions, one for each call that was decided. */
  decisions: (CallDecision)[];
  /** The name of the person who decided; empty if it is not known. */
  by?: string;
  /** True if a person with the rights of an operator decided, who may decide what the user may not. */
  is_operator?: boolean;
};

/** Stop the open form or scope. */
export type Cancel = {
  type: "cancel";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** Set a value of an item of a list of records; the value `None` removes it. */
export type Change = {
  type: "change";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is changed, by id, position or values. */
  item: string | number | Record<string, unknown>;
  /** The name of the value of the item, which is a field of its record. */
  name: string;
  /** The new value, as it was understood; `None` removes the old one. */
  value?: unknown;
};

/** A conversation in which decisions would differ. */
export type ChangedConversation = {
  /** The name of the conversation. */
  conversation: string;
  /** How many of its decisions would differ. */
  differs: number;
  /** The number of the first turn with a decision that would differ. */
  turn: number;
};

/** The item that was added or changed last, with its list and turn; without an id if that turn changed several. */
export type ChangedItem = [number, string, string];

/** The problems of a document of a flow. */
export type CheckedText = {
  /** The path of the document. */
  file: string;
  /** The problems of the document. */
  problems: (EditedProblem)[];
};

/** The problems of the edited document, and of those that it imports or that import it. */
export type CheckedTexts = {
  /** The checked documents, each with its problems; a correct document has none. */
  files: (CheckedText)[];
};

/** Remove the value of a field. */
export type Clear = {
  type: "clear";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the field. */
  field: string;
};

/** A request to move the clock of a demonstration forward. */
export type ClockMove = {
  /** By how many seconds to move the clock forward. */
  advance_s: number;
};

/** The time of the server's clock, how far it is ahead of the real time, and how many timers fired. */
export type ClockView = {
  /** The time of the server now, in milliseconds since 1970. */
  now_ms: number;
  /** How many milliseconds the server's clock is ahead of the real time. */
  ahead_ms: number;
  /** How many timers and schedules fired because the clock was moved. */
  fired: number;
};

/** One call of a Python guard: what it returned or raised, and the values that it read. */
export type CodeRun = {
  /** The name of the Python guard. */
  guard: string;
  /** What the guard returned; `None` if it raised. */
  returned?: unknown;
  /** The values that the guard read, by field. */
  reads?: Record<string, unknown>;
  /** The exception that the guard raised; empty if it raised none. */
  error?: string;
  /** The `file:line` where the guard raised; empty if it did not. */
  at?: string;
};

/** A command that sets no field was applied. */
export type CommandApplied = {
  type: "command_applied";
  /** The name of the command. */
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "move" | "other" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  /** The address of the field that the command is about; empty if none. */
  field?: string;
  /** The text of the command, such as the question of `ask`; empty if it has none. */
  text?: string;
  /** For `start`: the input values with which the scope is opened, by field. */
  input?: Record<string, unknown>;
};

/** The outcome of one command of this turn. */
export type CommandOutcome = ["add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "cleared" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "missed" | "move" | "other" | "refused" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why", string, string, string];

/** A command was refused: `reason` is the code, `text` the reason in words. */
export type CommandRefused = {
  type: "command_refused";
  /** The name of the command. */
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "deny" | "edit" | "hand_over" | "help" | "move" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  /** The code of why the command was refused. */
  reason: "already_applied" | "already_known" | "already_open" | "ambiguous" | "answers" | "arguments" | "beside_question" | "blank" | "boolean" | "cannot_open" | "choice" | "contradicted" | "date" | "datetime" | "derived" | "digits" | "doubtful" | "duration" | "email" | "form_cancelled" | "form_closed" | "fraction" | "handed_over" | "integer" | "item" | "items" | "length" | "list" | "list_bytes" | "max" | "min" | "misquoted" | "no_field" | "no_item" | "no_list" | "no_options" | "no_person" | "no_plain_yes" | "no_position" | "no_value" | "not_asked_here" | "not_exposed" | "not_named" | "nothing_before" | "nothing_to_affirm" | "nothing_to_cancel" | "nothing_to_clear" | "nothing_to_confirm" | "nothing_to_deny" | "nothing_to_edit" | "nothing_to_skip" | "nothing_to_start" | "number" | "option" | "option_changed" | "option_gone" | "pattern" | "phone" | "placeholder" | "question" | "repeated" | "required" | "secret_not_asked" | "several_items" | "skipped" | "string" | "time" | "unknown_argument" | "unknown_field" | "unsupported" | "validate" | "write";
  /** The address of the field that the command is about; empty if none. */
  field?: string;
  /** Why the command was refused, in words for people. */
  text?: string;
  /** `text` with dates and numbers in ISO form, for models; empty if that is the same. */
  iso?: string;
  /** The scope that was to begin after another one and no longer waits for that; empty for other commands. */
  scope?: string;
  /** The id of the list item that the command is about; empty if none. */
  item?: string;
  /** The name of the value of that item; empty if none. */
  name?: string;
};

/** Commands came from the host program, such as an importer, a test or its own understanding. */
export type Commands = {
  type: "commands";
  /** The commands, in the order in which they are applied. */
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
  /** The name of the client that sent the commands over the API; empty if not known. */
  by?: string;
};

/** A completion that is offered to an author: the text, what it is, and a line about it. */
export type CompletionOffer = {
  /** The text that is inserted. */
  label: string;
  /** The kind of thing that the text names: a key, a node, a field. */
  kind: "field" | "function" | "key" | "name" | "value" | "word";
  /** A line about the thing that the text names. */
  detail: string;
};

/** The completions that are offered for a part of the text. */
export type CompletionView = {
  /** The part of the text that is replaced. */
  range: TextRange;
  /** The offered completions, best first. */
  offers: (CompletionOffer)[];
  /** True where more completions would fit than are offered. */
  is_incomplete: boolean;
};

/** One candidate of a decision: a transition, its outcome, and the reasons. */
export type Considered = {
  /** The name of the transition. */
  id: string;
  /** The outcome for the transition: taken, false, unknown, outranked, not reached and so on. */
  outcome: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
  /** What the transition does when it is taken. */
  action: "block" | "call" | "end" | "return" | "stay" | "to";
  /** The node or scope to which the transition leads; empty if to none. */
  target?: string;
  /** Where the transition is declared: at the node, for the whole flow, or at its target. */
  level?: "enter" | "flow" | "node";
  /** The order of judging: lower numbers are judged first. */
  priority?: number;
  /** The author's reason for the transition; empty if there is none. */
  because?: string;
  /** The `file:line` of the transition in the flow. */
  source?: string;
  /** True if the guard only describes a Python guard, which decides. */
  is_mirror?: boolean;
  /** Which transition outranked this one, why it was not reached, or what blocked it; empty if nothing did. */
  by?: string;
  /** The conditions of the guard as a tree with verdicts; `None` without a guard. */
  verdict?: Leaf | Group | null;
  /** The addresses of the fields without a value that the guard reads. */
  missing?: (string)[];
  /** Up to three minimal sets of field changes, each of which would make the guard hold. */
  needs?: ((Need)[])[];
  /** If no field change helps: up to three other ways in words, each a condition that no field change meets. */
  in_words?: (string)[];
  /** What differs from the previous judging of the transition. */
  changed?: (JudgingChange)[];
  /** The Python guard of the transition; `None` if it has none. */
  code?: GuardCode | null;
  /** The failure that undid the move of the transition; `None` if there was none. */
  failure?: Failure | null;
  /** True if the move is made at the next message (`reply: next`). */
  planned?: boolean;
  /** True if the flow declares that this transition is never named as the nearest one. */
  is_exception?: boolean;
};

/** An autonomous flow starts its next turn without a message (law 2.8). */
export type Continued = {
  type: "continued";
};

/** A page of conversations, the most recently changed first. */
export type ConversationList = {
  /** The conversations of the page. */
  conversations: (ConversationSummary)[];
  /** How many conversations match; with a text, how many of the 5,000 that are searched from this page on. */
  total: number;
  /** The cursor of the next page; `None` at the end. */
  next: string | null;
  /** False where older conversations are not searched yet, so that at least `total` match: continue with `next`. The next page may also have no conversations. */
  is_complete: boolean;
};

/** A summary of one conversation, as lists show it. */
export type ConversationSummary = {
  /** The id of the conversation. With keys it begins with the owner: `ada:x`. */
  id: string;
  /** The name of the conversation's flow. */
  flow: string;
  /** The version number of the flow that the conversation uses. */
  version: number;
  /** `waiting` for the user, `working` on a turn or for a result, with a `person`, or ended or failed. */
  status: "ended" | "failed" | "person" | "waiting" | "working";
  /** The node in charge. */
  node: string;
  /** The number of the conversation's last turn. */
  turn: number;
  /** The position of the conversation's last entry in the journal. */
  seq: number;
  /** When the conversation last changed, in milliseconds since 1970. */
  at_ms: number;
  /** What the conversation waits for; empty where it has ended or failed. */
  waits_for: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user" | "" | "person";
  /** Since when the conversation waits, or has ended, in milliseconds since 1970; 0 if unknown. */
  since_ms: number;
  /** The outcome with which the conversation ended; empty until then. */
  outcome: string;
  /** The owner of the conversation, the part of its id before the colon; empty without one. */
  owner: string;
  /** The end of the last message, for search results; empty elsewhere. */
  snippet: string;
  /** The timers that are armed, the next one first. */
  timers: (TimerView)[];
  /** The schedule that fires next; `None` if none does. */
  next_schedule: NextSchedule | null;
  /** The person who is in charge, or the wait for one; `None` where there is neither. */
  person: PersonView | null;
  /** Warnings for a list: a rule that disagrees with its Python guard, a guard error, a fork, an older flow version. The former two are of its last decisions. */
  marks: ("code_differs" | "fork" | "guard_error" | "other_version")[];
  /** What the conversation does, in short: `Asks for purpose, 3 of 5 answered`; empty for its user. */
  headline: string;
  /** The headline in each language of the page, by the language's code. */
  headlines: Record<string, string>;
  /** The code of the language of the conversation's texts, labels and values. */
  language: string;
  /** The name of the conversation for people; empty for its user. It is made of the fields that name it, the id that was chosen for it, its first words, or flow and time. */
  name: string;
  /** The title of the flow for people. */
  flow_title: string;
  /** The title of the node in charge for people. */
  node_title: string;
};

/** Append copies of an item of a list of records to the list, with some values changed. */
export type Copy = {
  type: "copy";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is copied, by id, position or values. */
  item: string | number | Record<string, unknown>;
  /** How many copies are added. */
  count?: number;
  /** The values in which the copies differ from the item, by name. */
  changes?: Record<string, unknown>;
};

/** How often stored conversations visited each node and took each transition. */
export type Coverage = {
  /** How many conversations visited each node, by its address. */
  nodes: Record<string, number>;
  /** How often each transition was judged and taken. */
  edges: (EdgeHistory)[];
  /** How many conversations were counted. */
  conversations: number;
};

/** One question of a form over data: its text, allowed answers, and the answers that stop the form or are right. */
export type DataQuestion = {
  /** The id of the question, under which its answer is stored. */
  id: string;
  /** The text of the question. */
  ask: string;
  /** The allowed answers; empty if any text is allowed. */
  options?: (string)[];
  /** The answers that end the form. */
  stop?: (string)[];
  /** The reply to an answer that ends the form; empty if none. */
  stop_say?: string;
  /** The right answers, if the questions are a test; else empty. */
  right?: (string)[];
};

/** Decisions about tool calls that wait, each by itself. If one of them is refused, none counts. */
export type Decide = {
  /** A decision for each call that is decided; the other calls continue to wait. */
  decisions: (CallChoice)[];
};

/** Decisions of an operator about waiting tool calls. With keys the owner of the key is recorded as the operator. */
export type DecideAsOperator = {
  /** A decision for each call that is decided; the other calls continue to wait. */
  decisions: (CallChoice)[];
  /** The name of the operator who decides, on a server without keys. */
  operator?: string;
};

/** The candidates of a moment were judged: one letter for each in `outcomes`, and the values that were read. */
export type Decided = {
  type: "decided";
  /** The node in charge. */
  node: string;
  /** The name of the moment that was judged, such as `before`. */
  moment: string;
  /** One letter per candidate, in their order: `t` taken, `f` false, `u` unknown; all are listed at `Decided`. */
  outcomes: string;
  /** The index, from 0, of the candidate that was taken; -1 if none was. */
  taken?: number;
  /** The values that were read, in the order of `Candidates.keys`; a long list stands as its field and length. */
  reads?: unknown[];
  /** The calls of Python guards that judging made. */
  code?: (CodeRun)[];
  /** Hashes of the values that judged `enter_when` guards read, by the node that each of them enters. */
  marks?: Record<string, number>;
  /** The timer that fired, or the external event that came; empty without one. */
  firing?: string;
  /** The operator who chose the transition; the other letters are as the machine judged. Empty for the machine. */
  operator?: string;
  /** Why the operator chose the transition; empty for the machine. */
  because?: string;
  /** When and by which rule retention erased the values that were read; `None` if it did not. */
  trimmed?: Erasure | null;
  /** How a form was left before it was finished, so that only its own exits were judged; empty if none was. */
  broken_off?: "" | "cancelled" | "handed_off" | "left" | "stopped";
  /** Hashes of the values that judged `call` transitions read, by transition; `None` if none was judged. */
  calls?: Record<string, number> | null;
};

/** One judging of a moment: every candidate in the order of judging, and a sentence that sums it up. */
export type Decision = {
  /** The name of the conversation. */
  conversation: string;
  /** The position of the decision in the journal. */
  seq: number;
  /** The number of the turn in which the decision was made. */
  turn: number;
  /** When the decision was made, in milliseconds since 1970. */
  at_ms: number;
  /** The node in charge. */
  node: string;
  /** The name of the moment that was judged, such as `before`. */
  moment: string;
  /** The decision in one sentence, such as what was taken and why. */
  line: string;
  /** The transitions that were considered, in the order of judging. */
  candidates?: (Considered)[];
  /** The name of the transition that was taken; empty if none was. */
  taken?: string;
  /** The names of the overlays that were active. */
  overlays?: (string)[];
  /** How mirror rules and Python guard chose differently; `None` if they did not. */
  mirror_disagrees?: Disagreement | null;
  /** The failure for which an `error` moment was judged; `None` for other moments. */
  failure?: Failure | null;
  /** True if the decision was never made: its outcomes are what would happen. */
  hypothetical?: boolean;
  /** The fields for which the chosen move computed no value. */
  nothing_set?: (NothingSet)[];
  /** The operator who made the decision; empty if the machine did. */
  operator?: string;
  /** Why the operator made the decision; empty if the machine did. */
  reason?: string;
  /** Which values that were read retention erased, when, and by which rule, in words; empty if none. */
  erased?: string;
};

/** The query parameters that select decisions. */
export type DecisionQuery = {
  /** The number of the decision's turn; `None` for the last turn with a decision. */
  turn?: number | null;
  /** The name of a transition, or of its target, to explain; `None` for all. */
  transition?: string | null;
};

/** A decision of a turn with what a client shows beside the record: no client parses a sentence. */
export type DecisionView = {
  /** The record of the decision, with all candidates. */
  decision: Decision;
  /** The decision as a headline: `Stayed in introduction`, `Moved to profiler`. */
  headline: string;
  /** The rest of the decision's line after the headline. */
  detail: string;
  /** The decision in one line, as the chat shows it. */
  seam: Seam;
  /** The candidate that was nearest to holding; empty where one was taken. */
  nearest: string;
  /** The moment of each rule of `evaluatedRules`, by the rule's id. */
  moments: Record<string, string>;
  /** The payload of `debug_transition_eval` for the decision, as JSON data (see `TransitionEval`). */
  evaluation: Record<string, unknown>;
  /** How often each candidate was judged and taken before, by the candidate's id. */
  histories: Record<string, EdgeHistory>;
  /** The origin of the value of each operand, by the operand's name. */
  places: Record<string, Origin>;
  /** True where `changed` of the candidates compares them with an earlier judging of the node at the moment. */
  is_compared: boolean;
  /** Conditions and names of values of the decision in words, by their text in the record, in the language of `Accept-Language` if the page has it; those that stay unchanged are missing. */
  conditions: Record<string, string>;
};

/** The query parameters that select deliveries: of one status or any, after a number. */
export type DeliveriesQuery = {
  /** The status of the deliveries; empty for every status. */
  status?: "delivered" | "failed" | "sending" | "waiting" | "";
  /** The number of the last delivery that the client has; 0 for none. */
  after?: number;
  /** How many deliveries a page has at most. */
  limit?: number;
};

/** A page of deliveries, the oldest first. */
export type DeliveryPage = {
  /** The deliveries of the page. */
  deliveries: (DeliveryView)[];
  /** The number of the delivery after which the next page begins; `None` at the end. */
  next: number | null;
};

/** A delivery of the messages of one turn to a receiver of the host. */
export type DeliveryView = {
  /** The id of the delivery, the same in each attempt. */
  id: string;
  /** The place of the delivery in the order of all deliveries. */
  number: number;
  /** The name of the conversation. */
  conversation: string;
  /** The number of the turn whose messages are delivered. */
  turn: number;
  /** When the delivery was queued, in milliseconds since 1970. */
  at_ms: number;
  /** What began the turn, in words. */
  about: string;
  /** The status of the delivery: whether it waits, is sent now, was delivered, or was given up. */
  status: "delivered" | "failed" | "sending" | "waiting";
  /** How many attempts to send the delivery were begun. */
  attempts: number;
  /** When the next attempt is due, in milliseconds since 1970; `None` where none is. Where it is `None` while the delivery waits, an earlier one of the conversation goes first. */
  due_ms: number | null;
  /** When the delivery succeeded or was given up, in milliseconds since 1970; `None` while it waits. */
  done_ms: number | null;
  /** Why the last attempt failed; empty if none did. */
  error: string;
  /** The turn whose result reported a failed delivery's messages to a caller; 0 if none did. */
  reported_in: number;
};

/** A stream event: a piece of a model's text, before the turn is stored. A `message` of the turn replaces all of its pieces. */
export type DeltaSent = {
  type: "delta";
  /** The name of the conversation. */
  conversation: string;
  /** The number of the turn. */
  turn: number;
  /** The node whose model call generates the text. */
  node: string;
  /** The id of the model call that the text comes from. */
  effect: string;
  /** The piece of text, or the whole text so far where `is_whole`. */
  text: string;
  /** True where `text` is everything so far, and replaces earlier pieces. So it is for a client that connects in the middle, and where earlier pieces are withdrawn. */
  is_whole: boolean;
};

/** What the demonstration prepares for a flow: a remark, the first question, conversations and messages. */
export type Demonstration = {
  /** A remark for the visitor about what to try; empty without one. */
  tries?: string;
  /** The first question of the flow's first form; empty without a form. */
  asks?: string;
  /** The prepared conversations. */
  openings?: (Opening)[];
  /** Messages that a visitor may send, by node. */
  advice?: (Advice)[];
  /** The guided tour; `None` without one. */
  look?: FirstLook | null;
  /** The texts of the demonstration in other languages: by the language's code, then by the English text. */
  texts?: Record<string, Record<string, string>>;
};

/** Answer no to what the machine asked. */
export type Deny = {
  type: "deny";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A problem of the flow's document. */
export type DiagnosticView = {
  /** The code of the problem, such as `TW041`. */
  code: string;
  /** Whether the problem is an error or a warning. */
  severity: "error" | "warning";
  /** What is wrong, in words. */
  message: string;
  /** What to do; empty where nothing is suggested. */
  hint: string;
  /** The path of the document. */
  file: string;
  /** The line of the problem, from 1; 0 where the place is not known. */
  line: number;
  /** The column of the problem, from 1; 0 where the place is not known. */
  column: number;
};

/** A mirror rule and the Python guard that it describes chose differently (law 2.16). */
export type Disagreement = {
  /** The target that the mirror rules chose; `(stay)` for none. */
  rules: string;
  /** The target that the Python guard chose; `(stay)` for none. */
  code: string;
};

/** A stream event: the server stops soon, so reconnect with the cursor. */
export type Draining = {
  type: "draining";
  /** How many milliseconds to wait before reconnecting. */
  retry_ms: number;
};

/** Words of a message that state a value of a field, and for which no command was proposed. */
export type Dropped = {
  /** Start and end (exclusive) of the words, in characters of the message. */
  words: [number, number];
  /** The address of the field whose value the words state. */
  field: string;
  /** The value that the words state. */
  value: unknown;
  /** Why no command was proposed for the words. */
  reason: "about_another" | "beside_question" | "corrected" | "denied" | "doubtful" | "elsewhere" | "not_alone" | "other_words" | "question" | "several";
};

/** The result of trying an event without effects. Without `debug:read` there are no `moves`, `values` and `why`. */
export type DryRun = {
  /** False where only a model, a tool or the host's understanding could decide what follows. */
  is_known: boolean;
  /** What would have to be called to know the outcome: a model, a tool, the understanding; empty if it is known. */
  decided_by: "" | "model" | "tool" | "understanding";
  /** The code of the refusal; empty where the event would be accepted. */
  refused: string;
  /** The reply that would follow, or the reason of the refusal. */
  text: string;
  /** The transitions that would be taken, in order. */
  moves: (string)[];
  /** The node in charge after the turn. */
  node: string;
  /** The values that would change, by field. */
  values: Record<string, unknown>;
  /** Why the outcome is not known, in words. */
  why: string;
};

/** An event to try without effects: exactly one of `text`, `button` (with `position`) and `commands`. */
export type DryRunRequest = {
  /** A message of the user; `None` for another event. */
  text?: string | null;
  /** The value or label of a button that the user would press; `None` for another event. */
  button?: string | null;
  /** The journal position of the turn that offered the button; `None` without a button. */
  position?: number | null;
  /** Commands of a program, instead of words of a user; `None` for another event. */
  commands?: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[] | null;
};

/** Something that the conversation does by itself, such as a timer, with the next time when it does it. */
export type DueView = {
  /** The kind of thing that is due: a timer, a schedule. */
  kind: "schedule" | "timer";
  /** The name of the timer or schedule in the flow. */
  name: string;
  /** The title of the timer or schedule for people. */
  title: string;
  /** When the timer or schedule is due, in milliseconds since 1970; `None` where that is not known. */
  due_ms: number | null;
  /** What happens when the timer or schedule fires, in words. */
  does: string;
  /** The subject by which questions to `why` name the timer or schedule; empty where there is none. */
  subject: string;
  /** Why the author wants the transition or schedule; empty if not given. */
  because: string;
  /** The node of a timer; empty for a schedule. */
  node: string;
  /** Why the timer or schedule waits although it is due, or would wait if it were due now; empty if it does not. */
  held_by: "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope";
  /** True where an admin may fire the timer or schedule now. */
  can_fire: boolean;
  /** When the timer or schedule fires, in milliseconds since 1970, if known and later than `due_ms`; else `None`. */
  fires_ms: number | null;
};

/** How often a transition was judged, held and taken, in one conversation or in all. */
export type EdgeHistory = {
  /** The node at which the transition was judged. */
  node: string;
  /** The moment at which the guard is judged, such as `before` or `after`. */
  moment: string;
  /** The name of the transition. */
  transition: string;
  /** The node that the transition leads to. */
  target: string;
  /** How often the guard was judged. */
  judged: number;
  /** How often the guard held, whether or not the transition was taken. */
  held: number;
  /** How often the transition was taken. */
  taken: number;
  /** The counts in words. */
  line: string;
  /** How often judging had each outcome, by outcome. */
  outcomes: Record<string, number>;
};

/** Change an answer of a form; without a field the machine asks which answer. */
export type Edit = {
  type: "edit";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the field whose answer is changed; empty if the machine is to ask. */
  field?: string;
};

/** A document of a flow as an author has it: its path, as `GET …/source` names it, and its text. */
export type EditedDocument = {
  /** The path of the document, as `GET …/source` names it. */
  file: string;
  /** The text in the editor. */
  text: string;
};

/** The document that an author edits, and other documents with unsaved changes. */
export type EditedDocuments = {
  /** The path of the edited document. */
  file: string;
  /** The text of the edited document in the editor. */
  text: string;
  /** Other documents with changes of the author that are not saved. */
  others?: (EditedDocument)[];
};

/** A problem of a text that is edited, with its place and its repairs. */
export type EditedProblem = {
  /** The code of the diagnostic, such as `TW041`. */
  code: string;
  /** Whether the problem is an error or a warning. */
  severity: "error" | "warning";
  /** What is wrong, in words. */
  message: string;
  /** What to do; empty where nothing is suggested. */
  hint: string;
  /** The part of the text that the problem is about. */
  range: TextRange;
  /** The edits that would solve the problem; empty if none is known. */
  repairs: (RepairView)[];
};

/** An effect was requested, such as a model call; the turn waits for its result. */
export type EffectAsked = {
  type: "effect_asked";
  /** The effect that was requested. */
  effect: Understand | CallModel | RunTool | RecallWords | RecallState;
};

/** A stream event: a durable entry of the journal; needs `debug:read`. */
export type EntrySent = {
  type: "entry";
  /** The name of the conversation. */
  conversation: string;
  /** The entry of the journal. */
  entry: EventRow;
};

/** A placeholder for an event that retention erased. */
export type Erased = {
  type: "erased";
  /** The tag of the event that was erased, such as `said`. */
  kind: string;
  /** When and by which rule the turn was erased; only in the last event of a turn, else `None`. */
  by?: Erasure | null;
};

/** A record that retention erased something: when, and after how many days. */
export type Erasure = {
  /** When the data was erased, in milliseconds since 1970. */
  at_ms: number;
  /** After how many days the rule erases data of this kind. */
  days: number;
};

/** A transition rule as it was judged. */
export type EvaluatedRule = {
  /** The name of the transition. */
  id: string;
  /** The guard in words. */
  description: string;
  /** The names of the fields that the rule reads. */
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

/** A stream event: the evaluation of a decision in the format of seed 000; needs `debug:read`. */
export type EvaluationSent = {
  type: "debug_transition_eval";
  /** The name of the conversation. */
  conversation: string;
  /** The evaluation of the decision. */
  data: TransitionEval;
};

/** An event of another system: its name, its data, and its position in the journal. */
export type EventData = [string, Record<string, unknown>, number];

/** An event of another system is kept until the frame that it is for is in charge, and no person takes part. */
export type EventHeld = {
  type: "event_held";
  /** The name of the event. */
  name: string;
  /** The data of the event, by field. */
  data?: Record<string, unknown>;
  /** The scope that is open above the frame; empty where a person takes part instead. */
  inside?: string;
};

/** A page of journal entries after a position. */
export type EventPage = {
  /** The entries of the page. */
  events: (EventRow)[];
  /** The position of the last entry of the journal. */
  last: number;
  /** The position after which the next page begins; `None` at the end. */
  next: number | null;
};

/** An event of another system was received over the API: its name, its data and its sender. */
export type EventReceived = {
  type: "event_received";
  /** The name of the event, as the flow declares it. */
  name: string;
  /** The data of the event, by field. */
  data?: Record<string, unknown>;
  /** The name of the client that sent the event; empty if not known. */
  by?: string;
};

/** An event from outside was refused and began no turn. The words of a message are not kept. */
export type EventRefused = {
  type: "event_refused";
  /** The kind of turn that the event would have begun. */
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  /** The code of why the event was refused. */
  code: "approver" | "arguments" | "busy" | "conversation_ended" | "event_too_long" | "events_waiting" | "flow_unavailable" | "key_reused" | "message_empty" | "message_too_long" | "no_person" | "not_awaited" | "not_due" | "not_going_on" | "not_json" | "other_flow" | "result_too_long" | "stale" | "store_unavailable" | "taken_over" | "unknown_button" | "unknown_call" | "unknown_conversation" | "unknown_event" | "unknown_field" | "unknown_schedule" | "unknown_time_zone" | "unknown_timer" | "unknown_tool" | "unknown_transition" | "unknown_turn" | "value_refused";
  /** The reason in words, as the sender of the event got it. */
  text: string;
  /** The button, timer, tool, transition or turn that the event named; empty if none. */
  name?: string;
  /** The operator who sent the event; empty if none did. */
  operator?: string;
};

/** The first kept event of a frame is judged now, since the frame is in charge and no person takes part. */
export type EventResumed = {
  type: "event_resumed";
  /** The name of the event that is judged. */
  name: string;
};

/** An entry of the journal as a row of a list. */
export type EventRow = {
  /** The position of the entry in the journal. */
  seq: number;
  /** The number of the entry's turn. */
  turn: number;
  /** When the entry was written, in milliseconds since 1970. */
  at_ms: number;
  /** The tag of the event, such as `field_set`. */
  kind: string;
  /** What happened, in one line. */
  line: string;
  /** The subject of the event, as questions to `why` name it: `field user.age`; empty for none. */
  subject: string;
  /** The event itself, with secrets redacted. */
  event: Started | UserSaid | UserChose | Commands | ToolUsed | TimerFired | ScheduleDue | EventReceived | Continued | CallsDecided | UndoAsked | TakenOver | OperatorSaid | GivenBack | Understood | UnderstandingFailed | ModelReplied | ModelFailed | ToolReturned | ToolFailed | WordsRecalled | StateRecalled | FieldSet | FieldCleared | ItemAdded | ItemChanged | ItemRemoved | ItemMoved | NothingSet | FieldShelved | FieldRevived | LanguageChanged | TimeZoneChanged | ScheduleFired | CommandApplied | CommandRefused | Missed | Decided | MovePlanned | MovePutOff | JudgingPlanned | Moved | QuestionsFixed | OptionsFixed | FormChanged | FormClosed | Said | CallAnswered | CallRefused | CallHeld | CallQueued | ApprovalUnclear | CallApproved | SequenceAdvanced | WorkDone | ScopeOpened | ScopeClosed | Offered | OfferClosed | EventHeld | EventResumed | PersonAwaited | NobodyCame | ArtefactMade | EffectAsked | Faulted | Warned | Undone | EndedEvent | FailedEvent | TurnEnded | WordsHidden | GiveBackRefused | OverlaysChanged | OverlayForced | CallSettled | BudgetReached | BudgetAnswered | TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased;
  /** True where retention erased the event. */
  is_erased: boolean;
  /** What happened, in one line with titles in place of ids, by the code of each language of the page. */
  lines: Record<string, string>;
};

/** The result of an external event that was sent to a conversation. */
export type EventTaken = {
  /** The number of the turn that the event began. */
  turn: number;
  /** The transition that was taken; empty where none held. */
  transition?: string;
  /** True where the event is judged later: when a scope is closed, or a person has given the conversation back. */
  waits?: boolean;
  /** True where an event with the same idempotency key was received before. */
  is_duplicate?: boolean;
};

/** An external event that a flow accepts, and the JSON Schema of its data. */
export type EventType = {
  /** The name of the event. */
  name: string;
  /** The JSON Schema of the event's data. */
  data: Record<string, unknown>;
};

/** The query parameters for a page of journal entries. */
export type EventsQuery = {
  /** The position of the last entry that the client has; 0 for none. */
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

/** A failure in an explanation: its kind, its reason, and what it is about. Secrets are hidden. */
export type Failure = {
  /** What failed: a write, a tool, a model, a guard; a limit that was reached, or a call that was refused. */
  kind: "guard" | "limit" | "model" | "refused" | "text" | "tool" | "write";
  /** The reason of the failure in words. */
  reason: string;
  /** The tool that failed; empty if none did. */
  tool?: string;
  /** The field (`record.field`), tool argument or limit that the failure is about; empty if none. */
  subject?: string;
  /** The value that was refused; `None` if the failure is not about a value. */
  value?: unknown;
  /** The bound that `value` exceeds; `None` if there is none. */
  bound?: unknown;
  /** The `file:line` in the user's own code or flow where the failure arose; empty if none. */
  at?: string;
  /** The transition whose guard or write failed; empty if none did. */
  transition?: string;
};

/** Something failed: a model, a guard, a write, a limit. Counts in `errors`. */
export type Faulted = {
  type: "faulted";
  /** What failed, and why. */
  fault: turnwise_core_state_turn_state_Fault;
};

/** The value of a field was removed; if the field had none, a blank value or null was written to it. */
export type FieldCleared = {
  type: "field_cleared";
  /** The address of the field. */
  field: string;
  /** How the value was removed: by the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** What editors of values need to know of a field of the flow. */
export type FieldInfo = {
  /** The address of the field, `record.field`. */
  name: string;
  /** The title of the field for people. */
  title: string;
  /** The type of the field: `text`, `number`, `list of text`. */
  type: string;
  /** The values that the field may have, if it is a choice; empty for any. */
  options: (string)[];
  /** True where values of the field are redacted. */
  is_secret: boolean;
  /** True where the value is computed from other fields and cannot be set. */
  is_derived: boolean;
  /** The least allowed value; `None` for no limit. */
  minimum: number | null;
  /** The greatest allowed value; `None` for no limit. */
  maximum: number | null;
};

/** An inactive answer became active again. */
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
  /** How the value was set, such as by the user, a button, a tool or the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Start and end (exclusive) of the value's words in the turn's message, in characters; `None` if not known. */
  words?: [number, number] | null;
  /** Where the value's words are: the journal position of the message, and start and end (exclusive) in it; `None` if not known. */
  place?: [number, number, number] | null;
  /** The number of the newest id, if the value is a list of records whose items got ids; else 0. */
  last_item?: number;
};

/** An answer became inactive: it is kept, but guards see no value and it is not submitted (law 5.7). */
export type FieldShelved = {
  type: "field_shelved";
  /** The address of the field. */
  field: string;
};

/** A value and its origin. A field without a value has no `FieldValue`. */
export type FieldValue = [unknown, "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood", number, number, number | null, [number, number, number] | null];

/** The conversations of the demonstration's guided tour, and what to look at in them. It says what to say first, where to see why, which value to try there, with which other turn to compare it, and which one waits for a person. */
export type FirstLook = {
  /** The first message to send. */
  say: string;
  /** The prepared conversation in which to see why. */
  conversation: string;
  /** The number of the turn in `conversation` that is explained. */
  turn: number;
  /** The field for which to try another value. */
  field: string;
  /** The value to try. */
  value: string;
  /** The number of the turn in `conversation` with which to compare `turn`. */
  against_turn: number;
  /** The id of the conversation that waits for a person. */
  waiting: string;
};

/** A stream event: the file of a flow changed on disk, and was reloaded, or its errors keep the old version. */
export type FlowChanged = {
  type: "flow";
  /** The name of the flow. */
  flow: string;
  /** The hash of the flow version that new conversations use now. */
  fingerprint: string;
  /** The problems of the flow's documents. */
  diagnostics: (DiagnosticView)[];
};

/** A flow with all that the graph and the flow page show. */
export type FlowPage = {
  /** The flow in short, as lists show it. */
  flow: FlowSummary;
  /** The whole flow as one drawing. */
  graph: GraphView;
  /** A description of each node by its address, also of those inside scopes. It has `name`, `title`, `scope` (that it stands in), `description`, `work`, and its transitions (`id`, `moment`, `target`, `because`, `guard`). */
  nodes: (Record<string, unknown>)[];
  /** The fields of the flow. */
  fields: (FieldInfo)[];
  /** The text of the flow's document as it is on disk now; `None` without a document or the right to see it. It is shown also where it has errors and conversations use an earlier version. A server that does not reload the flow shows it as it was when the server started. */
  source: string | null;
  /** When the document was last written, in milliseconds since 1970; `None` without one. */
  saved_ms: number | null;
  /** The problems of the flow's documents. */
  diagnostics: (DiagnosticView)[];
  /** How many conversations wait in each node, by its address. */
  parked: Record<string, number>;
  /** How often stored conversations used nodes and transitions; `None` where not asked for or not allowed. */
  coverage: Coverage | null;
  /** The drawing one level at a time: the outermost conversation, then each scope after the one around it. */
  levels: (GraphLevel)[];
  /** The reason of each transition that has one which no other transition has, by transition name. */
  reasons: Record<string, string>;
};

/** The documents of a flow, its own first; none where a program made the flow. */
export type FlowSource = {
  /** The documents, the flow's own one first. */
  files: (SourceFile)[];
  /** Whether the server reloads the flow when a document changes. */
  is_followed: boolean;
  /** Whether the server edits documents and the caller may edit them. */
  is_editable: boolean;
};

/** A summary of a flow that this server serves. */
export type FlowSummary = {
  /** The name of the flow. */
  name: string;
  /** The title of the flow for people. */
  title: string;
  /** What the flow is for, as its author wrote it. */
  description: string;
  /** The version number of the flow, from 1. */
  version: number;
  /** The hash that identifies the version of the flow. */
  fingerprint: string;
  /** How many nodes the flow has. */
  nodes: number;
  /** How many stored conversations use the flow. */
  conversations: number;
  /** True where the flow's conversations go on without messages. */
  is_autonomous: boolean;
  /** The path of the flow's document; empty where a program made the flow. */
  file: string;
  /** How many errors the file on disk has now; 0 where it is not watched. */
  errors: number;
  /** How many warnings the file on disk has. */
  warnings: number;
  /** A remark for the visitor of the demonstration about what to try; empty elsewhere. */
  tries: string;
  /** The first question of the flow's first form, in the demonstration; empty elsewhere. */
  asks: string;
  /** Prepared conversations: those that the page recommends, and those that it opens before their end. */
  openings: (Opening)[];
  /** Messages that a visitor of the demonstration may send, by node. */
  advice: (Advice)[];
  /** The guided tour of the demonstration; `None` without one. */
  look: FirstLook | null;
  /** Texts of the demonstration in other languages of the page: by the language's code, then by the English text. */
  texts: Record<string, Record<string, string>>;
};

/** An overlay that was forced on or off, by whom and when. */
export type ForcedOverlay = [string, boolean, string, number];

/** A stream event: a conversation was deleted. */
export type Forgotten = {
  type: "forgotten";
  /** The name of the conversation. */
  conversation: string;
};

/** A request to copy a conversation up to the end of a turn. */
export type ForkRequest = {
  /** The name of the copy; `None` to have the server make one. */
  name?: string | null;
  /** The number of the last turn that is copied; `None` for the last of all. */
  turn?: number | null;
  /** Whether the copy may use tools that change the world. */
  effects?: boolean;
};

/** This conversation is a copy: all earlier entries come from another one, up to the end of its turn `turn`. */
export type Forked = {
  type: "forked";
  /** The id of the conversation that was copied. */
  source: string;
  /** The number of the last turn that was copied. */
  turn: number;
  /** False if tools that change the world do not run in this copy (law 6.9). */
  effects?: boolean;
};

/** The progress of the current form changed to `run`. */
export type FormChanged = {
  type: "form_changed";
  /** The whole progress of the form after the change. */
  run: FormRun;
};

/** A form was left after it had been confirmed or handed over. */
export type FormClosed = {
  type: "form_closed";
  /** The node of the form. */
  node: string;
  /** Whether the form was confirmed, or handed over without a confirmation. */
  status: "confirmed" | "handed_off";
};

/** A question of a form with its answer, for the summary and for choosing an answer to edit. */
export type FormItem = {
  /** The address of the field, `record.field`. */
  field: string;
  /** The text of the question. */
  title: string;
  /** The answer as people read it; empty without one. */
  answer: string;
  /** The words of the user that the answer came from; empty where none are known. */
  words: string;
  /** The state of the question. `open`: asked now; `missing`: not answered yet; `inactive`: does not apply. */
  state: "answered" | "inactive" | "missing" | "open" | "skipped";
  /** Why the question does not apply; empty where it does. */
  reason: string;
  /** The items of the answer, if it is a list of records; else `None`. */
  items: ItemTexts | null;
  /** The label of the question, in a few words. */
  label: string;
  /** True where the form's progress counts the question: it applies, and is asked. */
  counts: boolean;
};

/** The form in charge at the end of a turn, with its questions and answers. */
export type FormLedger = {
  /** The node that the form belongs to. */
  node: string;
  /** The title of the form for people. */
  title: string;
  /** The status of the form: it collects answers, waits for the confirmation, or is closed. */
  status: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  /** How many of the `count` questions are answered. */
  answered: number;
  /** How many questions apply and are asked. */
  count: number;
  /** The code of the language of labels, answers and words; notes are in the language of the request. */
  language: string;
  /** The questions of the form, in order. */
  rows: (LedgerRow)[];
  /** The number of the turn in which the open question was first asked; `None` if none is open. */
  asked_since?: number | null;
  /** How often an answer to the open question was not understood. */
  tries?: number;
  /** What each answer to the open question would do; empty where that is not known. */
  outlooks?: (AnswerOutlook)[];
};

/** The progress of one run of a form. */
export type FormRun = {
  /** How far the form is, such as `collecting`. */
  status?: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  /** The address of the field whose question is open; empty if none is. */
  asked?: string;
  /** Whether a chooser of answers is open, one answer is changed, or all are walked through; empty for none. */
  editing?: "" | "chooser" | "one" | "walk";
  /** The fields still to come while all answers are walked through. */
  walk?: (string)[];
  /** How often the user's answer was not understood, by the field of the question. */
  misses?: Record<string, number>;
  /** The fields whose question was skipped. */
  skipped?: (string)[];
  /** True if the user pressed *Other*, so that the answer is expected as text. */
  awaits_other?: boolean;
  /** The field whose answer ended the form; empty if none did. */
  stopped_at?: string;
  held?: unknown;
  held_place?: [number, number, number] | null;
  /** Values known from elsewhere that the user is asked to confirm, by field. */
  suggested?: Record<string, unknown>;
  /** True if the form was handed over after it was confirmed, or complete in a form without confirmation. */
  was_confirmed?: boolean;
  /** True if the message that completed the form held more than answers, so that its summary is to be confirmed. */
  asks_to_go_on?: boolean;
  /** The address of the field that takes the answers, if the form's questions are data; else empty. */
  answers?: string;
  /** The list of records for which an item is asked, question by question; empty while none is. */
  filling?: string;
  /** The id of the item that is changed or completed; empty while a new item is asked for. */
  item?: string;
  /** The number of the newest item id when this item was begun: items with higher numbers came by a sentence. */
  newest?: number;
  /** The lists that the user has said to be complete. */
  complete?: (string)[];
  /** The list from which the user is asked to choose an item: to change it, or to say which item the commands in `waiting` mean; empty if none. */
  choosing?: string;
  /** Commands whose item is ambiguous: they wait until the user says which item is meant. */
  waiting?: (Add | Change | Remove | Move | Copy)[];
  /** The items that an ambiguous command may mean: id and number as shown to the user, in the order shown. */
  candidates?: ([string, number])[];
};

/** The form in charge as data: its progress, the open question, its questions and answers. */
export type FormView = {
  /** The status of the form: it collects answers, waits for the confirmation, or is closed. */
  status: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  /** How the user changes answers now: chooses one, answers `one` again, or all in order (`walk`); else empty. */
  editing: "" | "chooser" | "one" | "walk";
  /** The field whose question is open; empty if none is. */
  asked: string;
  /** How much of the form is answered, in per cent. */
  progress: number;
  /** The questions of the form, in order, with their answers. */
  items: (FormItem)[];
  /** The problem statement that the form has made of the answers so far; empty without one. */
  statement: string;
  /** True where the open question also takes an answer in free text (*Other*). */
  free_text: boolean;
};

/** A document in the canonical layout of its format. */
export type FormattedText = {
  /** The whole document. */
  text: string;
};

/** One level of the stack of open scopes: its node in charge, and the state of the visit to that node. */
export type Frame = {
  /** The name of the node in charge of this frame. */
  node: string;
  /** The journal position at which the frame was opened, which identifies it; 0 for the root. */
  id?: number;
  /** The number of this visit to the node, counted from 1; 0 if the first node could not be entered yet. */
  visit?: number;
  /** How many turns this visit to the node has lasted. */
  turns?: number;
  /** True if the node has done its work in this visit. */
  is_work_done?: boolean;
  /** The progress of the node's form; `None` if it has none, or it has not begun. */
  form?: FormRun | null;
  /** The journal position from which the node's model sees the transcript. */
  transcript_from?: number;
  /** The number of the turn in which the node was entered. */
  entered_turn?: number;
  /** How many positions of the node's tool sequence are done. */
  sequence?: number;
  /** The outcome that the last operator chose in this visit (`person.outcome`); empty before that. */
  person_outcome?: string;
  /** True if the user wrote, pressed a button, or a program did so for them, since the turn that entered the node. */
  has_message?: boolean;
  /** The author's reason for the move to the node, where the user may ask why (`State.explains`); else empty. */
  because?: string;
  /** True if an operator chose the move to the node, where the user may ask why. */
  is_by_person?: boolean;
  /** The question that the user is asked now; `None` if there is none. */
  question?: Question | null;
  /** The move that is planned for the next event of the user; `None` if none is. */
  pending?: Pending | null;
  /** The timers that are armed. */
  timers?: (Timer)[];
  /** The call that the user is asked to approve; `None` if there is none. */
  awaiting_approval?: ApprovalRequest | null;
  /** The calls that wait for approval beside `awaiting_approval`. */
  approvals?: (ApprovalRequest)[];
  /** The move that was decided after a call and waits for other calls of the reply; `None` if none does. */
  put_off?: PutOff | null;
  /** The ids of the model calls after whose replies' tool calls the moment `calls` is still to be judged. */
  to_judge?: (string)[];
  /** True if `tool` is judged when the operator gives back, since a result came while they were in charge. */
  waits_to_judge?: boolean;
  /** The failure (kind, message, tool) to judge at `error` when the operator gives back; `None` without one. */
  failed?: ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string] | null;
  /** The operator who is in charge, or for whom the frame waits; `None` if there is none. */
  person?: Person | null;
  /** How often each node of this frame was entered, by node. */
  visits?: Record<string, number>;
  /** The uses of tools in this frame. */
  tools?: ToolHistory;
  /** Hashes of the values that each `enter_when` read when it was judged last, by node. */
  judged?: Record<string, number>;
  /** Hashes of the values that `call` transitions read in this visit, by transition; if they change, it may hold again. */
  calls?: Record<string, number>;
  /** The journal positions of the last judging in this frame, by node and moment (`moment_key`). */
  decided?: Record<string, number>;
  /** The final status of the forms that were left, by node. */
  closed_forms?: Record<string, "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped">;
  /** The address of the field that was asked for or filled last; empty if none was. */
  last_field?: string;
  /** The text that the transition into the node passed to its model; empty if none. */
  note?: string;
  /** The open scope that this frame belongs to; `None` for the root. */
  scope?: OpenScope | null;
  /** True if the node has made its `offer` in this visit. */
  has_offered?: boolean;
  /** The events of other systems that wait until the frame is in charge and no person interrupts it. */
  held_events?: (EventData)[];
  /** The outcome of the scope that the node opened as its work; empty before it closed. */
  scope_outcome?: string;
  /** The scopes that wait to be opened, one after the other, when the scope opened before them closes. */
  wishes?: (string)[];
  /** The scopes among `wishes` that a program asked for, not a message of the user. */
  program_wishes?: (string)[];
  /** The input values of the scopes in `wishes`: by scope, then by address. */
  wish_inputs?: Record<string, Record<string, unknown>>;
};

/** One frame of a conversation: the conversation itself, or a scope that was opened in it. */
export type FrameInfo = {
  /** The journal position at which the frame was opened; 0 for the conversation itself. */
  id: number;
  /** The qualified name of the frame's scope; empty for the conversation itself, and where retention erased it. */
  scope: string;
  /** The title of the scope for people. */
  title: string;
  /** How many frames are around the frame; 0 for the conversation itself. */
  depth: number;
  /** The id of the frame around the frame; `None` for the conversation itself. */
  parent: number | null;
  /** Whether the frame is open or closed; `undone` where an undo reversed its opening. */
  status: "closed" | "open" | "undone";
  /** The node in charge in the frame; for a closed frame the node that was in charge last. */
  node: string;
  /** What opened the frame: entering its `node`, a `call` of a transition, a `tool` that the model called, the `user` or the `program`; empty for the outermost conversation. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user" | "";
  /** The transition that opened the frame, or led to the node that did; empty for none. */
  transition: string;
  /** The name of the tool that opened the frame; empty if none did. */
  tool: string;
  /** The id of the tool call that opened the frame; empty if none did. */
  call: string;
  /** The number of the turn in which the frame was opened. */
  opened_turn: number;
  /** When the frame was opened, in milliseconds since 1970; `None` where that is not stored. */
  opened_ms: number | null;
  /** The journal position at which the frame was closed; `None` while it is open. */
  closed_seq: number | null;
  /** The number of the turn in which the frame was closed; `None` while it is open. */
  closed_turn: number | null;
  /** When the frame was closed, in milliseconds since 1970; `None` while it is open. */
  closed_ms: number | null;
  /** The outcome with which the frame was closed; empty while it is open. */
  outcome: string;
  /** How many turns the conversation spent inside the frame. */
  turns: number;
  /** How many tokens model calls inside the frame used. */
  tokens: number;
  /** How many turns the frame may use; `None` for no limit. */
  max_turns: number | null;
  /** How many tokens the frame may use; `None` for no limit. */
  max_tokens: number | null;
  /** After how many milliseconds without a message the frame is closed; `None` for never. */
  idle_ms: number | null;
  /** The summary that remains of a closed frame in the transcript of the frame around it; empty for none. */
  summary: string;
  /** The names of the records of the frame around it that the frame reads. */
  inherits: (string)[];
  /** The name of the record that the frame fills; empty for none. */
  returns: string;
  /** The position of the message before the frame that the frame's models see; 0 without one. */
  message: number;
  /** How many messages of both sides the frame has, without those of frames inside it and undone ones. */
  messages: number;
  /** How many tokens the summary has saved in the requests to a model that the frame around it made after this one was closed; `None` for an open frame, or where retention erased what is counted. */
  tokens_saved: number | null;
  /** How many requests to a model `tokens_saved` is the sum over. */
  later_requests: number;
  /** True where a part of `tokens_saved` was counted as characters ÷ 4. */
  is_estimate: boolean;
  /** For how many milliseconds the words of the closed frame are kept; `None` for as long as the conversation. */
  keep_ms: number | null;
  /** True where words of the frame were erased, by retention or after the time of its `keep`. */
  is_erased: boolean;
};

/** A request by which the person in charge gives the conversation back to the machine. */
export type GiveBack = {
  /** The result of the person's work, which guards read as `person.outcome`. */
  outcome?: string;
  /** The agreed values by field; `null` removes a value. */
  set?: Record<string, unknown>;
  /** The name of the transition to take, whatever its guard says; `None` to let the flow decide. */
  transition?: string | null;
  /** The outcome with which the conversation is to end; `None` to continue it. */
  end?: string | null;
  /** Why the person gives the conversation back; it is recorded. Empty for no reason. */
  reason?: string;
  /** The name of the person, on a server without keys; `None` for the one in charge. */
  operator?: string | null;
};

/** What giving a conversation back would do now, without doing it. */
export type GiveBackPreview = {
  /** True if it is known what follows; false where a model or a tool decides, or where only admins may see it. */
  is_known: boolean;
  /** The code of the refusal; empty where giving back would be accepted. */
  refused: string;
  /** What the machine would reply, or the reason of the refusal. */
  text: string;
  /** What would be refused in the request. */
  faults: (Fault)[];
  /** The transitions that would be taken, in order, as far as they are known. */
  moves: (string)[];
  /** The node in charge after the turn. */
  node: string;
  /** The outcome with which the conversation would end; empty if it would go on. */
  outcome: string;
  /** The values that would change, by field. */
  values: Record<string, unknown>;
  /** The decisions that would be made, with all candidates, for callers with `debug:read`. */
  decisions: (Decision)[];
  /** The transitions that the person may take by name. */
  transitions: (TransitionChoice)[];
  /** The values of `person.outcome` that the node's transitions test. */
  outcomes: (string)[];
  /** Why it is not known what follows; empty where it is known. */
  why: string;
};

/** The operator tried to give the conversation back with values that fields refuse: nothing changed. */
export type GiveBackRefused = {
  type: "give_back_refused";
  /** The name of the operator in charge. */
  operator: string;
  /** The refused values by field; those of secret fields are redacted. */
  set: Record<string, unknown>;
  /** The refusal of each value, with its reason. */
  refused: (CommandRefused)[];
};

/** The operator in charge gave the conversation back to the machine. */
export type GivenBack = {
  type: "given_back";
  /** The outcome that the operator chose, which guards read as `person.outcome`; empty for none. */
  outcome?: string;
  /** The values that the operator set, by field; `None` removes a value. */
  set?: Record<string, unknown>;
  /** The name of the transition that the operator chose to take; empty if none. */
  transition?: string;
  /** The outcome with which the operator ended the conversation; empty if they did not end it. */
  end?: string;
  /** Why the operator took the transition or ended the conversation; empty if they did not say. */
  reason?: string;
  /** The name of the operator; if empty, the machine records the one in charge. */
  operator?: string;
  /** The operator's name as the user sees it; empty if it is `operator`. */
  display?: string;
};

/** A transition of a flow's drawing. */
export type GraphEdge = {
  /** The id of the transition in this drawing. */
  id: string;
  /** The id of the node that the transition leaves. */
  source: string;
  /** The id of the node that the transition leads to. */
  target: string;
  /** The name of the transition in the flow. */
  transition: string;
  /** What taking the transition does: go to a node, open a scope, stay, end; empty without the right to see it. */
  action: "block" | "call" | "end" | "offer" | "once" | "return" | "start" | "stay" | "to" | "";
  /** When the guard is judged; empty where nothing is judged. */
  moment: "after" | "before" | "calls" | "choice" | "error" | "event" | "timer" | "tool" | "";
  /** The address of the node that declares the transition; empty for one of the whole flow or scope. */
  node: string;
  /** The text of the guard, or the name of its Python function; empty for a transition without a guard. */
  test: string;
  /** The guard in words, in the language of `Accept-Language` if the page has it; empty for a Python function. */
  condition: string;
  /** Why the author wants the transition; empty if not given. */
  because: string;
  /** The priority of the transition; those with lower numbers are taken first. */
  priority: number;
  /** True where `test` is a Python function. */
  is_code: boolean;
  /** True where the rule only describes a Python function, which decides. */
  is_mirror: boolean;
  /** True where a timer takes the transition. */
  is_timer: boolean;
  /** A further remark about the transition: *the model calls*, *at the next message*; empty without one. */
  remark: string;
  /** The line of the transition in `file`, from 1; 0 where that is not known. */
  line: number;
  /** The path of the document that has the transition: the flow's own, or one that the flow imports. */
  file: string;
};

/** The inside of one scope, or of the outermost conversation, as a drawing in which each inner scope is one node. */
export type GraphLevel = {
  /** The address of the scope, empty for the outermost conversation. */
  scope: string;
  /** The title of the scope for people. */
  title: string;
  /** The address of the scope around this level; `None` for the outermost conversation. */
  parent: string | null;
  /** The drawing of this level. */
  graph: GraphView;
};

/** A node of a flow's drawing, or a mark (start, end). */
export type GraphNode = {
  /** The id of the node in this drawing. */
  id: string;
  /** The label of the node in the drawing. */
  name: string;
  /** The work of the node, or the mark that it is. */
  kind: "any" | "code" | "end" | "form" | "none" | "person" | "prompt" | "say" | "scope" | "start" | "stay" | "tool" | "unknown";
  /** A line about the node's work: what it says, or its instructions; empty without one. */
  about: string;
  /** The fields that the node asks for or collects. */
  fields: (string)[];
  /** Further remarks about the node, such as its limits. */
  remarks: (string)[];
  /** The id of the frame around the node; empty for the outermost. */
  parent: string;
  /** The line of the node in `file`, from 1; 0 where that is not known. */
  line: number;
  /** The path of the document that has the node: the flow's own, or one that the flow imports. */
  file: string;
  /** The address of the node in the flow, `survey/ask` inside a scope; empty for a start or an end. */
  address: string;
  /** The scope that the node opens, whose level shows what is inside; empty if it opens none. */
  opens: string;
  /** The title of the node for people; empty for a mark, and where the flow gives none. */
  title: string;
};

/** The drawing of a flow as data. */
export type GraphView = {
  /** The nodes of the drawing. */
  nodes: (GraphNode)[];
  /** The arrows of the drawing. */
  edges: (GraphEdge)[];
  /** The frames around nodes: id, label and id of the frame around it (empty for the outermost) of each. */
  clusters: ([string, string, string])[];
};

/** A combination of conditions in a guard (`all`, `any`, `not`, `if`), with its verdict. */
export type Group = {
  type: "group";
  /** How the conditions are combined. */
  op: "all" | "any" | "if" | "not";
  /** Whether the combination holds. */
  verdict: "error" | "held" | "not_held" | "unknown";
  /** The combined conditions. */
  parts: (Leaf | Group)[];
};

/** A Python guard in an explanation: its source, and what its call returned, read and raised. */
export type GuardCode = {
  /** The name of the function. */
  name: string;
  /** The source of the function, or why it is not available. */
  source: string;
  /** False if `source` is the reason why there is none. */
  has_source?: boolean;
  /** The file of the source; empty without one. */
  file?: string;
  /** The line of the file at which the source begins, from 1; 0 without one. */
  line?: number;
  /** What the guard returned; `None` if it was not called or raised. */
  returned?: unknown;
  /** The values that the guard read, by field. */
  reads?: Record<string, unknown>;
  /** The exception that the guard raised; empty if it raised none. */
  error?: string;
  /** Whether the guard was called; `forgotten` if it was, and retention erased the result. */
  call?: "called" | "forgotten" | "not_called";
  /** The `file:line` where the guard raised; empty if it did not. */
  at?: string;
};

/** A problem in a guard that was entered to be supposed. */
export type GuardProblem = {
  /** The name of the guard's transition. */
  transition: string;
  /** The code of the diagnostic, such as `TW041`. */
  code: string;
  /** What is wrong, in words. */
  message: string;
  /** The line in the guard, from 1. */
  line: number;
  /** The column in the line, from 1. */
  column: number;
  /** What may have been meant; empty where nothing is suggested. */
  hint: string;
};

/** Hand the conversation over to a person. */
export type HandOver = {
  type: "hand_over";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The answer that the process is alive. */
export type Health = {
  /** Always `ok`: a process that is not alive does not answer. */
  status: "ok";
};

/** Explain the open question, or a field. */
export type Help = {
  type: "help";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the field about which help is asked; empty for the open question. */
  field?: string;
};

/** What is known about a name, key or transition in a text, and what stored conversations did there. */
export type HoverView = {
  /** What the name, key or transition is. */
  title: string;
  /** What else is known about the name, key or transition, as lines. */
  lines: (string)[];
  /** What stored conversations did there, as lines. */
  counts: (string)[];
  /** The range of the name in the text. */
  range: TextRange;
};

/** The query parameters of an import. */
export type ImportQuery = {
  /** The whole id of the new conversation; `None` for the one in the file. Under another id it is a copy. Where callers have keys, an id begins with its owner: `ada:x`. */
  name?: string | null;
};

/** A text of a schedule that is added to the next reply's prompt, and when it is dropped. */
export type Instruction = [string, number];

/** An item was added at the end of a list of records. */
export type ItemAdded = {
  type: "item_added";
  /** The address of the list. */
  field: string;
  /** The id of the item in the list, such as `i3`. */
  id: string;
  /** The values of the item by name. */
  values: Record<string, unknown>;
  /** How the item was added, such as by the user, a button, a model or a tool. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Start and end (exclusive) of the item's words in the turn's message, in characters; `None` if not known. */
  words?: [number, number] | null;
  /** The id of the item that this one copies; empty if it is no copy. */
  copy_of?: string;
};

/** An item of a list of records as a row of texts. */
export type ItemCells = {
  /** The id of the item; empty as long as it is not stored. */
  id: string;
  /** The texts of the row, one for each column. */
  cells: (string)[];
};

/** One value of an item in a list of records was set or removed. */
export type ItemChanged = {
  type: "item_changed";
  /** The address of the list. */
  field: string;
  /** The id of the item, such as `i3`. */
  id: string;
  /** The name of the value in the item. */
  name: string;
  /** The new value; `None` if the value was removed. */
  value: unknown;
  /** How the value was set, such as by the user, a button, a model or a tool. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Start and end (exclusive) of the value's words in the turn's message, in characters; `None` if not known. */
  words?: [number, number] | null;
};

/** A field of the items of a list of records, for tables and editors. */
export type ItemField = {
  /** The name of the field in the items. */
  name: string;
  /** The title of the field for people. */
  title: string;
  /** The type of the field: `text`, `number`, `choice`. */
  type: string;
  /** The values that the field may have, if it is a choice; empty for any. */
  options?: (string)[];
};

/** An item was moved within its list. */
export type ItemMoved = {
  type: "item_moved";
  /** The address of the list. */
  field: string;
  /** The id of the item. */
  id: string;
  /** The new position of the item in the list, counted from 0. */
  to: number;
  /** How the item was moved: by the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** An item was removed from its list; the conversation never uses the item's id again. */
export type ItemRemoved = {
  type: "item_removed";
  /** The address of the list. */
  field: string;
  /** The id of the item. */
  id: string;
  /** How the item was removed: by the user, a tool, the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** The items of a list of records as a table of texts; only columns in which an item has a value. */
export type ItemTexts = {
  /** The titles of the columns. */
  columns: (string)[];
  /** The items as rows, in order. */
  rows: (ItemCells)[];
};

/** A difference from the previous judging of a transition: a value that was read, or the outcome. */
export type JudgingChange = {
  /** The field or root that changed, or `outcome`. */
  name: string;
  /** The value at the previous judging. */
  before: unknown;
  /** The value at this judging. */
  now: unknown;
};

/** Transitions are judged later: after all calls of a reply, or when the operator gives the conversation back. */
export type JudgingPlanned = {
  type: "judging_planned";
  /** The id of the model call whose reply holds the calls; empty if a person was in charge. */
  reply: string;
  /** The moment that is judged when the person gives the conversation back; used only without `reply`. */
  moment?: "error" | "tool";
};

/** An effect that an undo did not reverse; the user is asked before the same call runs again. */
export type KeptEffect = [string, string, number, number, string, boolean, number];

/** How long the words of a closed scope are kept before they are erased. */
export type KeptWords = [number, number, Erasure | null, number, string];

/** A field with a known value, as people read it. */
export type KnownValue = {
  /** The address of the field, `record.field`. */
  field: string;
  /** The label of the field for people. */
  label: string;
  /** The value as people read it. */
  value: string;
};

/** The language of the conversation changed, since a field that the flow's `language` reads did. */
export type LanguageChanged = {
  type: "language_changed";
  /** The code of the new language. */
  language: string;
};

/** A condition of a guard that is not a combination of others, with its verdict. */
export type Leaf = {
  type: "leaf";
  /** The condition as the author wrote it. */
  text: string;
  /** Whether the condition holds. */
  verdict: "error" | "held" | "not_held" | "unknown";
  /** The values that the condition read. */
  operands?: (Operand)[];
  /** Why the condition could not be computed, in words; empty if it could. */
  error?: string;
};

/** The answer to a request for the ledger of the form in charge. */
export type LedgerAnswer = {
  /** The ledger of the form in charge; `None` where no form is. */
  ledger?: FormLedger | null;
};

/** A question of a form with its answer and state. */
export type LedgerRow = {
  /** The address of the question's field, `record.field`. */
  field: string;
  /** The label of the question, in a few words. */
  label: string;
  /** The state of the question: `left` is still to be asked, `passed_over` does not apply. */
  state: "asked" | "given" | "left" | "passed_over" | "refused";
  /** The answer as people read it; empty without one. */
  answer?: string;
  /** The items of the answer, if it is a list of records; else `None`. */
  items?: ItemTexts | null;
  /** The words of the user that the answer came from; empty where none are known. */
  words?: string;
  /** How the answer was understood; empty without one. */
  how?: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood" | "";
  /** The number of the turn in which the question was answered; `None` without an answer. */
  turn?: number | null;
  /** The position of the message with the words; `None` where none are known. */
  seq?: number | null;
  /** The offset in the message of the first character of `words`; `None` where none are known. */
  start?: number | null;
  /** The offset in the message after the last character of `words`; `None` where none are known. */
  end?: number | null;
  /** A sentence in the language of the request about the question; empty for none. It says why the answer is refused, why the question is passed over, or what is to be known of it. */
  note?: string;
  /** True where the form's progress waits for the question. */
  counts?: boolean;
};

/** The query parameters that select conversations: by flow, node, status, and a text in name, node or messages. A word or number there begins with the text. */
export type ListQuery = {
  /** The name of the flow; empty for all. */
  flow?: string;
  /** Words to search for in name, node and messages; empty for all conversations. */
  text?: string;
  /** The node in charge; empty for all. */
  node?: string;
  /** The status of the conversations; `None` for every status. */
  status?: "ended" | "failed" | "person" | "waiting" | "working" | null;
  /** The cursor `next` of the page before; empty for the first page. */
  after?: string;
  /** How many conversations a page has at most. */
  limit?: number;
};

/** The caller's identity: the owner, the scopes, the limits, and what this server offers. */
export type Me = {
  /** The owner whose conversations the caller sees; empty for those of all owners. */
  owner: string;
  /** The scopes of the caller: what they may do. */
  scopes: ("admin" | "chat" | "debug:read" | "edit" | "events" | "metrics" | "operator")[];
  /** The limits of the caller. */
  limits: OwnerLimits;
  /** The version of turnwise. */
  version: string;
  /** True on loopback without keys: every caller may do everything. */
  is_local: boolean;
  /** True on a demonstration, whose clock can be moved. */
  has_demo_clock: boolean;
};

/** One message of the transcript, of the user, the machine or a person. */
export type Message = {
  /** The position of the message in the journal. */
  seq: number;
  /** The number of the message's turn. */
  turn: number;
  /** When the message was sent, in milliseconds since 1970. */
  at_ms: number;
  /** The kind of speaker: the user, a pressed button, a model, a fixed text, a person, a tool, or the system. For readers with `debug:read` also a tool with its result. `system` is the summary of a closed scope and, for them, what a command or an undo did. */
  by: "button" | "model" | "person" | "system" | "text" | "tool" | "user";
  /** The text of the message. */
  text: string;
  /** The name of the speaking node, tool, scope or operator; empty for the user. */
  speaker: string;
  /** The kind of a reply: the text of a node, a question, a confirmation; empty for messages of the user. */
  kind: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why" | "";
  /** The buttons that the message offers. */
  buttons: (Button)[];
  /** The values that were understood from the message. */
  understood: (UnderstoodValue)[];
  /** The form, where the message is its summary or its choice of answers; else `None`. */
  form: FormView | null;
  /** True where a later undo reversed the message's turn. */
  is_undone: boolean;
  /** True where retention erased the text of the message. */
  is_erased: boolean;
  /** What happened to the message, in words: not understood, refused, not interpreted; empty for a normal one. */
  note: string;
  /** The id of the frame to which the message belongs; 0 for the conversation itself. */
  frame: number;
  /** The id of the frame that the message closes, with its summary as text and its outcome as `note`; else `None`. */
  closes: number | null;
  /** The kind of sign that a system line has; empty for none. */
  sign: "clock" | "event" | "limit" | "offer" | "overlay" | "";
  /** The subject, in questions to `why`, of a system line with a sign: `timer idle`; empty for none. */
  subject: string;
  /** The text of a system line in each language of the page, by the language's code. */
  texts: Record<string, string>;
};

/** A stream event: a durable message of the transcript. */
export type MessageSent = {
  type: "message";
  /** The name of the conversation. */
  conversation: string;
  /** The message. */
  message: Message;
};

/** The conversation continues with another version of its flow, from `state`. */
export type Migrated = {
  type: "migrated";
  /** The hash that identifies the new version. */
  fingerprint: string;
  /** The state as the new version of the flow has it. */
  state: State;
};

/** The user's answer was not understood: nothing was stored, and the same question is asked again. */
export type Missed = {
  type: "missed";
  /** The address of the field that was asked for; empty if none. */
  field?: string;
};

/** A request to a model in this turn. */
export type ModelCallView = {
  /** The id of the model call. */
  effect: string;
  /** The node that called the model. */
  node: string;
  /** What the model was called for: the reply of a node, understanding a message, a summary. */
  purpose: string;
  /** The name of the model that answered; empty where the call failed. */
  model: string;
  /** The position of the call in the journal. */
  seq: number;
  /** How many tokens the request had; `None` where that is not known. */
  tokens_in: number | null;
  /** How many tokens the reply had; `None` where that is not known. */
  tokens_out: number | null;
  /** The cost in US dollars; `None` where the provider's prices are not known. */
  cost: number | null;
  /** How many milliseconds the model took; `None` where that is not known. */
  took_ms: number | null;
  /** Why the call failed, in words; empty where it did not. */
  error: string;
};

/** A model call failed, or its reply was cut off. */
export type ModelFailed = {
  type: "model_failed";
  /** The id of the effect whose result this is. */
  effect: string;
  /** Why the call failed, in words. */
  reason: string;
  /** The part of the reply that had arrived; empty if nothing had. */
  text?: string;
  /** How many characters were replaced, since UTF-8 cannot encode them. */
  replaced?: number;
  /** The `file:line` where the user's own code raised; empty if none did. */
  at?: string;
  /** The attempts that failed before the last one. */
  attempts?: (Attempt)[];
  /** The name of the model that was called; empty if it has no name. */
  model?: string;
  /** What was wrong with the reply; empty where no reply came. */
  code?: "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "";
  /** The tokens of the call, in a flow with budgets; else `None`. */
  count?: TokenCount | null;
};

/** A model replied, with a text, with tool calls, or with both. */
export type ModelReplied = {
  type: "model_replied";
  /** The id of the effect whose result this is. */
  effect: string;
  /** The text of the reply; empty where it has only tool calls. */
  text?: string;
  /** The calls of tools that the model asks for. */
  calls?: (Call)[];
  /** The model that replied, as the provider names it. */
  model?: string;
  /** A hash of the prompt that the model got. */
  prompt?: string;
  /** The number of tokens of the prompt. */
  tokens_in?: number;
  /** The number of tokens of the reply. */
  tokens_out?: number;
  /** The cost in US dollars; `None` where the provider's prices are not known. */
  cost?: number | null;
  /** How many characters were replaced, since UTF-8 cannot encode them. */
  replaced?: number;
  /** The attempts that failed before this reply. */
  attempts?: (Attempt)[];
  /** Provider data, such as signed thoughts, that must be sent back with the calls. */
  thoughts?: (Thought)[];
  /** The number of characters to which the request was cut, since a longer one was too long; 0 if it was not cut. */
  request_chars?: number;
  /** The tokens of the call, in a flow with budgets; else `None`. */
  count?: TokenCount | null;
};

/** Move an item of a list of records to a position, counted from 1; -1 is the last. */
export type Move = {
  type: "move";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is moved, by id, position or values. */
  item: string | number | Record<string, unknown>;
  /** The new position of the item, counted from 1; -1 is the last. */
  to: number;
};

/** A transition was decided, whose move is made at the next event of the user. */
export type MovePlanned = {
  type: "move_planned";
  /** The name of the transition. */
  transition: string;
  /** The node that will be entered. */
  target: string;
};

/** A move that was decided at `tool` waits until the other calls of that tool in the same reply are done. */
export type MovePutOff = {
  type: "move_put_off";
  /** The transition of the move; empty where the put-off move was tried and not made. */
  transition?: string;
  /** The node that will be entered. */
  target?: string;
  /** The id of the model call whose reply holds the calls. */
  reply?: string;
  /** The tool for whose other calls the move waits. */
  tool?: string;
};

/** A node was left and another entered. */
export type Moved = {
  type: "moved";
  /** The node that was left. */
  source: string;
  /** The node that was entered. */
  target: string;
  /** The name of the transition; empty for a move without one. */
  transition: string;
  /** The author's reason for the transition, where the user may ask why; else empty. */
  because?: string;
  /** The text that the transition passes to the model of the target node; empty if none. */
  note?: string;
};

/** A change of one field that a guard needs to hold: the field, a sufficient value, and the condition. */
export type Need = {
  /** The address of the field. */
  field: string;
  /** A value that would make the guard hold; `None` to remove the value. */
  value: unknown;
  /** The condition that the new value has to meet. */
  rule: string;
  /** The value that the field has now, also by default; `None` if it has none. */
  now: unknown;
  /** The condition with the values that it reads now: `user.age >= 38 (is 35)`. */
  text?: string;
};

/** The new text of a document, to be saved. */
export type NewContent = {
  /** The path of the document. */
  file: string;
  /** The text to write. */
  text: string;
  /** The SHA-256 of the content that the author has edited; if the file has another content, nothing is written. */
  sha256: string;
};

/** A request to begin a conversation. */
export type NewConversation = {
  /** The name of the flow. */
  flow: string;
  /** The name of the conversation; `None` to have the server make one. */
  name?: string | null;
  /** The time zone of the user, such as `Europe/Berlin`; `None` for that of the flow. */
  time_zone?: string | null;
};

/** The data of an event of another system; the flow declares its fields and their types. */
export type NewEvent = {
  /** The values of the event's fields, by field. */
  data?: Record<string, unknown>;
};

/** An event for a conversation: exactly one of the attributes, beside `position`. */
export type NewTurn = {
  /** A message of the user; `None` for another event. */
  text?: string | null;
  /** The value or label of a button that the user pressed; `None` for another event. */
  button?: string | null;
  /** The position of the turn that offered the button; with a text the last position that the sender has received. Where the user has sent something else since, the text is refused (`stale`). */
  position?: number | null;
  /** A request to undo turns; `None` for another event. */
  undo?: UndoRequest | null;
  /** Commands of a program, instead of words of a user; `None` for another event. */
  commands?: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[] | null;
  /** A tool that a program used itself; `None` for another event. */
  tool?: ToolReport | null;
  /** A timer to fire now; `None` for another event. */
  timer?: TimerToFire | null;
};

/** The schedule that fires next in a conversation. */
export type NextSchedule = {
  /** The name of the schedule. */
  name: string;
  /** When the schedule fires, in milliseconds since 1970. */
  at_ms: number;
};

/** No person came in time; the machine continues. */
export type NobodyCame = {
  type: "nobody_came";
  /** The queue in which the conversation waited. */
  queue: string;
};

/** A `set` or `set_on_leave` of the flow computed no value, so that the field was not set. */
export type NothingSet = {
  type: "nothing_set";
  /** The address of the field. */
  field: string;
  /** The names that the expression reads and that had no value. */
  missing: (string)[];
  /** True if the field had a value before, which is removed (`field_cleared` follows). */
  removed?: boolean;
};

/** An offer was taken, declined, or lapsed; unless it was taken, the user may still begin its scope. */
export type OfferClosed = {
  type: "offer_closed";
  /** The address of the scope. */
  scope: string;
  /** Whether the offer was taken, was declined or lapsed. */
  outcome: "declined" | "lapsed" | "taken";
  /** Why the offer lapsed; empty if it did not. */
  because?: "" | "closed" | "left" | "other_turn" | "question" | "refused" | "scope";
};

/** A scope that is proposed to the user. */
export type OfferView = {
  /** The address of the scope. */
  scope: string;
  /** The title of the scope for people. */
  title: string;
  /** The question that proposes the scope. */
  opener: string;
  /** What made the offer: `node`, or the name of a schedule. */
  by: string;
  /** True while the offer's question waits for an answer; false while the offer waits until it may be asked. */
  is_open: boolean;
  /** The subject by which questions to `why` name the offer. */
  subject: string;
};

/** A scope was proposed to the user; the question itself is sent later, as a `Said`. */
export type Offered = {
  type: "offered";
  /** The address of the scope. */
  scope: string;
  /** The question that proposes the scope. */
  opener: string;
  /** Who proposed the scope: `node` for the node in charge, or the name of a schedule. */
  by?: string;
  /** The input with which the scope would open, by field address. */
  given?: Record<string, unknown>;
  /** True if a model rephrases the opener. */
  is_worded?: boolean;
};

/** The open scope of a frame: its name, who opened it, and what was passed into it. */
export type OpenScope = {
  /** The qualified name of the scope. */
  name: string;
  /** Who opened the scope. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The number of the turn in which the scope was opened. */
  turn: number;
  /** The journal position of the user's message that was passed into the scope; 0 without one. */
  message?: number;
  /** The id of the model's call that opened the scope and waits for its summary; empty if none did. */
  call?: string;
  /** The tool that opened the scope; empty if none did. */
  tool?: string;
  /** How many turns of the user have been taken inside the scope. */
  turns?: number;
  /** How many tokens the model calls inside the scope have used. */
  tokens?: number;
};

/** The place at which the page opens a prepared conversation of the demonstration. */
export type Opening = {
  /** The name of the conversation. */
  conversation: string;
  /** The number of the turn at which the conversation is opened; 0 for its end. */
  turn: number;
  /** The position of the conversation's last entry; if it has moved on, it is not opened here. */
  seq: number;
  /** What the conversation shows, as a headline; empty where the start page does not recommend it. */
  shows?: string;
  /** A sentence about what to look at in the conversation. */
  about?: string;
};

/** A value that a condition read. */
export type Operand = {
  /** The name of what was read: a field (`user.age`) or a root (`turns`). */
  name: string;
  /** The value that was read; `None` if it was missing. */
  value: unknown;
  /** How the value was set, `default`, or `missing` if there is none; empty for a root. */
  how?: string;
  /** The number of the turn in which the value was set; 0 for a root. */
  turn?: number;
  /** The words of the value: position of the message, start and end in it; `None` if secret or not known. */
  place?: [number, number, number] | null;
};

/** A message that the person in charge sends to the user. */
export type OperatorMessage = {
  /** The message. */
  text: string;
  /** The person who writes, refused if another one is in charge; `None`: any. With keys it is the key's owner. */
  operator?: string | null;
};

/** The operator in charge sent a message to the user. */
export type OperatorSaid = {
  type: "operator_said";
  /** The message. */
  text: string;
  /** The name of the operator; if empty, the machine records the operator in charge. */
  operator?: string;
  /** The operator's name as the user sees it; empty if it is `operator`. */
  display?: string;
};

/** The options of a field as they were last read from its list. */
export type OptionList = {
  /** The options, in order. */
  items: (ShownOption)[];
  /** The address of the list. */
  source: string;
  /** The chosen options as shown when they were chosen, if the options were read again since; else empty. */
  chosen?: (ShownOption)[];
};

/** The options of a field were read from the list `source`, and stay fixed until they are read again. */
export type OptionsFixed = {
  type: "options_fixed";
  /** The address of the field that has the options. */
  field: string;
  /** The address of the list that holds the options. */
  source: string;
  /** The options that were read, in order. */
  options: (ShownOption)[];
  /** How many items of the list are no options, since they have no value or repeat one of an earlier item. */
  left_out?: number;
};

/** The origin of a field's value: how, when and by which words it was set. */
export type Origin = {
  /** How the value was set: typed, chosen, by a model, by a tool, by the flow. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** The number of the turn in which the value was set. */
  turn: number;
  /** When the value was set, in milliseconds since 1970. */
  at_ms: number;
  /** The confidence of the understanding, from 0 to 1; `None` where it has none. */
  confidence: number | null;
  /** The journal position of the message that has the value's words; `None` where none does. */
  seq: number | null;
  /** The offset in the message of the value's first character; `None` where no words are known. */
  start: number | null;
  /** The offset in the message after the value's last character; `None` where no words are known. */
  end: number | null;
};

/** Something that an answer would cause: a move, a call of a tool or a model, a handover, an end. */
export type OutlookStep = {
  /** The kind of step. */
  kind: "asks" | "ends" | "hands_over" | "moves" | "refused" | "runs" | "speaks";
  /** What the step leads to or does, in the language of the request. */
  title: string;
  /** Why, or with which values, the step would happen, in the language of the request; may be empty. */
  detail?: string;
  /** Who would have to approve the step; empty where no one is asked. */
  approver?: string;
};

/** An overlay was forced on or off, or follows its dates again. */
export type OverlayForced = {
  type: "overlay_forced";
  /** The name of the overlay. */
  name: string;
  /** True if the overlay is forced on, false if off, `None` if it follows its dates again. */
  on: boolean | null;
  /** The name of the person who forced the overlay; empty if not known. */
  by?: string;
  /** True if the overlay was forced for all conversations of the flow; this one adopts that before its next turn. */
  for_all?: boolean;
  /** When the overlay was forced for all conversations, in milliseconds since 1970; `None` if forced in this one only. */
  since_ms?: number | null;
};

/** The active and the forced overlays of a conversation. */
export type OverlayState = {
  /** The names of the overlays active in the current or last turn, the lowest priority number first. */
  active?: (string)[];
  /** The agent's name under the active overlays; empty if they set none. */
  persona_name?: string;
  /** The overlays that were forced in this conversation. */
  forced?: (ForcedOverlay)[];
  /** The overlays that were forced for all conversations of the flow when the last turn began. */
  forced_for_all?: (ForcedOverlay)[];
};

/** A request to force an overlay on or off; with `null` its dates decide. */
export type OverlaySwitch = {
  /** True forces the overlay on, false off; `null` lets its dates decide. */
  on: boolean | null;
};

/** The status of an overlay in a conversation. */
export type OverlayView = {
  /** The name of the overlay. */
  name: string;
  /** The title of the overlay for people. */
  title: string;
  /** The name that the agent has while the overlay is active; empty for no other name. */
  persona_name: string;
  /** Whether the overlay was active in the last turn. */
  is_active: boolean;
  /** Whether the overlay is active in a turn that begins now. */
  is_next: boolean;
  /** Whether the overlay is forced on or off; empty where its dates decide. */
  forced: "" | "off" | "on";
  /** True where the overlay is forced for all conversations of the flow. */
  is_forced_for_all: boolean;
  /** Who forced the overlay; empty if that is not known. */
  forced_by: string;
  /** When the overlay was forced, in milliseconds since 1970; `None` if it is not. */
  forced_ms: number | null;
  /** When the present period of the overlay began, else the next begins, in milliseconds since 1970; `None` without one. */
  begins_ms: number | null;
  /** When the period of `begins_ms` ends, in milliseconds since 1970; `None` if there is no such period or end. */
  ends_ms: number | null;
  /** The subject by which questions to `why` name the overlay. */
  subject: string;
};

/** The set of active overlays changed, from this turn on. */
export type OverlaysChanged = {
  type: "overlays_changed";
  /** The names of all overlays that are active now, the lowest priority number first. */
  active: (string)[];
  /** The agent's name under these overlays; empty if they set none. */
  persona_name?: string;
};

/** The limits that the server applies to this owner; 0 means no limit. */
export type OwnerLimits = {
  /** The largest body of a request, in bytes. */
  body_bytes: number;
  /** The longest message of a user, in characters. */
  message_chars: number;
  /** How many requests the owner may send per minute; 0 for no limit. */
  requests_per_minute: number;
  /** How many event streams the owner may have open at once; 0 for no limit. */
  open_streams: number;
  /** How many conversations the owner may have; 0 for no limit. */
  conversations: number;
};

/** A move that was decided and is made at the next event of the user (`reply: next`). */
export type Pending = [string, string, number, string];

/** The input of a schedule for one period. */
export type PeriodInputView = {
  /** The period as a day, week, month or year, such as `2026-W14`. */
  period: string;
  /** The values by field of the scope's input. */
  input: Record<string, unknown>;
  /** True where a program has set the input at run time, in place of any input of the flow. */
  is_set: boolean;
  /** Who set the input; empty where it is the flow's. */
  by: string;
  /** When a program set the input, in milliseconds since 1970; `None` where it is the flow's. */
  at_ms: number | null;
};

/** An operator who is in charge, or for whom the conversation waits in a queue (law 6.10). */
export type Person = {
  /** The queue in which the conversation waits. */
  queue: string;
  /** When the wait began, in milliseconds since 1970. */
  since_ms: number;
  /** What the operator is asked to do, in words; empty for no text. */
  about?: string;
  /** When the wait ends if no operator comes, in milliseconds since 1970; `None` if it has no end. */
  due_ms?: number | null;
  /** The name of the operator; empty until one takes over. */
  operator?: string;
  /** When the operator took over, in milliseconds since 1970; `None` before that. */
  taken_ms?: number | null;
  /** Why the operator took over; empty if no reason was given. */
  reason?: string;
  /** True if the node itself hands over to a person (its work), false if a person interrupts the node. */
  is_work?: boolean;
  /** The operator's name as the user sees it; empty if it is `operator`. */
  display?: string;
};

/** The conversation waits for a person in a queue. */
export type PersonAwaited = {
  type: "person_awaited";
  /** The name of the queue. */
  queue: string;
  /** What the person is asked to do, in words; empty if the flow does not say. */
  about?: string;
  /** When the wait ends at the latest, in milliseconds since 1970; `None` if it has no end. */
  due_ms?: number | null;
  /** True if the node itself hands over to a person (its work), false if a request for a person interrupts it. */
  is_work?: boolean;
};

/** The role of a person in a conversation (law 6.10): waited for, or in charge. */
export type PersonView = {
  /** The queue in which the conversation waits for a person. */
  queue: string;
  /** What the person is asked to do, as the author wrote it. */
  about: string;
  /** When the wait for a person began, in milliseconds since 1970. */
  since_ms: number;
  /** The name of the person in charge; empty while none is. With keys it is the owner of the key. */
  operator: string;
  /** When the person took over, in milliseconds since 1970; `None` while the conversation waits for one. */
  taken_ms: number | null;
  /** Why the person took over; empty if not given. */
  reason: string;
  /** The name of the person that the user sees; empty if it is `operator`. */
  display: string;
};

/** A stream event: nothing happened lately. The first event of a stream is one, with the first cursor as its id. */
export type Ping = {
  type: "ping";
  /** The time of the server, in milliseconds since 1970. */
  at_ms: number;
};

/** A place in the document that an author edits. */
export type PlaceInText = {
  /** The path of the edited document. */
  file: string;
  /** The text of the edited document in the editor. */
  text: string;
  /** The line, from 0. */
  line: number;
  /** The place in its line, in UTF-16 code units from 0. */
  character: number;
  /** Other documents with changes of the author that are not saved. */
  others?: (EditedDocument)[];
};

/** A problem document, which answers a failed request (RFC 9457). */
export type Problem = {
  /** The kind of problem as a URI. */
  type: string;
  /** The kind of problem in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What is wrong, for people. */
  detail: string;
  /** The code of what is wrong, for programs. */
  code: string;
  /** The name of the limit that was exceeded; `None` if it was none. */
  limit?: string | null;
  /** What to do about it; `None` where nothing is suggested. */
  hint?: string | null;
  /** The faults of the request; empty where it has none by itself. */
  errors?: (Fault)[];
  /** The turn that ran nevertheless, or the refused event; `None` for none. */
  turn?: TurnResult | null;
  /** The URL where the user can log in; `None` where there is none. */
  login_url?: string | null;
  /** The subjects that an unclear question may be about. */
  candidates?: (SubjectCandidate)[];
};

/** A part of a prompt, such as the persona, the instructions, or a message of the transcript. */
export type PromptPart = {
  /** The kind of the part. */
  part: "entry" | "instructions" | "missing" | "must_call" | "notes" | "persona" | "prompt" | "question" | "transcript" | "wording";
  /** The text of the part. */
  text: string;
  /** The speaker of a message of the transcript; empty for any other part. */
  role: "" | "agent" | "person" | "tool" | "user";
};

/** A prompt that was sent to a model, rebuilt from the journal. */
export type PromptView = {
  /** The id of the model call. */
  effect: string;
  /** The node that called the model. */
  node: string;
  /** What the model was called for: the reply of a node, understanding a message, a summary. */
  purpose: string;
  /** The parts of the prompt, in order. */
  parts: (PromptPart)[];
  /** The whole text of the prompt. */
  text: string;
  /** The text of the prompt before it in this conversation, to show the difference; `None` for the first one. */
  previous: string | null;
  /** The parts of the prompt before it in this conversation; `None` for the first one. */
  previous_parts: (PromptPart)[] | null;
  /** The recorded hash of the prompt; empty where the call failed. */
  hash: string;
  /** True if the hash of the rebuilt prompt is the recorded one. */
  is_proved: boolean;
  /** True where retention erased what the prompt was made of. */
  is_erased: boolean;
};

/** A scope that is proposed to the user: its opener, who proposes it, and its input. */
export type Proposal = {
  /** The qualified name of the scope. */
  scope: string;
  /** The question that proposes the scope. */
  opener: string;
  /** Who proposes the scope: `node`, or the name of a schedule. */
  by?: string;
  /** The id of the frame in which the scope is proposed; 0 for the root. */
  frame?: number;
  /** The node that was in charge when the scope was proposed. */
  node?: string;
  /** The number of the visit to that node. */
  visit?: number;
  /** The input with which the scope would open, by field address. */
  given?: Record<string, unknown>;
  /** `waiting` until it may be asked, then `open`; `passed` if declined or lapsed: the user may still begin it. */
  status?: "open" | "passed" | "waiting";
  /** How often the opener was asked. */
  asked?: number;
  /** True if a model rephrases the opener. */
  is_worded?: boolean;
  /** When the opener was asked last, in milliseconds since 1970; 0 if never. */
  asked_ms?: number;
};

/** A move that was decided at `tool` and waits for other calls of the same reply. */
export type PutOff = [string, string, string, string];

/** The open question, and the journal positions at which it was first and last asked. */
export type Question = ["budget" | "call" | "chooser" | "confirmation" | "field" | "offer", string, number, number];

/** The questions of a form over data, fixed until the form is entered again. */
export type QuestionList = {
  /** The questions, in order. */
  items: (DataQuestion)[];
  /** The field from which the questions were read. */
  source: string;
  /** The node of the form. */
  node: string;
};

/** The values and guards to suppose in the conversations of a flow. */
export type QuestionToAll = {
  /** The values to suppose, by field; `null` for no value. */
  values?: Record<string, unknown>;
  /** The guards to suppose, by the name of their transition. */
  rules?: Record<string, string>;
  /** The cursor `next` of the page before; empty for the first page. */
  after?: string;
};

/** The questions of a form were read from the field `source`, and stay fixed until the form is entered again. */
export type QuestionsFixed = {
  type: "questions_fixed";
  /** The address of the field that takes the answers. */
  field: string;
  /** The field from which the questions were read. */
  source: string;
  /** The node of the form. */
  node: string;
  /** The questions that were read, in order. */
  questions: (DataQuestion)[];
};

/** The source of the Python guards of a node; present only if none of its transitions has a rule. */
export type RawCode = {
  /** The source of the guard before the node's work; `None` if there is none. */
  pre: string | null;
  /** The source of the guard after the node's work; `None` if there is none. */
  post: string | null;
};

/** The answer that the server accepts new turns. */
export type Readiness = {
  /** Always `ready`: otherwise the answer is a problem with the status 503. */
  status: "ready";
  /** How many flow versions that conversations needed cannot run here. Their events are refused with `flow_unavailable`, and left to replicas that have their Python functions. */
  unavailable_versions: number;
};

/** An effect: read the state as it was at the end of an earlier turn; its result is `StateRecalled`. */
export type RecallState = {
  type: "recall_state";
  /** The id of the effect, which its result refers to. */
  id: string;
  /** The number of the turn at whose end the state is read. */
  turn: number;
};

/** An effect: read texts from messages of the journal; its result is `WordsRecalled`, in the same order. */
export type RecallWords = {
  type: "recall_words";
  /** The id of the effect, which its result refers to. */
  id: string;
  /** For each text, the position of the message in the journal, and start and end (exclusive) of the text in it. */
  places: ([number, number, number])[];
};

/** Every field of a conversation's records with its value, at the end of its last turn. Secrets are redacted. */
export type Records = {
  /** The name of the conversation. */
  conversation: string;
  /** The number of the last turn. */
  turn: number;
  /** The position of the last entry in the journal. */
  seq: number;
  /** The fields with their values. */
  values: (ValueView)[];
};

/** A request to change values of fields and items of lists of records. */
export type RecordsEdit = {
  /** The values to set, by field (`user.age`). */
  set?: Record<string, unknown>;
  /** The names of the fields to clear. */
  clear?: (string)[];
  /** Changes of items, in order: each names its item by `id`, by position (from 1), or by values that it has. */
  items?: (Add | Change | Remove | Move | Copy)[];
};

/** The turn of an edit of fields, and the records after it. */
export type RecordsEdited = {
  /** The turn. */
  turn: TurnResult;
  /** All records after the edit. */
  records: Records;
};

/** Remove an item from a list field: `item` is the item itself, or an `ItemRef` in a list of records. */
export type Remove = {
  type: "remove";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the list. */
  field: string;
  /** The item that is removed, or an `ItemRef` that names it. */
  item: unknown;
};

/** A repair of a problem, offered as a button: the part of the text that it replaces, and the new text. */
export type RepairView = {
  /** The label of the button. */
  title: string;
  /** The part of the text that is replaced. */
  range: TextRange;
  /** The text that replaces the part. */
  text: string;
};

/** Say the open question or the last reply again. */
export type Repeat = {
  type: "repeat";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A stream event: the client's position is beyond the journal's end, so it must load the conversation again. The conversation was deleted and begun again under its name, or a backup was restored. Drop what you have of it; everything follows from the first entry. */
export type Reset = {
  type: "reset";
  /** The name of the conversation. */
  conversation: string;
  /** The journal position up to which the client said that it has the events. */
  position: number;
  /** The last position of the journal. */
  last: number;
};

/** Begin the open form or scope again. */
export type Restart = {
  type: "restart";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The effect of a transition rule that holds. */
export type RuleResult = {
  /** What follows when the rule holds. */
  action: "block" | "stay" | "transition";
  /** The node that the rule leads to; `None` where it leads to none. */
  target?: string | null;
};

/** An effect: run a tool; its result is `ToolReturned` or `ToolFailed`. */
export type RunTool = {
  type: "run_tool";
  /** The id of the effect, which its result refers to. */
  id: string;
  /** The name of the tool. */
  tool: string;
  /** The arguments of the call, by name. */
  arguments?: Record<string, unknown>;
  /** The id of the model's call; empty if the node itself calls the tool. */
  call?: string;
  /** True where the tool may have run before under this id, as after a crash. */
  was_begun?: boolean;
};

/** The machine sent a text to the user, with its buttons and its question. */
export type Said = {
  type: "said";
  /** The text, as the user read it. */
  text: string;
  /** What kind of reply the text is, such as the text of a node, a question or a confirmation. */
  kind?: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why";
  /** The buttons below the text, in order. */
  buttons?: (Button)[];
  /** What kind of answer the text asks for; `None` if it is no question. */
  question?: "budget" | "call" | "chooser" | "confirmation" | "field" | "offer" | null;
  /** The address of the field that the text asks for; empty if none. */
  field?: string;
};

/** A document that was written, and whether the flow was loaded again with it. */
export type SavedDocument = {
  /** The document as it is on disk now, which may be newer than what was written. */
  file: SourceFile;
  /** The SHA-256 of the content that was written. */
  sha256: string;
  /** The hash of the flow version that new conversations use now. */
  fingerprint: string;
  /** True if the flow was loaded again; false if errors keep the version before. False where the documents have errors: new conversations still begin with the version before. */
  is_running: boolean;
  /** The problems of the documents as they are written. */
  problems?: (DiagnosticView)[];
};

/** The time of a schedule has come, or a person or program fires the schedule now. */
export type ScheduleDue = {
  type: "schedule_due";
  /** The name of the schedule. */
  schedule: string;
  /** The due time for which the schedule fires, in milliseconds since 1970; `None` if a person or program fires it now. */
  at_ms?: number | null;
  /** How many times of the schedule were handled before this one. */
  count?: number;
  /** The inputs that the program has set for periods around this time: by period, then by field. */
  inputs?: Record<string, Record<string, unknown>>;
  /** Who fires the schedule now; empty if its time came. */
  by?: string;
};

/** A schedule was handled: what it did at its time; unless it was put off, that time is done. */
export type ScheduleFired = {
  type: "schedule_fired";
  /** The name of the schedule. */
  schedule: string;
  /** The time of the schedule, in milliseconds since 1970. */
  due_ms: number;
  /** What the schedule did. */
  did: "called" | "instructed" | "nothing" | "offered" | "put_off";
  /** The code of why the schedule did nothing or waits; empty if it acted. */
  reason?: "" | "bad_input" | "held" | "missed" | "no_input" | "quiet" | "refused";
  /** The scope that the schedule opened or proposed; empty if none. */
  scope?: string;
  /** The period whose input was used; empty if none was. */
  period?: string;
  /** The input that was used, by field; `None` if there was none. */
  input?: Record<string, unknown> | null;
  /** True if the program had set the input, false if the flow did. */
  is_set?: boolean;
  /** How many earlier times, which were missed, were handled with this one. */
  missed?: number;
  /** True if the schedule fired so long after its time that it counts as late. */
  late?: boolean;
  /** Until when its text waits for a reply, or it is put off, in milliseconds since 1970; 0 if neither. */
  until_ms?: number;
  /** Why the schedule did nothing, or what it waits for, in words; empty if it acted. */
  text?: string;
  /** Who fired the schedule before its time; empty if no one did. */
  by?: string;
};

/** A request to set the input of a schedule for a period. */
export type ScheduleInput = {
  /** The values by field; `null` removes the input that was set at run time. */
  input: Record<string, unknown> | null;
};

/** A schedule of a flow with its inputs. */
export type ScheduleView = {
  /** The name of the schedule. */
  name: string;
  /** When the schedule is due, in words. */
  rhythm: string;
  /** What the schedule does when it is due, in words. */
  does: string;
  /** The scope that the schedule opens or proposes; empty without one. */
  scope: string;
  /** The names of the scope's input fields; empty for a schedule without a scope. */
  takes: (string)[];
  /** The known inputs of the schedule, in order of the periods. */
  inputs: (PeriodInputView)[];
};

/** The schedules of a conversation, with the time zone in which their times were computed. */
export type Schedules = {
  /** The time zone, such as `Europe/Berlin`. */
  zone: string;
  /** When the user wrote last, or the conversation began, in milliseconds since 1970. */
  said_ms: number;
  /** The next time of each schedule, and what was handled. */
  armed?: (ArmedSchedule)[];
  /** Texts of schedules for the next reply. */
  instructions?: (Instruction)[];
};

/** A scope was closed with an outcome; in the transcript its summary replaces what was said inside. */
export type ScopeClosed = {
  type: "scope_closed";
  /** The address of the scope. */
  scope: string;
  /** The name of the outcome. */
  outcome: string;
  /** The text that replaces the words inside in the transcript. */
  summary: string;
  /** Who had opened the scope. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The id of the model's call that opened the scope and gets the summary as its result; empty if none did. */
  call?: string;
  /** The tool that opened the scope; empty if none did. */
  tool?: string;
  /** True where a model wrote the summary. */
  is_by_model?: boolean;
  /** How long the words inside are kept; `None` if as long as the conversation. */
  keep?: KeptWords | null;
};

/** A scope was opened, and the conversation continues inside at its first node. */
export type ScopeOpened = {
  type: "scope_opened";
  /** The address of the scope. */
  scope: string;
  /** The first node inside the scope. */
  node: string;
  /** Who opened the scope: a transition, the model, the user, a schedule and so on. */
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  /** The transition that opened the scope; empty if none did. */
  transition?: string;
  /** The journal position of the user's message that is passed into the scope; 0 without one. */
  message?: number;
  /** The id of the model's call that opened the scope; empty if none did. */
  call?: string;
  /** The tool that opened the scope; empty if none did. */
  tool?: string;
  /** The text that is passed to the model inside; empty if none. */
  note?: string;
  /** When and by which rule the words inside were erased; `None` if they were not. */
  erased?: Erasure | null;
};

/** A decision between two messages of the chat, in one line. With the moment `person` it is no decision but an act of a person, who took over, or gave the conversation back. */
export type Seam = {
  /** The position of the decision in the journal. */
  seq: number;
  /** The number of the decision's turn. */
  turn: number;
  /** When the decision was made, in milliseconds since 1970. */
  at_ms: number;
  /** The node at which the decision was made. */
  node: string;
  /** The moment that was judged, such as `before` or `after`; `person` for an act of a person. */
  moment: string;
  /** What the decision did; `error` is a stay in which a candidate was in error. */
  outcome: "blocked" | "ended" | "error" | "moved" | "person" | "stayed";
  /** The outcome of the candidate that stands for the decision: of the one taken or blocked, else of the nearest one. */
  mark: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
  /** The decision in one line, made of the other attributes, with ids. */
  text: string;
  /** The node that was entered; empty if none was. */
  target: string;
  /** The transition that was taken; empty if none was. */
  transition: string;
  /** Why the author wants the taken transition; empty if none was taken. */
  because: string;
  /** The candidate that was nearest to holding, where none was taken; else empty. */
  nearest: string;
  /** The person who acted; empty for a decision of the machine. */
  operator: string;
  /** True where a later undo reversed the decision. */
  is_undone: boolean;
  /** The id of the frame in which the decision was made; 0 for the conversation itself. */
  frame: number;
  /** What the conversation does after its turn's last decision, if that chose nothing; `None` if nothing is open. */
  activity: ActivityView | null;
  /** The decision in words with titles, by the code of each language of the page. */
  words: Record<string, VerdictWords>;
};

/** A stream event: a decision that was made; needs `debug:read`. */
export type SeamSent = {
  type: "seam";
  /** The name of the conversation. */
  conversation: string;
  /** The decision as a line between messages. */
  seam: Seam;
};

/** The query parameter that confirms sending a delivery whose messages a turn has reported already. */
export type SendAgainQuery = {
  /** True to send the delivery although a turn has reported its messages to its caller. */
  confirm?: boolean;
};

/** The node's tool sequence advanced (law 4.1): `to` is how many of its positions are done. */
export type SequenceAdvanced = {
  type: "sequence_advanced";
  /** How many positions of the sequence are done. */
  to: number;
};

/** Set the value of a field; without `field` the machine finds the field that is corrected (law 7.3). */
export type Set = {
  type: "set";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The value as it was understood; the type of the field checks it later. */
  value: unknown;
  /** The address of the field; empty where the machine finds it. */
  field?: string;
  /** True if the user replaces a value and knows that it was set. */
  correction?: boolean;
};

/** One option as it was shown: the stored value, and the label if it differs. */
export type ShownOption = [string, string];

/** Skip the open question of a form. */
export type Skip = {
  type: "skip";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A copy of the state at this position, at which folding the journal may begin. It changes nothing. */
export type Snapshot = {
  type: "snapshot";
  /** The whole state of the conversation at this position. */
  state: State;
  /** How retention erased the turn before the snapshot; `None` if it did not. */
  by?: Erasure | null;
};

/** A document of a flow: as it is on disk now where the server reloads the flow, else as it was at the start. */
export type SourceFile = {
  /** The path of the document, as the problems of the flow name it. */
  file: string;
  /** The path of the document, relative to the folder of the flow's own document. */
  name: string;
  /** The format of the document. */
  format: "dygram" | "json" | "yaml";
  /** The whole text of the document; empty where it cannot be read. */
  text: string;
  /** When the document was last written, in milliseconds since 1970; 0 where it cannot be read. */
  saved_ms: number;
  /** The SHA-256 of the file's bytes, which saving compares; empty where it cannot be read. */
  sha256: string;
  /** False where the file on disk has changed since, so that its text is another one now. */
  is_current: boolean;
};

/** What a conversation has used: in all, in the last turn, and on the last day with any use. */
export type Spending = {
  /** What all turns together used. */
  total?: Used;
  /** The number of the last turn that used anything. */
  turn?: number;
  /** What the turn `turn` used. */
  of_turn?: Used;
  /** The date of the last day that used anything, such as `2026-11-01`; empty if none did. */
  day?: string;
  /** What the day `day` used. */
  of_day?: Used;
  /** The tokens of the last prompt, by the purpose of its call: from this the next one is estimated. */
  prompts?: Record<string, number>;
  /** The period (turn or date) in which a budget that switches to a cheaper model was reached, by budget. */
  reached?: Record<string, string>;
  /** The period (turn or date) for which the user allowed more, and how much, by the name of the budget. */
  granted?: Record<string, [string, number]>;
  /** The budget about which the user is asked; empty if none is. */
  asked?: string;
  /** How much more the user is asked to allow, in the budget's unit (see `Used`); 0 if they are not asked. */
  wanted?: number;
  /** What the last call used. */
  last?: Used;
};

/** What the calls of a conversation used in all, in the last turn and on the last day, and its budgets. */
export type SpendingReport = {
  /** What all turns of the conversation together used. */
  conversation: SpentAmount;
  /** What the last turn used. */
  turn: SpentAmount;
  /** What the last day with any use used. */
  day: SpentAmount;
  /** The currency of the budgets; empty if none limits money. */
  currency?: string;
  /** The budget about which the user is asked; empty if none is. */
  asked?: string;
  /** The use of each budget in its current period. */
  budgets?: (BudgetUse)[];
};

/** The usage and cost of model calls: in all turns together, and in each of the last turns that made some. */
export type SpendingView = {
  /** How many model calls were made. */
  calls: number;
  /** How many tokens the requests of all calls had. */
  tokens_in: number;
  /** How many tokens the replies of all calls had. */
  tokens_out: number;
  /** The cost in `currency`; `None` where no price is known. */
  money: number | null;
  /** The spending of each of the last turns that called a model. */
  turns: (TurnSpending)[];
  /** The code of the currency of `money`. */
  currency: string;
  /** The budgets of the flow in their present period. */
  budgets: (BudgetUse)[];
  /** The name of the budget about which the user is asked now; empty for none. */
  asked: string;
};

/** An amount of each measure: money in the currency of the budgets, tokens, and seconds. */
export type SpentAmount = {
  /** Money, in the currency of the budgets; 0 where no call cost any. */
  money?: number;
  /** How many tokens prompts and replies had. */
  tokens?: number;
  /** The time that models and tools took, in seconds. */
  time_s?: number;
};

/** Open a scope, with values for fields of its input as the user typed them. */
export type Start = {
  type: "start";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The name of the scope to open. */
  target: string;
  /** Values for the scope's input, by field. */
  input?: Record<string, unknown>;
};

/** A conversation began; always the first event of a journal. */
export type Started = {
  type: "started";
  /** The name of the flow. */
  flow: string;
  /** The version number of the flow. */
  version: number;
  /** The hash that identifies the version of the flow. */
  fingerprint: string;
  /** The name of the first node. */
  node: string;
  /** The name of the conversation's time zone. */
  time_zone?: string;
  /** The code of the conversation's language. */
  language?: string;
  /** True if the first node was entered at once; false if a write that belongs to entering was refused. */
  is_entered?: boolean;
  /** True where the user may ask why (`commands: [why]`). */
  explains?: boolean;
  /** The overlays that were forced for all conversations of the flow. */
  overlays?: (ForcedOverlay)[];
};

/** The state of a conversation at one moment: everything that the machine knows of it. */
export type State = {
  /** The number of the format in which states are stored. */
  format: number;
  /** The name of the conversation's flow. */
  flow: string;
  /** The version number of the flow. */
  version: number;
  /** The hash that identifies the version of the flow. */
  fingerprint: string;
  /** The position of the last entry of the journal, from 1. */
  seq: number;
  /** The number of the last turn, or of the one under way. */
  turn: number;
  /** When the last entry was written, in milliseconds since 1970. */
  at_ms: number;
  /** The name of the conversation's time zone, such as `Europe/Vienna`. */
  time_zone: string;
  /** The code of the conversation's language, such as `de`. */
  language: string;
  /** Whether the conversation waits, has ended, or its last turn failed. */
  status: turnwise_core_state_Waiting | turnwise_core_state_Ended | turnwise_core_state_Failed;
  /** The frame in charge, on top of the stack of open scopes. */
  frame: Frame;
  /** The frames below the frame in charge, the root first; only an undo and a migration change them. */
  outer?: (Frame)[];
  /** The number of the turn whose end an undo of the last turn restores. */
  came_from?: number;
  /** The fields that have a value, by the address of the field. */
  values?: Record<string, FieldValue>;
  /** Answers that are inactive, since their question no longer applies, by the address of the field. */
  shelved?: Record<string, FieldValue>;
  /** How many failures the conversation has had. */
  errors?: number;
  /** How many moves between nodes the current autonomous run has made. */
  run_moves?: number;
  /** True if the user may ask why (`commands: [why]`); the reasons for moves are then kept. */
  explains?: boolean;
  /** True in a fork that may not use tools which change the world (law 6.9). */
  is_bound?: boolean;
  /** The position of the newest event `Forked` in the journal; 0 in a conversation that is no copy. */
  forked?: number;
  /** The state of the turn in progress; `None` between turns. */
  doing?: TurnState | null;
  /** The position of the newest snapshot in the journal; 0 without one. */
  snapshot?: number;
  /** The calls whose result an undo removed and that no node has repeated; the last `KEPT_USES` of them. */
  taken_back?: (TakenBack)[];
  /** The effects of tools that an undo did not reverse and that were not repeated; the last `KEPT_USES` of them. */
  kept_effects?: (KeptEffect)[];
  /** The turns that undos took back, as pairs: models see no turn between the two numbers, both excluded. */
  undone?: ([number, number])[];
  /** The number of characters to which requests are cut, by node; nodes without a number have had no request that was too long. */
  request_chars?: Record<string, number>;
  /** The number of the first turn that resumed after a crash, until a caller receives a later turn; 0 if none. */
  cut_off?: number;
  /** The turns whose callers left before they got the result, until another caller receives a later turn. */
  missed?: (number)[];
  /** The latest turns that the machine started itself since the last turn that a caller asked for. */
  unprompted?: (number)[];
  /** The position of the first turn that a timer or an operator began since the user's last turn; 0 without one. */
  unseen_from?: number;
  /** What calls have used; `None` where the flow has no budgets. */
  spending?: Spending | null;
  /** The questions that forms have read from data, by field; `None` before the first such form. */
  question_lists?: Record<string, QuestionList> | null;
  /** The options that fields have read from lists, by field; `None` before the first ones. */
  option_lists?: Record<string, OptionList> | null;
  /** The scopes that are proposed to the user: at most one is open, others wait, or were passed over. */
  offers?: (Proposal)[];
  /** The overlays that are active or forced; `None` if none ever was. */
  overlays?: OverlayState | null;
  /** When schedules are due; `None` for a flow without them. */
  schedules?: Schedules | null;
  /** The number of the newest id of an item in a list of records; 0 if there is none. An undo does not reset it. */
  last_item?: number;
  /** The item that the last change of a list of records was about; `None` before the first one. */
  changed_item?: ChangedItem | null;
};

/** The runner read the state at the end of an earlier turn, for an undo (`RecallState`). */
export type StateRecalled = {
  type: "state_recalled";
  /** The id of the effect whose result this is. */
  effect: string;
  /** The number of the turn at whose end the state was. */
  turn: number;
  /** The state at the end of that turn; `None` if it can no longer be read. */
  state?: State | null;
  /** The names of the tools that were used since and whose effects an undo cannot reverse. */
  kept?: (string)[];
  /** The calls of those tools that nodes made themselves. */
  calls?: (TakenBack)[];
  /** The last text that was sent to the user in that turn; empty if none was. */
  said?: string;
  /** The ids of the calls of those tools that a model made; `None` in journals of version 0.1. */
  made?: (string)[] | null;
  /** All calls of those tools that changed the world. */
  effects?: (KeptEffect)[];
  /** The frame ids of the tools in `kept`, in the same order; empty if all belong to the frame in charge then. */
  frames?: (number)[];
};

/** The state of a conversation at the end of a turn. */
export type StateView = {
  /** The number of the turn. */
  turn: number;
  /** The position of the last entry of the turn in the journal. */
  seq: number;
  /** The node in charge. */
  node: string;
  /** The stored status as JSON data: its `kind`, and what the conversation waits for or how it ended. */
  status: Record<string, unknown>;
  /** The values of all fields of the records. */
  values: (ValueView)[];
  /** The armed timers, the next one first. */
  timers: (TimerView)[];
  /** The form of the node in charge; `None` where it has none. */
  form: FormView | null;
  /** The kind of the open question and its field, as `ask order.size`; empty if none is open. */
  question: string;
  /** The move that is planned for the next message, in words; empty if none is. */
  pending: string;
  /** The first tool call that waits for approval, as JSON data of `ApprovalRequest`; `None` if none does. */
  awaiting_approval: Record<string, unknown> | null;
  /** How often each node was entered, by its address. */
  visits: Record<string, number>;
  /** How often each tool was used, by its name. */
  tools: Record<string, number>;
  /** The last uses of tools, the newest last. */
  last_tools: (ToolUse)[];
  /** How many failures the conversation had. */
  errors: number;
  /** The nodes in charge of the frames, the outermost first. */
  stack: (string)[];
  /** The ids of the frames, the outermost first. */
  frames: (number)[];
  /** The person in charge, or the wait for one; `None` where there is neither. */
  person: PersonView | null;
  /** The name of the time zone of the conversation's dates and times. */
  time_zone: string;
  /** The code of the language of the conversation. */
  language: string;
  /** All tool calls that wait for approval, in order. */
  approvals: (WaitingCall)[];
};

/** The query parameters of an event stream: what a browser tab watches. */
export type StreamQuery = {
  /** The ids of the conversations to watch. */
  conversation?: (string)[];
  /** A position for each conversation, after which events are sent; empty to get everything. */
  after?: (number)[];
  /** Whether to send decisions and entries too, which needs `debug:read`. */
  debug?: boolean;
  /** Whether to send changes of the list of conversations, too. */
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

/** A subject that an unclear question may be about, with its title and why it is offered. */
export type SubjectCandidate = {
  /** The subject, to be sent as the question. */
  subject: string;
  /** The name of the subject in the flow or for the user. */
  title: string;
  /** Why the subject is offered. */
  because: string;
};

/** A stream event: a conversation of the list began or changed. */
export type SummarySent = {
  type: "summary";
  /** The conversation in short, as lists show it. */
  summary: ConversationSummary;
};

/** A request by which a person takes over a conversation. */
export type TakeOver = {
  /** The name of the person that the user sees. With keys the trace records the owner of the key. */
  operator: string;
  /** Why the person takes over, which is recorded; empty for no reason. */
  reason?: string;
  /** The person in charge (`person.operator`) who is replaced; `None` where no person is in charge. */
  instead_of?: string | null;
};

/** A call that a node made itself and whose result an undo removed. */
export type TakenBack = [string, string, string, string];

/** An operator took the conversation over: until it is given back, no message is interpreted, no model called. */
export type TakenOver = {
  type: "taken_over";
  /** The name of the operator. */
  operator: string;
  /** Why the operator took over; empty if they did not say. */
  reason?: string;
  /** The operator who was in charge before, if one takes over from another; else empty. */
  instead_of?: string;
  /** The operator's name as the user sees it; empty if it is `operator`. */
  display?: string;
};

/** A place in a text. */
export type TextPosition = {
  /** The line, from 0. */
  line: number;
  /** The place in its line, in UTF-16 code units from 0. */
  character: number;
};

/** A part of a text, from one place to another. */
export type TextRange = {
  /** The place of the first character of the part. */
  start: TextPosition;
  /** The place after the last character of the part. */
  end: TextPosition;
};

/** Provider data that must be sent back with the calls of a reply: a signed thought, or a mark of a call or text. */
export type Thought = {
  /** The model that wrote the thought, and the only one to which it is sent. */
  model: string;
  /** Whether this is a thought, or a mark of a call or of the text. */
  kind?: "call" | "text" | "thought";
  /** How many calls of the reply come before the thought; for a mark of a call, that call included. */
  calls?: number;
  /** The words of the thought; empty for a mark. */
  text?: string;
  /** The signature by which the provider recognizes its own thought. */
  signature?: string;
  /** The id that the provider gave the thought; empty if none. */
  id?: string;
  /** The name of the provider that sent the thought. */
  provider?: string;
  /** Other data that the provider needs back unchanged, by key. */
  details?: Record<string, unknown>;
};

/** What a conversation does by the clock, and what it spent. */
export type TimeView = {
  /** The name of the conversation. */
  conversation: string;
  /** The time of the server, in milliseconds since 1970. */
  now_ms: number;
  /** The name of the time zone of the conversation's dates. */
  time_zone: string;
  /** The timers and schedules that fire by themselves, the next one first. */
  due: (DueView)[];
  /** The scopes that are proposed to the user. */
  offers: (OfferView)[];
  /** The overlays of the flow, each with its status. */
  overlays: (OverlayView)[];
  /** What model calls of the conversation used, and what its budgets leave. */
  spending: SpendingView;
};

/** The time zone of the conversation changed, since a field that the flow's `time_zone` reads did. */
export type TimeZoneChanged = {
  type: "time_zone_changed";
  /** The name of the new time zone, such as `Europe/Berlin`. */
  time_zone: string;
};

/** The whole path of a conversation, compact: arrays instead of objects for turns and marks. */
export type Timeline = {
  /** The name of the conversation. */
  conversation: string;
  /** The names of the nodes, one for each lane, in the order of the flow; those in a scope follow its node. */
  lanes: (string)[];
  /** The turns, in order. */
  turns: (TimelineTurn)[];
  /** The decisions, in order. */
  marks: (TimelineMark)[];
  /** The journal positions of the last entry of each commit. */
  commits: (number)[];
  /** The moves as (position, lane before, lane after), also where a scope was opened or closed; lanes from 0. */
  moves: ([number, number, number])[];
  /** The position of the last entry of the journal. */
  last_seq: number;
  /** True where earlier turns are no longer stored. */
  is_cut: boolean;
  /** The distinct lists of transitions that were judged, each in the order of judging. */
  candidates: ((string)[])[];
  /** The number of scopes around each lane's node, in the order of `lanes`. */
  depths: (number)[];
  /** The events around the conversation: of timers and schedules, of offers, and of other systems. */
  signs: (TimelineSign)[];
  /** The overlays, in the order in which they became active. */
  overlays: (TimelineOverlay)[];
  /** The titles of the nodes for people, by lane name. */
  titles: Record<string, string>;
};

/** A decision on the timeline of a conversation. */
export type TimelineMark = [number, number, number, number, "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown", number, string, boolean, string, string, number, string, number, number, boolean];

/** A period on the timeline in which an overlay was active. */
export type TimelineOverlay = [string, string, number, number | null];

/** An event around the conversation on its timeline: a fired timer, an offer, an external event. */
export type TimelineSign = [number, number, number, "clock" | "event" | "limit" | "offer" | "overlay", string];

/** A turn on the timeline of a conversation. */
export type TimelineTurn = [number, number, number, number, number, "" | "chose" | "commands" | "continued" | "event" | "person" | "said" | "schedule" | "started" | "timer" | "tool" | "undo", boolean, number, number];

/** An armed timer: its transition, the visit to the node, when it fires, and how often it has fired in this wait. */
export type Timer = [string, string, number, number, number];

/** A timer fired: the transition that it belongs to, the visit for which it was armed, and its time. */
export type TimerFired = {
  type: "timer_fired";
  /** The name of the transition that the timer belongs to. */
  timer: string;
  /** The number of the visit to the node for which the timer was armed; `None` if the caller did not say. */
  visit?: number | null;
  /** The time for which the timer was armed, in milliseconds since 1970; `None` if the caller did not say. */
  due_ms?: number | null;
};

/** A timer that is to fire now, named by its transition. */
export type TimerToFire = {
  /** The name of the transition that the timer takes. */
  transition: string;
  /** The visit of the node that the timer belongs to, from 1; `None` for the timer that is armed. */
  visit?: number | null;
};

/** A timer that is armed: its transition, its node and when it is due. */
export type TimerView = {
  /** The name of the transition that the timer takes. */
  transition: string;
  /** The node in which the timer was armed. */
  node: string;
  /** When the timer is due, in milliseconds since 1970. */
  due_ms: number;
  /** Why the author wants the transition, in words; empty if not given. */
  because: string;
  /** The node that the transition leads to. */
  target: string;
};

/** The tokens of all attempts of a model call, in a flow with budgets. */
export type TokenCount = {
  /** The number of tokens of the prompts of all attempts. */
  tokens_in?: number;
  /** The number of tokens of the replies of all attempts. */
  tokens_out?: number;
  /** How many of `tokens_in` the provider had cached. */
  tokens_cached?: number;
  /** The number of tokens of the last attempt's prompt. */
  last_in?: number;
  /** True if the provider counted no tokens, so that they are estimated: four characters are one token. */
  is_estimated?: boolean;
};

/** A tool call failed, or its outcome is not known (`in_doubt`). */
export type ToolFailed = {
  type: "tool_failed";
  /** The id of the effect whose result this is. */
  effect: string;
  /** The name of the tool. */
  tool: string;
  /** Why the call failed, in words. */
  reason: string;
  /** How long the call took until it failed, in milliseconds. */
  ms?: number;
  /** The id of the model's call; empty if the node itself called the tool. */
  call?: string;
  /** True if the tool may have done its work although the call failed (law 4.5). */
  in_doubt?: boolean;
  /** True if the tool has no implementation here, so that the call does not count as a use of it (law 4.3). */
  not_run?: boolean;
  /** The `file:line` where the user's own code raised; empty if none did. */
  at?: string;
  /** The attempts that failed before the last one. */
  attempts?: (Attempt)[];
};

/** How often each tool was used, and the last uses in order, the newest last. */
export type ToolHistory = {
  /** How often each tool was used, by the name of the tool. */
  counts?: Record<string, number>;
  /** The last uses of tools, the newest last. */
  last?: (ToolUse)[];
};

/** The report of a program that it has used a tool itself. */
export type ToolReport = {
  /** The name of the tool. */
  name: string;
  /** The values of the tool's arguments, by name. */
  arguments?: Record<string, unknown>;
  /** The result of the tool, as JSON data; `null` if it returned none. */
  result?: unknown;
};

/** A tool returned a result. */
export type ToolReturned = {
  type: "tool_returned";
  /** The id of the effect whose result this is. */
  effect: string;
  /** The name of the tool. */
  tool: string;
  /** The result of the tool, as JSON data; `None` if it returned nothing. */
  result?: unknown;
  /** How long the tool ran, in milliseconds. */
  ms?: number;
  /** The id of the model's call; empty if the node itself called the tool. */
  call?: string;
  /** How many characters were replaced, since UTF-8 cannot encode them. */
  replaced?: number;
  /** The attempts that failed before this result. */
  attempts?: (Attempt)[];
};

/** One use of a tool: which tool, in which turn and at which node. */
export type ToolUse = [string, number, string];

/** The host program's own code used a tool. */
export type ToolUsed = {
  type: "tool_used";
  /** The name of the tool. */
  tool: string;
  /** The arguments of the call, by name. */
  arguments?: Record<string, unknown>;
  /** What the tool returned, as JSON data; `None` if it returned nothing. */
  result?: unknown;
};

/** A tool of the flow at a node, and whether the model is offered it. */
export type ToolView = {
  /** The name of the tool. */
  name: string;
  /** What the tool does, as its author wrote it. */
  about: string;
  /** Whether the model may call the tool now. */
  is_offered: boolean;
  /** Why the tool is not offered, in words; empty where it is. */
  reason: string;
  /** What decides whether the tool is offered: the key of the flow, or the tool that must come first; empty for none. */
  policy: string;
  /** True where the tool has side effects. */
  is_effect: boolean;
  /** How often the conversation has used the tool. */
  used: number;
  /** The JSON Schema of the tool's arguments, as data. */
  parameters: Record<string, unknown>;
  /** The code of why the tool is offered or not: `offered`, `denied`, `not_allowed`, `out_of_sequence` and others. */
  code: string;
};

/** The messages and decisions that the chat shows of a conversation. */
export type Transcript = {
  /** The conversation in short, as lists show it. */
  conversation: ConversationSummary;
  /** The messages, the oldest first. */
  messages: (Message)[];
  /** The decisions as lines between messages, in order; empty without `debug:read`. */
  seams: (Seam)[];
  /** True where earlier messages are no longer stored. */
  is_cut: boolean;
  /** When retention erased the last erased message, and its rule: `on 2026-11-01, which keeps events for 30 days`; else empty. */
  erasure: string;
  /** The buttons by which the user may begin an inner conversation now. */
  starts: (Button)[];
};

/** The query parameters that select messages of a transcript. */
export type TranscriptQuery = {
  /** The position after which messages are wanted; those of the whole turn at that position are sent. 0 for all. */
  after?: number;
  /** The frame whose lines are wanted, by its id or the name of its scope (its last run); `None` for all. */
  frame?: string | null;
};

/** A transition that the person may take: its name, its moment, and where it leads. */
export type TransitionChoice = {
  /** The name of the transition in the flow. */
  name: string;
  /** When the guard of the transition would be judged. */
  moment: "after" | "before" | "calls" | "choice" | "error" | "event" | "timer" | "tool";
  /** The node that the transition leads to. */
  target: string;
  /** Why the author wants the transition; empty if not given. */
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
  /** The decision that the payload is about. */
  decision: Decision;
};

/** A turn ended: what the conversation waits for now, and the timers that are armed. */
export type TurnEnded = {
  type: "turn_ended";
  /** What the conversation waits for; empty if it has ended or failed. */
  waits_for?: "" | "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user";
  /** The timers that are armed now. */
  timers?: (Timer)[];
  /** The schedules with their next times; `None` if nothing about them changed. */
  schedules?: Schedules | null;
};

/** A turn that was cut off resumes at the effect that it waits for; text shown but not stored is withdrawn. */
export type TurnRestarted = {
  type: "turn_restarted";
};

/** The result of a turn, or the refusal of an event. */
export type TurnResult = {
  /** The name of the conversation. */
  conversation: string;
  /** The number of the turn, from 1; 0 for a refused event. */
  number: number;
  /** The reply, or the reason of the refusal. */
  text: string;
  /** The buttons of the last reply. */
  buttons: (Button)[];
  /** Whether the conversation waits for the user, has ended or failed; empty for a refusal. */
  status: "" | "ended" | "failed" | "waiting";
  /** The node in charge after the turn. */
  node: string;
  /** The outcome with which the conversation ended; empty if it has not ended. */
  outcome: string;
  /** The journal position to send with a button, so that a stale button is recognised; `None` without buttons. */
  position: number | null;
  /** The position of the last entry of the turn in the journal. */
  seq: number;
  /** The code of the refusal; empty where the event was accepted. */
  refused: string;
  /** True where an event with the same idempotency key was received before: this is its first result. */
  is_duplicate: boolean;
  /** The messages of the turn, the user's among them. */
  messages: (Message)[];
  /** The form of the last reply that shows one; `None` where none does. */
  form: FormView | null;
  /** The artefacts that forms made for the host (problem statement, plan, handover), as JSON data of `Artefact`. */
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

/** A stream event: a turn has ended. */
export type TurnSent = {
  type: "turn";
  /** The name of the conversation. */
  conversation: string;
  /** The result of the turn. */
  turn: TurnResult;
};

/** What the model calls of one turn used and cost. */
export type TurnSpending = {
  /** The number of the turn. */
  turn: number;
  /** When the first model call of the turn ended, in milliseconds since 1970. */
  at_ms: number;
  /** How many model calls the turn made. */
  calls: number;
  /** How many tokens the requests of the turn had. */
  tokens_in: number;
  /** How many tokens the replies of the turn had. */
  tokens_out: number;
  /** The cost in US dollars by the provider's prices; `None` where these are not known. */
  money: number | null;
  /** The cost in the flow's currency by its own prices; `None` in a flow without budgets. */
  priced: number | null;
};

/** The part of the state that lasts for one turn: what began it, and what has happened in it. */
export type TurnState = {
  /** What kind of event began the turn, such as a message (`said`). */
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  /** When the turn began, in milliseconds since 1970. */
  at_ms: number;
  /** The journal position of the event that began the turn. */
  seq: number;
  /** The node in charge when the turn began. */
  start_node?: string;
  /** The number of the turn after whose end this turn began. */
  base?: number;
  /** The text of the user's message that began the turn; `None` if none did. */
  message?: string | null;
  /** The value of the button that began the turn; `None` if none did. */
  button?: string | null;
  /** True if the message was answered or applied, so that later nodes of the turn do not process it. */
  is_used_up?: boolean;
  /** How many moves between nodes were made in the turn. */
  moves?: number;
  /** The nodes that were entered in the turn, in order. */
  entered?: (string)[];
  /** The nodes for which the turn's message was interpreted. */
  understood_for?: (string)[];
  /** True if the machine has sent a text to the user in the turn. */
  has_spoken?: boolean;
  /** The status of a form that was confirmed or handed over in the turn; empty if none was. */
  closed?: "" | "confirmed" | "handed_off";
  heard?: (CommandOutcome)[];
  /** The failure for which `error` transitions are judged now; `None` if there is none. */
  fault?: turnwise_core_state_turn_state_Fault | null;
  /** How many effects were requested in the turn; the next effect's id is numbered by this. */
  effects?: number;
  /** How many calls of models were made in the turn. */
  model_calls?: number;
  /** How many calls of tools were made in the turn. */
  tool_calls?: number;
  /** The calls of a model's reply that were not made yet, in order. */
  calls?: (Call)[];
  /** How many calls failed or were refused in the turn, by tool. */
  failures?: Record<string, number>;
  /** How often a model was asked to choose a transition, since the node was entered in the turn. */
  asked_to_choose?: number;
  /** True if the timers of the node are armed anew although the user did nothing. */
  rearms?: boolean;
  /** The effect for whose result the turn waits; `None` if it waits for none. */
  awaited?: Understand | CallModel | RunTool | RecallWords | RecallState | null;
  /** The value of `State.cut_off` before this turn. */
  cut_off?: number;
  /** The operator who made the last decision of the turn; empty if the machine did. */
  operator?: string;
  /** True if the message asks to stop or for a person while no form is open. */
  wants_out?: boolean;
  /** True if the last decision of the turn judged `error` transitions. */
  has_caught?: boolean;
  /** The value of `State.missed` before this turn. */
  missed?: (number)[];
  /** The node for which a model was called last in the turn; empty if none was. */
  prompted?: string;
  /** How many scopes were opened in the turn. */
  opened?: number;
  /** The scopes that were closed in the turn; they do not open again in it. */
  closed_scopes?: (string)[];
  /** The outcome of the scope that was closed last in the turn; empty if none was. */
  scope_outcome?: string;
  /** True if the user declined an offer in the turn. */
  has_declined?: boolean;
  /** The event of another system that the turn judges; `None` if there is none. */
  event?: EventData | null;
};

/** Everything that the debug panel shows of one turn. */
export type TurnTrace = {
  /** The name of the conversation. */
  conversation: string;
  /** The number of the turn. */
  turn: number;
  /** What began the turn, in words. */
  about: string;
  /** The version number of the flow that the turn used. */
  version: number;
  /** The hash that identifies that version of the flow. */
  fingerprint: string;
  /** True where new conversations begin with another version. */
  is_other_version: boolean;
  /** The position of the turn's first entry in the journal. */
  first_seq: number;
  /** The position of the turn's last entry in the journal. */
  last_seq: number;
  /** When the turn began, in milliseconds since 1970. */
  at_ms: number;
  /** How many milliseconds the turn took. */
  took_ms: number;
  /** The decisions of the turn, in order. */
  decisions: (DecisionView)[];
  /** The state at the end of the turn. */
  state: StateView;
  /** The prompts that models were sent in the turn. */
  prompts: (PromptView)[];
  /** Every tool of the flow, and whether the model was offered it. */
  tools: (ToolView)[];
  /** The tool calls of the turn. */
  calls: (CallView)[];
  /** The model calls of the turn. */
  model_calls: (ModelCallView)[];
  /** All entries of the turn. */
  events: (EventRow)[];
  /** The positions of the last entry of each commit of the turn. */
  commits: (number)[];
  /** The names of the overlays that were active in the turn. */
  overlays: (string)[];
  /** Why the turn has no decision: which moment would judge; empty where it has some. */
  nothing_judged: string;
  /** True where retention erased the turn: only its positions and times are left. */
  is_erased: boolean;
  /** What the conversation did at the end of the turn; `None` where nothing was open then. */
  activity: ActivityView | null;
};

/** A warning about a turn for operators, only by its code. What happened is in the trace, which needs `debug:read`: the words may name guards, providers and operators. */
export type TurnWarning = {
  /** The code of the problem. */
  code: "calls_not_run" | "characters_replaced" | "guard_error" | "late" | "offer_not_made" | "options_left_out" | "reply_failed" | "reply_replaced" | "request_shortened" | "result_not_stored" | "scope_not_opened" | "silent_turn" | "stale_button" | "summary_failed" | "text_gap" | "transition_cascade_limit" | "understanding_failed" | "unknown_language" | "unknown_time_zone" | "wording_failed";
};

/** An effect: interpret the turn's message as commands; its result is `Understood` or `UnderstandingFailed`. */
export type Understand = {
  type: "understand";
  /** The id of the effect, which its result refers to. */
  id: string;
  /** The field whose secret value only the offline rules may read from the message (law 5.2); empty if none. */
  field?: string;
  /** True if only the offline rules read the message, since no budget allows a call of a model. */
  by_rules?: boolean;
  /** The model that a budget puts in place of the usual one; empty for the usual one. */
  model?: string;
};

/** Understanding failed; the turn continues without commands. */
export type UnderstandingFailed = {
  type: "understanding_failed";
  /** The id of the effect whose result this is. */
  effect: string;
  /** Why understanding failed, in words. */
  reason: string;
  /** The `file:line` where user code raised; empty if none did. */
  at?: string;
  /** The attempts that failed before the last one. */
  attempts?: (Attempt)[];
  /** The tokens of the model call, in a flow with budgets; else `None`. */
  count?: TokenCount | null;
};

/** A message was interpreted as commands. */
export type Understood = {
  type: "understood";
  /** The id of the effect whose result this is. */
  effect: string;
  /** The commands that were proposed. */
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
  /** Who understood the message: the offline rules, a model, or a function of the host. */
  by: "function" | "model" | "rules";
  /** Other statements of the understanding, by name: recorded, never applied. */
  claims: Record<string, unknown>;
  /** The name of the model that understood the message; empty without one. */
  model: string;
  /** A hash of the prompt that the model got; empty without a model. */
  prompt: string;
  /** The number of tokens of the model's prompt. */
  tokens_in: number;
  /** The number of tokens of the model's reply. */
  tokens_out: number;
  /** The cost in US dollars; `None` where the provider's prices are not known. */
  cost: number | null;
  /** How many characters were replaced, since UTF-8 cannot encode them. */
  replaced: number;
  /** The attempts that failed before this result. */
  attempts: (Attempt)[];
  /** The number of characters to which the request was cut, since a longer one was too long; 0 if it was not cut. */
  request_chars: number;
  /** Words that state a value for which the rules proposed no command, with the reason. */
  dropped: (Dropped)[];
  /** True if a budget prevented that a model read the message. */
  is_over_budget: boolean;
  /** The tokens of the model call, in a flow with budgets; else `None`. */
  count: TokenCount | null;
};

/** An item of a list of records at the moment when something was understood about it. */
export type UnderstoodItem = {
  /** The position of the item in its list, from 1. */
  number: number;
  /** The item with all its values as users read it; empty if one of them is secret. */
  text: string;
};

/** A field value that was understood from a message. */
export type UnderstoodValue = {
  /** The address of the field, `record.field`. */
  field: string;
  /** The understood value, as JSON data. */
  value: unknown;
  /** How the value was understood: typed, chosen, by a model. */
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  /** The offset in the message of the value's first character; `None` where no words are known. */
  start?: number | null;
  /** The offset in the message after the value's last character; `None` where no words are known. */
  end?: number | null;
  /** What the value did to its field. */
  did?: "added" | "changed" | "moved" | "removed" | "set";
  /** The item of a list as it was then; `None` for the value of a field. */
  item?: UnderstoodItem | null;
  /** The title of the question, where the questions of a form are data of the conversation; else empty. */
  title?: string;
};

/** Undo the last turn. */
export type Undo = {
  type: "undo";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The host asks to undo the last turn, or all turns after `to`. */
export type UndoAsked = {
  type: "undo_asked";
  /** The number of the last turn that stays; `None` to undo only the last turn. */
  to?: number | null;
};

/** A request to undo the last turn, or several. */
export type UndoRequest = {
  /** The number of the turn after which all turns are undone; `None` to undo only the last one. */
  to?: number | null;
};

/** An undo restored the state at the end of an earlier turn; effects that ran since are not reversed. */
export type Undone = {
  type: "undone";
  /** The number of the turn whose final state was restored. */
  to: number;
  /** The state that was restored. */
  state: State;
  /** The names of the tools whose effects were not reversed. */
  kept?: (string)[];
  /** The open scopes whose opening was undone and whose words are kept for a limited time only. */
  closed?: (KeptWords)[];
};

/** An amount of each measure: money in billionths of the currency, tokens, and time in milliseconds. */
export type Used = [number, number, number];

/** The user pressed a button. */
export type UserChose = {
  type: "user_chose";
  /** The value or the label of the button that was pressed. */
  value: string;
  /** The journal position of the text that offered the button; `None` if the client did not say. */
  position?: number | null;
  /** True if the choice may answer a question that no caller received, as in `UserSaid`. */
  is_new?: boolean;
};

/** The user sent a message. */
export type UserSaid = {
  type: "user_said";
  /** The message. */
  text: string;
  /** True if the message may answer a question that no caller received. It came with the position that its client has shown, or, unless a timer asked that question, with a key of its own. */
  is_new?: boolean;
};

/** A field with its value at the end of a turn. The value of a list of records is its items, each with its `id` and its values by name. */
export type ValueView = {
  /** The address of the field, `record.field`. */
  field: string;
  /** The title of the field for people. */
  title: string;
  /** The type of the field: `text`, `number`, `list of text`. */
  type: string;
  /** The value as JSON data; the default where the field has none, and `null` without a default. */
  value: unknown;
  /** The value as people read it. */
  text: string;
  /** True where the field has a value of its own, not the default, which is active. */
  is_known: boolean;
  /** True where the value is redacted. */
  is_secret: boolean;
  /** True where `value` is the default of the flow. */
  is_default: boolean;
  /** False where the field's question does not apply any more, so that its answer does not count. */
  is_active: boolean;
  /** Where the value came from; `None` where that is unknown or secret. */
  origin: Origin | null;
  /** Why the value is missing or inactive; empty where it is neither. */
  reason: string;
  /** The value before the turn, if the turn changed it; else `None`. */
  before: unknown;
  /** True where the turn changed the value. */
  is_changed: boolean;
  /** The fields of the items, if the value is a list of records. */
  item_fields: (ItemField)[];
  /** How many items a list of records may have; `None` for no limit. */
  most: number | null;
};

/** A decision in words: what happened, and why, without a full stop. */
export type VerdictWords = {
  /** What happened: `Moved to Profiler`, `Stayed: needs Age ≥ 38 (is 35)`. */
  headline: string;
  /** Why it was decided so: `Terms accepted`, `With that it would go to Expert: old enough`; may be empty. */
  reason?: string;
};

/** The user needs time: the machine waits, and asks nothing. */
export type Wait = {
  type: "wait";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** An argument of a tool call that waits for approval; a secret value is redacted. */
export type WaitingArgument = {
  /** The name of the argument in the flow. */
  name: string;
  /** The title of the argument for people. */
  title: string;
  /** The type of the argument in the flow: `text`, `number`, `choice`. */
  type: string;
  /** The value of the argument as JSON data; `None` without one. */
  value: unknown;
  /** The value as people read it; empty without one. */
  text: string;
  /** The values that the argument may have, if it is a choice; empty for any. */
  options: (string)[];
  /** True where the value is redacted. */
  is_secret: boolean;
  /** True where the call may be made without the argument. */
  is_optional: boolean;
  /** The items of the value, if it is a list of records; `None` for any other value. */
  items: ItemTexts | null;
};

/** A tool call that waits for approval. */
export type WaitingCall = {
  /** The id of the call, by which decisions name it. */
  id: string;
  /** The name of the called tool. */
  tool: string;
  /** What the tool does, as its author wrote it. */
  about: string;
  /** The arguments of the call. */
  arguments: (WaitingArgument)[];
  /** Who may decide about the call: the user, or only an operator. */
  approver: "operator" | "user";
  /** When the call began to wait, in milliseconds since 1970. */
  since_ms: number;
  /** When the call is declined if no one decides, in milliseconds since 1970; `None` for never. */
  due_ms: number | null;
  /** True for the call that the open question of the conversation is about. */
  is_asked: boolean;
  /** The names of the tools of the calls that wait behind this one. */
  then: (string)[];
  /** The question for approval that the author wrote, in parts; empty without one. */
  question: (WaitingQuestionPart)[];
  /** A sentence that says when the same effect was done before an undo; empty where it was not. */
  done_before: string;
};

/** A part of the question about a tool call that waits for approval. */
export type WaitingQuestionPart = {
  /** The words of the part. */
  text: string;
  /** The names of the arguments that the text is made of. */
  arguments?: (string)[];
  /** True where the text is the value of one argument: a client that changes the argument can change the question. */
  is_value?: boolean;
};

/** A problem that operators should see; the turn continues. */
export type Warned = {
  type: "warned";
  /** The code of the problem. */
  code: "calls_not_run" | "characters_replaced" | "guard_error" | "late" | "offer_not_made" | "options_left_out" | "reply_failed" | "reply_replaced" | "request_shortened" | "result_not_stored" | "scope_not_opened" | "silent_turn" | "stale_button" | "summary_failed" | "text_gap" | "transition_cascade_limit" | "understanding_failed" | "unknown_language" | "unknown_time_zone" | "wording_failed";
  /** What the problem is, in words. */
  message: string;
  /** The addresses of the fields that the problem is about. */
  fields?: (string)[];
};

/** The values and guards to suppose in a conversation. */
export type WhatIfBody = {
  /** The number of the turn to judge again; `None` for every turn. */
  turn?: number | null;
  /** The values to suppose, by field; `null` for no value. */
  values?: Record<string, unknown>;
  /** The guards to suppose, by the name of their transition. */
  rules?: Record<string, string>;
};

/** A decision that was judged again: as recorded, and as it would have been. */
export type WhatIfDecision = {
  /** The position of the decision in the journal. */
  seq: number;
  /** The number of the decision's turn. */
  turn: number;
  /** The address of the node whose transitions were judged. */
  node: string;
  /** The decision as it was recorded. */
  was: Decision;
  /** The decision as it would have been. */
  would: Decision;
  /** Whether another transition would have been taken. */
  differs: boolean;
  /** The names of the transitions whose guard was replaced; their `because` still describes the old guard. */
  replaced: (string)[];
};

/** The result of judging the decisions of some of a flow's conversations again. */
export type WhatIfPage = {
  /** How many conversations were judged for this page. */
  conversations: number;
  /** How many conversations the flow has. */
  total: number;
  /** How many decisions were judged again. */
  judged: number;
  /** How many of the judged decisions would differ. */
  differs: number;
  /** The conversations with decisions that would differ. */
  changed: (ChangedConversation)[];
  /** How many conversations cannot be judged again, as their flow version lacks what is supposed. */
  skipped: number;
  /** Faults in the values or guards; then nothing was judged. */
  problems: (GuardProblem)[];
  /** The cursor of the next page; `None` at the end. */
  next: string | null;
};

/** The result of judging decisions of a conversation again. */
export type WhatIfResult = {
  /** How many decisions were judged again. */
  judged: number;
  /** How many of the judged decisions would differ. */
  differs: number;
  /** The decisions that would differ, or all where one turn was asked for. */
  decisions: (WhatIfDecision)[];
  /** Faults in the values or guards of the question; then nothing was judged. */
  problems: (GuardProblem)[];
  /** How many decisions cannot be judged again. */
  skipped: number;
  /** The shell command that asks the same; empty where there is none. */
  command: string;
};

/** Explain to the user why: the open question, the last move, or what a field is needed for. */
export type Why = {
  type: "why";
  /** Start and end (exclusive) of the command's words, in characters of the message; `None` if not known. */
  words?: [number, number] | null;
  /** How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say. */
  confidence?: number | null;
  /** Why the machine refuses the command although it was understood; empty if it does not. */
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  /** The address of the field that the user asks about; empty if about none. */
  field?: string;
  /** The whole question of the user in words; empty without one. */
  text?: string;
  /** The answer that the runner found in the journal to `text`; empty if there is none. */
  answer?: string;
};

/** The query parameters of a question to `why`. */
export type WhyQuery = {
  /** A name, the number of a turn, `end`, or a question in plain words; empty for the turn itself. */
  subject?: string;
  /** The number of the turn that the question is about; `None` for the last one. */
  turn?: number | null;
  /** Another conversation with which this one is compared; `None` for none. */
  against?: string | null;
  /** A turn of the other conversation, or of this one, with which the turn is compared; `None` for none. */
  against_turn?: number | null;
  /** A node to which ways are searched, from the end of the turn; `None` for none. */
  to?: string | null;
  /** Whether the second fact says in how many conversations of the flow the same is true. */
  usual?: boolean;
  /** Whether the answer uses titles for people instead of the names in the flow, also for conditions and values. */
  titles?: boolean;
};

/** Words of the user that hold a secret are hidden from models, whether or not the value was applied. */
export type WordsHidden = {
  type: "words_hidden";
  /** The position of the message in the journal, and start and end (exclusive) of the words in it. */
  place: [number, number, number];
};

/** The runner read texts from messages of the journal, for `RecallWords`. */
export type WordsRecalled = {
  type: "words_recalled";
  /** The id of the effect whose result this is. */
  effect: string;
  /** The texts, in the order of the request; `None` for a text that retention erased. */
  words: (string | null)[];
};

/** The node in charge has done its work. */
export type WorkDone = {
  type: "work_done";
  /** The name of the node. */
  node: string;
};

/** The conversation has ended. */
export type turnwise_core_state_Ended = {
  type: "ended";
  /** The name of the outcome with which the conversation ended. */
  outcome: string;
};

/** The last turn failed; the next message tries again from the same node. */
export type turnwise_core_state_Failed = {
  type: "failed";
  /** The code of why the turn failed. */
  reason: "guard" | "limit" | "model" | "refused" | "stuck" | "text" | "tool" | "write";
  /** Why the turn failed, in words. */
  message?: string;
};

/** The conversation waits for a message, a button, or the result of an effect. */
export type turnwise_core_state_Waiting = {
  type: "waiting";
  /** What the conversation waits for, such as a message or the result of an effect. */
  what: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user";
  /** When the wait began, in milliseconds since 1970. */
  since_ms: number;
};

/** The conversation ended with an outcome. */
export type EndedEvent = {
  type: "ended";
  /** The name of the outcome. */
  outcome: string;
};

/** The turn failed; the next message can continue the conversation. */
export type FailedEvent = {
  type: "failed";
  /** The code of why the turn failed. */
  reason: "guard" | "limit" | "model" | "refused" | "stuck" | "text" | "tool" | "write";
  /** Why the turn failed, in words. */
  message?: string;
};

/** A failure, which `error.*` in guards reads while an `error` transition is judged. */
export type turnwise_core_state_turn_state_Fault = ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string, string, unknown, unknown, string, string];

/** The query parameter that selects a turn. */
export type turnwise_server_routes_questions_TurnQuery = {
  /** The number of the turn; `None` for the last one. */
  turn?: number | null;
};

/** The query parameter of a turn's event stream. */
export type turnwise_server_routes_turns_TurnQuery = {
  /** Whether the stream also has entries and evaluations, which needs the scope `debug:read`. */
  debug?: boolean;
};

/** A conversation that waits for a person, or has one in charge, as the queue shows it. */
export type Waiting = {
  /** The conversation in short, as lists show it. */
  conversation: ConversationSummary;
  /** The person in charge, or the wait for a person. */
  person: PersonView;
  /** Why the conversation waits, as a sentence: the words of the rule, or that the user asked for a person. */
  why: string;
  /** When the wait ends if no person comes, in milliseconds since 1970; `None` for never. */
  due_ms: number | null;
  /** The values that the person sees in the queue. */
  known: (KnownValue)[];
};

/** A fault in a request: where it is, what is wrong, and what to do. */
export type Fault = {
  /** The place of the fault: a JSON pointer into the body, `?name` for a query parameter, or a header's name. In a file of lines the first part of the pointer is the line, from 0. */
  at: string;
  /** What is wrong, in words. */
  message: string;
  /** What to do about it; empty where nothing is suggested. */
  hint: string;
};
