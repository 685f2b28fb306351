// Generated from the server's OpenAPI document by scripts/types.mjs. Do not edit.

/** What a conversation does, as a headline: `Asks for “purpose”: 3 of 5 answered`. */
export type ActivityView = {
  kind: "asks_about_budget" | "asks_another_item" | "asks_field" | "asks_item" | "asks_which_answer" | "asks_which_item" | "confirms" | "ended" | "failed" | "form_stopped" | "offers" | "waits_for_approval" | "waits_for_approvals" | "waits_for_message" | "waits_for_person" | "with_person" | "works";
  text: string;
  inside: string;
  texts?: Record<string, string>;
};

/** Put an item into a list field. An item of a list of records is its values by name; some may be missing. */
export type Add = {
  type: "add";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field: string;
  item: unknown;
};

/** What a visitor of the demonstration may say in a node, while its form asks for a field, or asks nothing, and while the field `missing` was not given. */
export type Advice = {
  node: string;
  field: string;
  missing: string;
  lines: (string)[];
};

/** Yes, to what the machine asked. */
export type Affirm = {
  type: "affirm";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The answer about a subject at the end of a turn. */
export type Answer = {
  conversation: string;
  subject: Subject;
  turn: number;
  seq: number;
  read_as: string;
  facts: (Fact)[];
  plain?: string;
  decisions?: (Decision)[];
  also?: (Subject)[];
  erased?: (string)[];
  line?: string;
};

/** What an answer would do, tried on a copy of the state without calling anything. `text` is it in a few words; `stops_at` is what would have to be asked before more is known: a model or a tool. */
export type AnswerOutlook = {
  label: string;
  value: string;
  text: string;
  steps?: (OutlookStep)[];
  stops_at?: "" | "model" | "tool" | "understanding";
};

/** A call that waits for approval: of a model, or of the node's own work where `call` is empty. `id` is the id of its effect from now on, so repeated approvals approve the same call. `was_begun` is true where it may have run already, before an undo. */
export type ApprovalRequest = {
  tool: string;
  arguments: Record<string, unknown>;
  call?: string;
  id?: string;
  was_begun?: boolean;
  approver?: "operator" | "user";
  since_ms?: number;
  due_ms?: number | null;
  behind?: (Call)[];
  is_approved?: boolean;
  unclear?: number;
};

/** The user answered the question about a call neither with yes nor with no: the question is asked again. It counts, unless the message was only a greeting or thanks, or asked for help, for time, or for the question. */
export type ApprovalUnclear = {
  type: "approval_unclear";
  call: string;
  tool: string;
  is_counted?: boolean;
};

/** One schedule of a conversation. `due_ms` is its next time, 0 where none is known and `NEVER` where none comes; `at_ms` is when it fires, 0 while it is held; `waits` says why that is later. `count` is how many times were handled, the last of them at `done_ms`. */
export type ArmedSchedule = [string, number, number, "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope", number, number];

/** Something that a form made for the host. */
export type Artefact = {
  seq: number;
  turn: number;
  at_ms: number;
  kind: "DRAFT_PLAN" | "HANDOFF" | "PROBLEM_STATEMENT";
  data: Record<string, unknown>;
  is_undone?: boolean;
};

/** Something for the host: `PROBLEM_STATEMENT`, `DRAFT_PLAN`, `HANDOFF`. */
export type ArtefactMade = {
  type: "artefact_made";
  kind: "DRAFT_PLAN" | "HANDOFF" | "PROBLEM_STATEMENT";
  data: Record<string, unknown>;
};

/** A question to be answered aside. */
export type Ask = {
  type: "ask";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  text: string;
};

/** An attempt of a call that failed and was repeated: why it failed, when it began, after how many milliseconds it failed, and `file:line` where the user's own code raised. `code` says why a model's reply was none, `tool` is the one that it called in its text. */
export type Attempt = [string, number, number, string, "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "", string];

/** Ask the question before the open one again; its answer stays until it is replaced. */
export type Back = {
  type: "back";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A conversation that began, with its first turn. */
export type BegunConversation = {
  conversation: ConversationSummary;
  turn: TurnResult;
};

/** The user answered whether to go on beyond a budget: `granted` is how much more, 0 for a no. */
export type BudgetAnswered = {
  type: "budget_answered";
  budget: string;
  period: string;
  granted?: number;
};

/** A call was not made, for it would have gone beyond a budget; with `then` as `model` another model is called. */
export type BudgetReached = {
  type: "budget_reached";
  budget: string;
  measure: "money" | "time" | "tokens";
  per: "conversation" | "day" | "turn";
  period: string;
  amount: number;
  spent: number;
  needed: number;
  then: "ask" | "end" | "hand_over" | "model" | "own_text";
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
  measure: "money" | "time" | "tokens";
  per: "conversation" | "day" | "turn";
  allowed: number;
  spent: number;
  left: number;
  then: "ask" | "end" | "hand_over" | "model";
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
  arguments?: Record<string, unknown>;
  wrong?: string;
};

/** The machine itself answered a call of a generated tool; the resulting events are recorded with it. */
export type CallAnswered = {
  type: "call_answered";
  call: string;
  tool: string;
  result: Record<string, unknown>;
};

/** A call that waited was approved by a decision of a client: `by` is who, `arguments` are those that are approved, with `is_edited` others than the call had. */
export type CallApproved = {
  type: "call_approved";
  call: string;
  tool: string;
  arguments: Record<string, unknown>;
  by?: string;
  approver?: "operator" | "user";
  is_edited?: boolean;
};

/** The decision about one call: `arguments` are those to change, `reason` is why it is declined. */
export type CallChoice = {
  call: string;
  approve: boolean;
  arguments?: Record<string, unknown>;
  reason?: string;
};

/** The decision about one call that waits for approval: `call` is its id, `arguments` are those to change, `reason` is why it is declined. */
export type CallDecision = {
  call: string;
  approve: boolean;
  arguments?: Record<string, unknown>;
  reason?: string;
};

/** A call waits for approval (law 4.5); `arguments` are as they will be given to the tool, `effect` is the id under which it will be run, `since_ms` when it began to wait, `due_ms` when it is declined if nobody decides. */
export type CallHeld = {
  type: "call_held";
  tool: string;
  arguments: Record<string, unknown>;
  call?: string;
  effect?: string;
  approver?: "operator" | "user";
  since_ms?: number;
  due_ms?: number | null;
};

/** Let the model speak for the node in charge; answered by `ModelReplied` or `ModelFailed`. */
export type CallModel = {
  type: "call_model";
  id: string;
  purpose?: "aside" | "choose" | "offer" | "reply" | "summary" | "word";
  about?: string;
};

/** A call that needs no approval waits, because an earlier call of its reply waits for approval. */
export type CallQueued = {
  type: "call_queued";
  call: string;
  tool: string;
};

/** A call was not run: the reason for machines, the text for the model; `by` is the person who declined it, where the host named one. */
export type CallRefused = {
  type: "call_refused";
  call: string;
  tool: string;
  reason: "already_open" | "arguments" | "cannot_open" | "declined" | "dropped" | "expired" | "fork" | "not_allowed" | "not_json" | "not_open" | "out_of_sequence" | "replaced" | "unknown_tool" | "waiting";
  text: string;
  by?: string;
};

/** What a call used, in a flow with budgets: of a model, or of a tool, which only takes time. */
export type CallSettled = {
  type: "call_settled";
  effect: string;
  used: Used;
  day: string;
  purpose?: string;
  model?: string;
  tool?: string;
  node?: string;
  tokens_in?: number;
  tokens_out?: number;
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
  status: "answered" | "failed" | "refused" | "returned" | "unknown" | "waiting";
  result: unknown;
  error: string;
  reason: string;
  seq: number;
  took_ms: number | null;
};

/** The results of these turns were not delivered, because their callers had left. `unprompted` are undelivered turns that the machine started itself. If both are empty, a refusal has reported all undelivered turns. */
export type CallerLeft = {
  type: "caller_left";
  turns: (number)[];
  unprompted?: (number)[];
};

/** Calls that wait were approved or declined, each by itself (law 4.5). `by` is who decided, `is_operator` whether it is a person with the right of operators, who decides what the user may not. */
export type CallsDecided = {
  type: "calls_decided";
  decisions: (CallDecision)[];
  by?: string;
  is_operator?: boolean;
};

/** Stop the task. */
export type Cancel = {
  type: "cancel";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** Set a value of an item of a list of records; the value `None` removes it. */
export type Change = {
  type: "change";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field: string;
  item: string | number | Record<string, unknown>;
  name: string;
  value?: unknown;
};

/** A conversation in which decisions would differ: how many, and the first turn with one. */
export type ChangedConversation = {
  conversation: string;
  differs: number;
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
  files: (CheckedText)[];
};

/** Take a field's value away. */
export type Clear = {
  type: "clear";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field: string;
};

/** By how many seconds to move the clock forward. */
export type ClockMove = {
  advance_s: number;
};

/** The time of the server, how far it is ahead of the real one, and how many timers fired. */
export type ClockView = {
  now_ms: number;
  ahead_ms: number;
  fired: number;
};

/** One call of a Python guard: what it returned, what it read, what it raised, and where (`file:line`). */
export type CodeRun = {
  guard: string;
  returned?: unknown;
  reads?: Record<string, unknown>;
  error?: string;
  at?: string;
};

/** A command that sets no field was applied. `input` is what a scope that was asked for is opened with, by field. */
export type CommandApplied = {
  type: "command_applied";
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "move" | "other" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  field?: string;
  text?: string;
  input?: Record<string, unknown>;
};

/** What one command of this turn did. `iso` is the text for models if it differs from `text`. */
export type CommandOutcome = ["add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "cleared" | "copy" | "courtesy" | "deny" | "edit" | "hand_over" | "help" | "missed" | "move" | "other" | "refused" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why", string, string, string];

/** A command was refused: the reason for machines, the text for people; `iso` is the text for models, where it has dates and numbers in another form. `scope` is one that was to begin after another, and is not waited for any more. `item` is the id of the item of a list that the command is about, and `name` the field of that item. */
export type CommandRefused = {
  type: "command_refused";
  command: "add" | "affirm" | "ask" | "back" | "cancel" | "change" | "clear" | "copy" | "deny" | "edit" | "hand_over" | "help" | "move" | "remove" | "repeat" | "restart" | "set" | "skip" | "start" | "undo" | "wait" | "why";
  reason: "already_applied" | "already_known" | "already_open" | "ambiguous" | "answers" | "arguments" | "beside_question" | "blank" | "boolean" | "cannot_open" | "choice" | "contradicted" | "date" | "datetime" | "derived" | "digits" | "doubtful" | "duration" | "email" | "form_cancelled" | "form_closed" | "fraction" | "handed_over" | "integer" | "item" | "items" | "length" | "list" | "list_bytes" | "max" | "min" | "misquoted" | "no_field" | "no_item" | "no_list" | "no_options" | "no_person" | "no_plain_yes" | "no_position" | "no_value" | "not_asked_here" | "not_exposed" | "not_named" | "nothing_before" | "nothing_to_affirm" | "nothing_to_cancel" | "nothing_to_clear" | "nothing_to_confirm" | "nothing_to_deny" | "nothing_to_edit" | "nothing_to_skip" | "nothing_to_start" | "number" | "option" | "option_changed" | "option_gone" | "pattern" | "phone" | "placeholder" | "question" | "repeated" | "required" | "secret_not_asked" | "several_items" | "skipped" | "string" | "time" | "unknown_argument" | "unknown_field" | "unsupported" | "validate" | "write";
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
  label: string;
  kind: "field" | "function" | "key" | "name" | "value" | "word";
  detail: string;
};

/** What may be written instead of a part of the text, best first. `is_incomplete` is true where more would fit. */
export type CompletionView = {
  range: TextRange;
  offers: (CompletionOffer)[];
  is_incomplete: boolean;
};

/** One candidate of a decision. */
export type Considered = {
  id: string;
  outcome: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
  action: "block" | "call" | "end" | "return" | "stay" | "to";
  target?: string;
  level?: "enter" | "flow" | "node";
  priority?: number;
  because?: string;
  source?: string;
  is_mirror?: boolean;
  by?: string;
  verdict?: Leaf | Group | null;
  missing?: (string)[];
  needs?: ((Need)[])[];
  in_words?: (string)[];
  changed?: (JudgingChange)[];
  code?: GuardCode | null;
  failure?: Failure | null;
  planned?: boolean;
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
  version: number;
  status: "ended" | "failed" | "person" | "waiting" | "working";
  node: string;
  turn: number;
  seq: number;
  at_ms: number;
  waits_for: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user" | "" | "person";
  since_ms: number;
  outcome: string;
  owner: string;
  snippet: string;
  timers: (TimerView)[];
  next_schedule: NextSchedule | null;
  person: PersonView | null;
  marks: ("code_differs" | "fork" | "guard_error" | "other_version")[];
  headline: string;
  headlines: Record<string, string>;
  language: string;
  name: string;
  flow_title: string;
  node_title: string;
};

/** Add copies of an item of a list of records at its end, with some values changed. */
export type Copy = {
  type: "copy";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field: string;
  item: string | number | Record<string, unknown>;
  count?: number;
  changes?: Record<string, unknown>;
};

/** How often stored conversations visited each node and took each transition. */
export type Coverage = {
  nodes: Record<string, number>;
  edges: (EdgeHistory)[];
  conversations: number;
};

/** One question of a form over data, with its allowed answers, and those that stop the form or are right. */
export type DataQuestion = {
  id: string;
  ask: string;
  options?: (string)[];
  stop?: (string)[];
  stop_say?: string;
  right?: (string)[];
};

/** Decisions about calls that wait, each by itself. If one of them is refused, none counts. */
export type Decide = {
  decisions: (CallChoice)[];
};

/** Decisions of an operator. With keys the owner of the key is recorded as the operator. */
export type DecideAsOperator = {
  decisions: (CallChoice)[];
  operator?: string;
};

/** A moment was judged: one letter per candidate, and the values that were read. */
export type Decided = {
  type: "decided";
  node: string;
  moment: string;
  outcomes: string;
  taken?: number;
  reads?: unknown[];
  code?: (CodeRun)[];
  marks?: Record<string, number>;
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
  seq: number;
  turn: number;
  at_ms: number;
  node: string;
  moment: string;
  line: string;
  candidates?: (Considered)[];
  taken?: string;
  overlays?: (string)[];
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
  decision: Decision;
  headline: string;
  detail: string;
  seam: Seam;
  nearest: string;
  moments: Record<string, string>;
  evaluation: Record<string, unknown>;
  histories: Record<string, EdgeHistory>;
  places: Record<string, Origin>;
  is_compared: boolean;
};

/** Which deliveries: of one status or any, after a number. */
export type DeliveriesQuery = {
  status?: "delivered" | "failed" | "sending" | "waiting" | "";
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
  number: number;
  conversation: string;
  turn: number;
  at_ms: number;
  about: string;
  status: "delivered" | "failed" | "sending" | "waiting";
  attempts: number;
  due_ms: number | null;
  done_ms: number | null;
  error: string;
  reported_in: number;
};

/** A piece of a model's text, before the turn is stored. A `message` of the turn replaces all of its pieces. */
export type DeltaSent = {
  type: "delta";
  conversation: string;
  turn: number;
  node: string;
  effect: string;
  text: string;
  is_whole: boolean;
};

/** What the demonstration prepares for a flow: a remark, the first question, conversations and lines to say. */
export type Demonstration = {
  tries?: string;
  asks?: string;
  openings?: (Opening)[];
  advice?: (Advice)[];
  look?: FirstLook | null;
};

/** No, to what the machine asked. */
export type Deny = {
  type: "deny";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** A problem of the flow's document. */
export type DiagnosticView = {
  code: string;
  severity: "error" | "warning";
  message: string;
  hint: string;
  file: string;
  line: number;
  column: number;
};

/** A mirror rule and the Python guard that it describes chose differently (law 2.16). */
export type Disagreement = {
  rules: string;
  code: string;
};

/** The server stops soon: connect again with the cursor. */
export type Draining = {
  type: "draining";
  retry_ms: number;
};

/** Words of a message (start and end, in characters) that stand for a value of a field, and for which nothing was proposed. None are recorded where the message may give a secret. */
export type Dropped = {
  words: [number, number];
  field: string;
  value: unknown;
  reason: "about_another" | "corrected" | "denied" | "doubtful" | "elsewhere" | "not_alone" | "other_words" | "question" | "several";
};

/** What an event would do, without effects. `is_known` is false where only a model, a tool or an understanding of the host could say, which `decided_by` names; `why` says it in words. Without `debug:read` there are no `moves`, `values` and `why`. */
export type DryRun = {
  is_known: boolean;
  decided_by: "" | "model" | "tool" | "understanding";
  refused: string;
  text: string;
  moves: (string)[];
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
  title: string;
  due_ms: number | null;
  does: string;
  subject: string;
  because: string;
  node: string;
  held_by: "" | "approval" | "budget" | "form" | "offer" | "pause" | "person" | "quiet" | "scope";
  can_fire: boolean;
  fires_ms: number | null;
};

/** How often a transition was judged, held and taken, in one conversation or in all. */
export type EdgeHistory = {
  node: string;
  moment: string;
  transition: string;
  target: string;
  judged: number;
  held: number;
  taken: number;
  line: string;
  outcomes: Record<string, number>;
};

/** Change an answer; without a field the machine asks which. */
export type Edit = {
  type: "edit";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field?: string;
};

/** A document of a flow as an author has it: its path, as `GET …/source` names it, and its text. */
export type EditedDocument = {
  file: string;
  text: string;
};

/** The document that an author edits; `others` are those that the author changed too and did not save. */
export type EditedDocuments = {
  file: string;
  text: string;
  others?: (EditedDocument)[];
};

/** A problem of a text, the part that it is about, and its repairs. */
export type EditedProblem = {
  code: string;
  severity: "error" | "warning";
  message: string;
  hint: string;
  range: TextRange;
  repairs: (RepairView)[];
};

/** An effect was requested, such as a model call; the turn waits for its result. */
export type EffectAsked = {
  type: "effect_asked";
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
  kind: string;
  by?: Erasure | null;
};

/** When retention erased something, in milliseconds since 1970, and for how many days it keeps such. */
export type Erasure = {
  at_ms: number;
  days: number;
};

/** A rule as it was judged; `passed` if it holds. */
export type EvaluatedRule = {
  id: string;
  description: string;
  fields: (string)[];
  passed: boolean;
  result: RuleResult;
};

/** The rules of the moment before the work, and of all others. */
export type EvaluatedRules = {
  pre: (EvaluatedRule)[];
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
  name: string;
  data?: Record<string, unknown>;
  inside?: string;
};

/** Entries after a position. `next` is the position to continue after, `None` at the end. */
export type EventPage = {
  events: (EventRow)[];
  last: number;
  next: number | null;
};

/** Something happened in another system: the name of the event, its data, and who sent it over the API. */
export type EventReceived = {
  type: "event_received";
  name: string;
  data?: Record<string, unknown>;
  by?: string;
};

/** An event from outside was refused and began no turn; nothing else changed. `kind` is the kind of turn that it would have begun, `name` the button, timer, tool, transition or turn that it named, `operator` the person who sent it. `text` is the reason as its sender got it. The words of a message are not kept. */
export type EventRefused = {
  type: "event_refused";
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  code: "approver" | "arguments" | "busy" | "conversation_ended" | "event_too_long" | "events_waiting" | "flow_unavailable" | "key_reused" | "message_empty" | "message_too_long" | "no_person" | "not_awaited" | "not_due" | "not_going_on" | "not_json" | "other_flow" | "result_too_long" | "stale" | "store_unavailable" | "taken_over" | "unknown_button" | "unknown_call" | "unknown_conversation" | "unknown_event" | "unknown_field" | "unknown_schedule" | "unknown_time_zone" | "unknown_timer" | "unknown_tool" | "unknown_transition" | "unknown_turn" | "value_refused";
  text: string;
  name?: string;
  operator?: string;
};

/** The first event that waits for this frame is judged now, once: the frame is in charge, and no person takes part. */
export type EventResumed = {
  type: "event_resumed";
  name: string;
};

/** An entry of the journal, with its kind and one line about it. `subject` is what it is about, as a question of why names it: `field user.age`. */
export type EventRow = {
  seq: number;
  turn: number;
  at_ms: number;
  kind: string;
  line: string;
  subject: string;
  event: Started | UserSaid | UserChose | Commands | ToolUsed | TimerFired | ScheduleDue | EventReceived | Continued | CallsDecided | UndoAsked | TakenOver | OperatorSaid | GivenBack | Understood | UnderstandingFailed | ModelReplied | ModelFailed | ToolReturned | ToolFailed | WordsRecalled | StateRecalled | FieldSet | FieldCleared | ItemAdded | ItemChanged | ItemRemoved | ItemMoved | NothingSet | FieldShelved | FieldRevived | LanguageChanged | TimeZoneChanged | ScheduleFired | CommandApplied | CommandRefused | Missed | Decided | MovePlanned | MovePutOff | JudgingPlanned | Moved | QuestionsFixed | OptionsFixed | FormChanged | FormClosed | Said | CallAnswered | CallRefused | CallHeld | CallQueued | ApprovalUnclear | CallApproved | SequenceAdvanced | WorkDone | ScopeOpened | ScopeClosed | Offered | OfferClosed | EventHeld | EventResumed | PersonAwaited | NobodyCame | ArtefactMade | EffectAsked | Faulted | Warned | Undone | EndedEvent | FailedEvent | TurnEnded | WordsHidden | GiveBackRefused | OverlaysChanged | OverlayForced | CallSettled | BudgetReached | BudgetAnswered | TurnRestarted | CallerLeft | EventRefused | Snapshot | Forked | Migrated | Erased;
  is_erased: boolean;
};

/** What became of an event. `transition` is the one that was taken, empty where none held. With `waits` the event is judged later: when a scope is closed, or a person has given the conversation back. `is_duplicate` is true where its key was there before. */
export type EventTaken = {
  turn: number;
  transition?: string;
  waits?: boolean;
  is_duplicate?: boolean;
};

/** An event that a flow takes, and the JSON Schema of its data. */
export type EventType = {
  name: string;
  data: Record<string, unknown>;
};

/** Entries after a position; a page has at most `limit`. */
export type EventsQuery = {
  after?: number;
  limit?: number;
};

/** One thing that happened, or holds, and what caused it. */
export type Fact = {
  kind: "answer_elsewhere" | "approval_unclear" | "artefact_made" | "aside_not_answered" | "attempt_failed" | "began_here" | "budget_answered" | "budget_reached" | "budget_stands" | "budget_undeclared" | "button_pressed" | "button_stale" | "call_answered" | "call_approved" | "call_awaits_approval" | "call_made_again" | "call_queued" | "call_refused" | "call_settled" | "call_still_awaits" | "call_unknown" | "caller_left" | "calls_decided" | "came_closest" | "chooser_due" | "code_failed" | "code_returned" | "command_applied" | "command_refused" | "commands_received" | "confirmation_due" | "confirmation_later" | "conversation_ended" | "conversation_failed" | "conversation_goes_on" | "conversation_started" | "conversation_waits" | "correction_unclear" | "counted" | "decided" | "delivery_none" | "delivery_stands" | "enter_when_judged" | "enter_when_skipped" | "erased" | "event_held" | "event_never_came" | "event_received" | "event_refused" | "event_resumed" | "event_waits" | "field_cleared" | "field_collected" | "field_computed" | "field_default" | "field_empty" | "field_inactive" | "field_revived" | "field_set" | "field_shelved" | "field_without_form" | "field_written_by" | "flow_continued" | "flows_differ" | "forked" | "form_cancelled" | "form_closed" | "form_confirmed" | "form_ended" | "form_handed_over" | "form_left" | "form_none" | "form_not_open" | "form_not_reached" | "form_progress" | "form_progressed" | "form_stopped" | "form_unconfirmed" | "form_waits_for_person" | "give_back_refused" | "guard_failed" | "happened_at" | "item_absent" | "item_added" | "item_change_undone" | "item_changed" | "item_decided" | "item_holds" | "item_moved" | "item_part_empty" | "item_removed" | "item_unclear" | "item_unknown" | "items_added" | "items_removed" | "judging_planned" | "language_changed" | "limit_reached" | "limit_stands" | "limit_used" | "list_holds" | "message_none" | "message_not_interpreted" | "message_not_kept" | "message_not_read" | "message_read_exactly" | "message_received" | "migrated" | "model_called" | "model_called_often" | "model_failed" | "model_not_called" | "model_replied" | "move_blocked" | "move_planned" | "move_put_off" | "move_undone" | "move_waits" | "moves_erased" | "moves_left_out" | "no_item_decided" | "no_model_connected" | "no_person" | "no_way" | "nobody_came" | "node_in_charge" | "node_left" | "node_never_entered" | "node_not_in_charge" | "node_waits" | "not_searched" | "not_taken" | "not_understood" | "nothing_returned" | "nothing_set" | "notice_said" | "offer_closed" | "offer_stands" | "offered" | "options_read" | "outranked" | "outranked_else" | "overlay_began" | "overlay_ended" | "overlay_forced" | "overlay_in_prompt" | "overlay_is_active" | "overlay_not_active" | "person_acted" | "person_awaited" | "person_gave_back" | "person_in_charge" | "person_is_awaited" | "person_said" | "person_took_over" | "prompt_changed" | "prompt_shown" | "question_again" | "question_answered" | "question_applies" | "question_asked" | "question_condition_failed" | "question_edited" | "question_kept" | "question_later" | "question_more" | "question_never_put" | "question_next" | "question_none" | "question_not_due" | "question_not_put" | "question_repeated" | "question_skipped" | "question_walked" | "question_was_asked" | "questions_copied" | "questions_read" | "reminder_said" | "result_not_stored" | "root_read" | "rules_disagree" | "rules_sufficed" | "run_stopped" | "run_went_on" | "same_moves" | "schedule_due" | "schedule_fired" | "schedule_not_due" | "schedule_waits" | "scope_closed" | "scope_is_open" | "scope_never_opened" | "scope_not_open" | "scope_opened" | "sequence_advanced" | "text_gap" | "text_refused" | "text_said" | "time_passed" | "time_zone_changed" | "timer_armed" | "timer_dropped" | "timer_fired" | "timer_is_armed" | "timer_late" | "timer_not_armed" | "tool_called" | "tool_called_often" | "tool_failed" | "tool_given_up" | "tool_is_work" | "tool_never_used" | "tool_not_called" | "tool_not_offered" | "tool_offered" | "tool_returned" | "tool_used" | "tool_used_by_host" | "tools_of_node" | "transition_judged" | "transition_not_judged" | "transition_was_taken" | "turn_ended" | "turn_failed" | "turn_recovered" | "turn_under_way" | "turn_undone" | "understanding_failed" | "understood" | "understood_nothing" | "undo_asked" | "undo_refused" | "uses_read" | "usual" | "usual_not_counted" | "validator_failed" | "value_copied" | "value_lost" | "value_missing" | "value_not_computed" | "value_read" | "value_refused" | "value_replaced" | "value_suggested" | "value_undone" | "values_differ" | "versions_differ" | "warned" | "way" | "ways_part" | "window_began" | "words_hidden" | "words_not_taken" | "words_summarized" | "work_done" | "write_not_called" | "write_refused" | "yes_to_nothing";
  text: string;
  about?: (Subject)[];
  turn?: number;
  seq?: number;
  values?: Record<string, unknown>;
  source?: string;
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
  fault: turnwise_core_state_Fault;
};

/** The value of a field was removed; where it had none, a blank value or null was written to it. */
export type FieldCleared = {
  type: "field_cleared";
  field: string;
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** A field of the flow, for editors of values. */
export type FieldInfo = {
  name: string;
  title: string;
  type: string;
  options: (string)[];
  is_secret: boolean;
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
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  confidence?: number | null;
  words?: [number, number] | null;
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
  say: string;
  conversation: string;
  turn: number;
  field: string;
  value: string;
  against: string;
  waiting: string;
};

/** The file of a flow changed on disk: it was reloaded, or its errors keep the old version. */
export type FlowChanged = {
  type: "flow";
  flow: string;
  fingerprint: string;
  diagnostics: (DiagnosticView)[];
};

/** A flow with all that the graph and the flow page show. */
export type FlowPage = {
  flow: FlowSummary;
  graph: GraphView;
  nodes: (Record<string, unknown>)[];
  fields: (FieldInfo)[];
  source: string | null;
  saved_ms: number | null;
  diagnostics: (DiagnosticView)[];
  parked: Record<string, number>;
  coverage: Coverage | null;
  levels: (GraphLevel)[];
};

/** The documents of a flow, its own first; none where a program made the flow. */
export type FlowSource = {
  files: (SourceFile)[];
  is_followed: boolean;
  is_editable: boolean;
};

/** A flow of this server. */
export type FlowSummary = {
  name: string;
  title: string;
  description: string;
  version: number;
  fingerprint: string;
  nodes: number;
  conversations: number;
  is_autonomous: boolean;
  file: string;
  errors: number;
  warnings: number;
  tries: string;
  asks: string;
  openings: (Opening)[];
  advice: (Advice)[];
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
  turn?: number | null;
  effects?: boolean;
};

/** All earlier entries were copied from another conversation, up to the end of a turn. Without `effects`, tools that change the world do not run here (law 6.9). */
export type Forked = {
  type: "forked";
  source: string;
  turn: number;
  effects?: boolean;
};

/** The progress of the current form changed to this. */
export type FormChanged = {
  type: "form_changed";
  run: FormRun;
};

/** A form was left after it had been confirmed or handed over. */
export type FormClosed = {
  type: "form_closed";
  node: string;
  status: "confirmed" | "handed_off";
};

/** A question of a form with its answer, for the summary and the edit chooser; a list of records has `items`. */
export type FormItem = {
  field: string;
  title: string;
  answer: string;
  words: string;
  state: "answered" | "inactive" | "missing" | "open" | "skipped";
  reason: string;
  items: ItemTexts | null;
  label: string;
  counts: boolean;
};

/** The form in charge at the end of a turn. `answered` of `count` questions are answered: those that are asked and apply. `language` is that of labels, answers and words; notes are in the language of the request. */
export type FormLedger = {
  node: string;
  title: string;
  status: string;
  answered: number;
  count: number;
  language: string;
  rows: (LedgerRow)[];
  asked_since?: number | null;
  tries?: number;
  outlooks?: (AnswerOutlook)[];
};

/** One run of a form. */
export type FormRun = {
  status?: "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped";
  asked?: string;
  editing?: "" | "chooser" | "one" | "walk";
  walk?: (string)[];
  misses?: Record<string, number>;
  skipped?: (string)[];
  awaits_other?: boolean;
  stopped_at?: string;
  held?: unknown;
  held_place?: [number, number, number] | null;
  suggested?: Record<string, unknown>;
  was_confirmed?: boolean;
  asks_to_go_on?: boolean;
  answers?: string;
  filling?: string;
  item?: string;
  newest?: number;
  complete?: (string)[];
  choosing?: string;
  waiting?: (Add | Change | Remove | Move | Copy)[];
  candidates?: ([string, number])[];
};

/** The form in charge as data: its progress in per cent, the open question, its items. */
export type FormView = {
  status: string;
  editing: string;
  asked: string;
  progress: number;
  items: (FormItem)[];
  statement: string;
  free_text: boolean;
};

/** A document in the canonical layout. */
export type FormattedText = {
  text: string;
};

/** One level of the stack: its node in charge, what is open at this visit to the node, and what the frame remembers of its other nodes. */
export type Frame = {
  node: string;
  id?: number;
  visit?: number;
  turns?: number;
  is_work_done?: boolean;
  form?: FormRun | null;
  transcript_from?: number;
  entered_turn?: number;
  sequence?: number;
  person_outcome?: string;
  has_message?: boolean;
  because?: string;
  is_by_person?: boolean;
  question?: Question | null;
  pending?: Pending | null;
  timers?: (Timer)[];
  awaiting_approval?: ApprovalRequest | null;
  approvals?: (ApprovalRequest)[];
  put_off?: PutOff | null;
  to_judge?: (string)[];
  waits_to_judge?: boolean;
  failed?: ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string] | null;
  person?: Person | null;
  visits?: Record<string, number>;
  tools?: ToolHistory;
  judged?: Record<string, number>;
  calls?: Record<string, number>;
  decided?: Record<string, number>;
  closed_forms?: Record<string, "awaiting_confirmation" | "cancelled" | "collecting" | "confirmed" | "handed_off" | "stopped">;
  last_field?: string;
  note?: string;
  scope?: OpenScope | null;
  has_offered?: boolean;
  held_events?: (EventData)[];
  scope_outcome?: string;
  wishes?: (string)[];
  program_wishes?: (string)[];
  wish_inputs?: Record<string, Record<string, unknown>>;
};

/** One frame of a conversation: the conversation itself, or a scope that was opened in it. */
export type FrameInfo = {
  id: number;
  scope: string;
  title: string;
  depth: number;
  parent: number | null;
  status: "closed" | "open" | "undone";
  node: string;
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user" | "";
  transition: string;
  tool: string;
  call: string;
  opened_turn: number;
  opened_ms: number | null;
  closed_seq: number | null;
  closed_turn: number | null;
  closed_ms: number | null;
  outcome: string;
  turns: number;
  tokens: number;
  max_turns: number | null;
  max_tokens: number | null;
  idle_ms: number | null;
  summary: string;
  inherits: (string)[];
  returns: string;
  message: number;
  messages: number;
  tokens_saved: number | null;
  later_requests: number;
  is_estimate: boolean;
  keep_ms: number | null;
  is_erased: boolean;
};

/** The person gives the conversation back to the machine. */
export type GiveBack = {
  outcome?: string;
  set?: Record<string, unknown>;
  transition?: string | null;
  end?: string | null;
  reason?: string;
  operator?: string | null;
};

/** What giving a conversation back would do now, without doing it. */
export type GiveBackPreview = {
  is_known: boolean;
  refused: string;
  text: string;
  faults: (Fault)[];
  moves: (string)[];
  node: string;
  outcome: string;
  values: Record<string, unknown>;
  decisions: (Decision)[];
  transitions: (TransitionChoice)[];
  outcomes: (string)[];
  why: string;
};

/** The person in charge wanted to give the conversation back with values that their fields refuse. Nothing else changed: the person stays in charge. `set` has the refused values, those of secret fields redacted. */
export type GiveBackRefused = {
  type: "give_back_refused";
  operator: string;
  set: Record<string, unknown>;
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
  display?: string;
};

/** A transition of the drawing. `node` is the address of the node that declares it, empty for one of the whole flow or scope. */
export type GraphEdge = {
  id: string;
  source: string;
  target: string;
  transition: string;
  action: string;
  moment: string;
  node: string;
  test: string;
  because: string;
  priority: number;
  is_code: boolean;
  is_mirror: boolean;
  is_timer: boolean;
  remark: string;
  line: number;
  file: string;
};

/** What stands in one scope, or outside of all scopes, as a drawing in which each scope inside is one node. */
export type GraphLevel = {
  scope: string;
  title: string;
  parent: string | null;
  graph: GraphView;
};

/** A node of the drawing, or a mark (start, end). */
export type GraphNode = {
  id: string;
  name: string;
  kind: string;
  about: string;
  fields: (string)[];
  remarks: (string)[];
  parent: string;
  line: number;
  file: string;
  address: string;
  opens: string;
  title: string;
};

/** The drawing of a flow as data. */
export type GraphView = {
  nodes: (GraphNode)[];
  edges: (GraphEdge)[];
  clusters: ([string, string, string])[];
};

/** A combination: `all`, `any`, `not`, or `if` with its test, what follows, and what else. */
export type Group = {
  type: "group";
  op: "all" | "any" | "if" | "not";
  verdict: "error" | "held" | "not_held" | "unknown";
  parts: (Leaf | Group)[];
};

/** A Python guard: its source (or why there is none), whether it was called, what it returned, read and raised. */
export type GuardCode = {
  name: string;
  source: string;
  has_source?: boolean;
  file?: string;
  line?: number;
  returned?: unknown;
  reads?: Record<string, unknown>;
  error?: string;
  call?: "called" | "forgotten" | "not_called";
  at?: string;
};

/** A problem in a guard that was typed: where, what, and what is near. */
export type GuardProblem = {
  transition: string;
  code: string;
  message: string;
  line: number;
  column: number;
  hint: string;
};

/** Let a person take over. */
export type HandOver = {
  type: "hand_over";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The process answers; or it is ready for new turns. */
export type Health = {
  status: "ok" | "ready";
};

/** Say what is meant. */
export type Help = {
  type: "help";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field?: string;
};

/** What is known about a name, key or transition: what it is, more by line, and what stored conversations did. */
export type HoverView = {
  title: string;
  lines: (string)[];
  counts: (string)[];
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
  id: string;
  values: Record<string, unknown>;
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  confidence?: number | null;
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
  id: string;
  name: string;
  value: unknown;
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  confidence?: number | null;
  words?: [number, number] | null;
};

/** A field of the items of a list of records, for tables and editors. */
export type ItemField = {
  name: string;
  title: string;
  type: string;
  options?: (string)[];
};

/** An item was moved within its list, to the position `to`, counted from 0. */
export type ItemMoved = {
  type: "item_moved";
  field: string;
  id: string;
  to: number;
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** An item was removed from its list. Its id is never used again in the conversation. */
export type ItemRemoved = {
  type: "item_removed";
  field: string;
  id: string;
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
};

/** The items of a list of records as users read them, for cards; only columns in which an item has a value. */
export type ItemTexts = {
  columns: (string)[];
  rows: (ItemCells)[];
};

/** What is different from the judging before: a value that was read, or the outcome. */
export type JudgingChange = {
  name: string;
  before: unknown;
  now: unknown;
};

/** A call of a reply of the model was made: the transitions at `calls` are judged when all calls of the reply have their results. Without a reply a result or a failure came while a person was in charge: those at `tool`, or at the `moment`, are judged when the person gives the conversation back. */
export type JudgingPlanned = {
  type: "judging_planned";
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
  label: string;
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
  text: string;
  verdict: "error" | "held" | "not_held" | "unknown";
  operands?: (Operand)[];
  error?: string;
};

/** The ledger of the form in charge; `None` where no form is. */
export type LedgerAnswer = {
  ledger?: FormLedger | null;
};

/** A question of a form. `answer` is its value as people read it; `words` are the user's, with the message (`seq`) and the characters in it where they stand. `note` is a sentence in the language of the request: why it is refused or passed over, or what is to be known of it. Of a row that counts, progress waits for the answer. */
export type LedgerRow = {
  field: string;
  label: string;
  state: "asked" | "given" | "left" | "passed_over" | "refused";
  answer?: string;
  items?: ItemTexts | null;
  words?: string;
  how?: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood" | "";
  turn?: number | null;
  seq?: number | null;
  start?: number | null;
  end?: number | null;
  note?: string;
  counts?: boolean;
};

/** Which conversations: of a flow, in a node, with a status, with a text in name, node or messages, where a word or number begins with it. */
export type ListQuery = {
  flow?: string;
  text?: string;
  node?: string;
  status?: "ended" | "failed" | "person" | "waiting" | "working" | null;
  after?: string;
  limit?: number;
};

/** Who is asking: the owner, the scopes, the limits, and what this server offers. */
export type Me = {
  owner: string;
  scopes: ("admin" | "chat" | "debug:read" | "edit" | "events" | "operator")[];
  limits: OwnerLimits;
  version: string;
  is_local: boolean;
  has_demo_clock: boolean;
};

/** One message of the transcript, of either side. */
export type Message = {
  seq: number;
  turn: number;
  at_ms: number;
  by: "button" | "model" | "person" | "system" | "text" | "tool" | "user";
  text: string;
  speaker: string;
  kind: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why" | "";
  buttons: (Button)[];
  understood: (UnderstoodValue)[];
  form: FormView | null;
  is_undone: boolean;
  is_erased: boolean;
  note: string;
  frame: number;
  closes: number | null;
  sign: "clock" | "event" | "limit" | "offer" | "overlay" | "";
  subject: string;
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
  fingerprint: string;
  state: State;
};

/** An answer was not understood: nothing was stored, and the same question is asked again. */
export type Missed = {
  type: "missed";
  field?: string;
};

/** A request to a model in this turn. */
export type ModelCallView = {
  effect: string;
  node: string;
  purpose: string;
  model: string;
  seq: number;
  tokens_in: number | null;
  tokens_out: number | null;
  cost: number | null;
  took_ms: number | null;
  error: string;
};

/** A model call failed, or its reply was cut off: `text` is the part that had arrived, `at` is `file:line` where the user's own code raised. `attempts` are those that failed before the last one. `model` is the name of the model that was called, if it has one. `code` says why the reply was none, where one came. */
export type ModelFailed = {
  type: "model_failed";
  effect: string;
  reason: string;
  text?: string;
  replaced?: number;
  at?: string;
  attempts?: (Attempt)[];
  model?: string;
  code?: "blank" | "call_as_text" | "content_filter" | "empty" | "error" | "length" | "note_as_text" | "only_thoughts" | "";
  count?: TokenCount | null;
};

/** A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was shown; `cost` is in US dollars, where the provider's prices are known. `attempts` are those that failed before. `thoughts` are those that the provider wants back with the calls. */
export type ModelReplied = {
  type: "model_replied";
  effect: string;
  text?: string;
  calls?: (Call)[];
  model?: string;
  prompt?: string;
  tokens_in?: number;
  tokens_out?: number;
  cost?: number | null;
  replaced?: number;
  attempts?: (Attempt)[];
  thoughts?: (Thought)[];
  request_chars?: number;
  count?: TokenCount | null;
};

/** Move an item of a list of records to a position, from 1; -1 is the last. */
export type Move = {
  type: "move";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field: string;
  item: string | number | Record<string, unknown>;
  to: number;
};

/** A move was decided that is taken at the next user event. */
export type MovePlanned = {
  type: "move_planned";
  transition: string;
  target: string;
};

/** A move that was decided at `tool` is made when the other calls of `tool` in the same reply are done. Without a `transition` it was tried then, and not made. */
export type MovePutOff = {
  type: "move_put_off";
  transition?: string;
  target?: string;
  reply?: string;
  tool?: string;
};

/** A node was left and another entered. `note` is what the transition hands over to the model of the target. */
export type Moved = {
  type: "moved";
  source: string;
  target: string;
  transition: string;
  because?: string;
  note?: string;
};

/** One field change: the field, a value that would do (`None`: take it away), the rule that asks for it, and the value that it has now, also by default (`None` where it is missing). */
export type Need = {
  field: string;
  value: unknown;
  rule: string;
  now: unknown;
  text?: string;
};

/** The new text of a document. It is written only where the file still has the content of the hash `sha256`. */
export type NewContent = {
  file: string;
  text: string;
  sha256: string;
};

/** Begin a conversation. Without a `name` the server makes one. */
export type NewConversation = {
  flow: string;
  name?: string | null;
  time_zone?: string | null;
};

/** The data of an event of another system; the flow declares its fields and their types. */
export type NewEvent = {
  data?: Record<string, unknown>;
};

/** One event for a conversation: exactly one of the keys, beside `position`. */
export type NewTurn = {
  text?: string | null;
  button?: string | null;
  position?: number | null;
  undo?: UndoRequest | null;
  commands?: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[] | null;
  tool?: ToolReport | null;
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
  outcome: "declined" | "lapsed" | "taken";
  because?: "" | "closed" | "left" | "other_turn" | "question" | "refused" | "scope";
};

/** A scope that is proposed to the user. It is `open` while its question waits for an answer, else it waits until it may be asked. `by` is `node`, or the name of the schedule that proposes it. */
export type OfferView = {
  scope: string;
  title: string;
  opener: string;
  by: string;
  is_open: boolean;
  subject: string;
};

/** A scope was proposed to the user by the node in charge, or by a schedule of the name `by`. It waits until it may be asked: then `Said` has the question. `given` is the input of the scope by address; with `is_worded` a model puts the opener in words of its own. */
export type Offered = {
  type: "offered";
  scope: string;
  opener: string;
  by?: string;
  given?: Record<string, unknown>;
  is_worded?: boolean;
};

/** The scope that a frame is: its name, who opened it in which turn, and what it was given. */
export type OpenScope = {
  name: string;
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  turn: number;
  message?: number;
  call?: string;
  tool?: string;
  turns?: number;
  tokens?: number;
};

/** Where the page opens a prepared conversation of the demonstration, while that stands at the position `seq`. */
export type Opening = {
  conversation: string;
  turn: number;
  seq: number;
  shows?: string;
  about?: string;
};

/** A value that a leaf read. `how` says where it came from (`missing` where there is none), `turn` when, `place` in which words of which message; a secret has no place. */
export type Operand = {
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
  field: string;
  source: string;
  options: (ShownOption)[];
  left_out?: number;
};

/** Where a value came from. `seq`, `start` and `end` are the place of its words in a message. */
export type Origin = {
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  turn: number;
  at_ms: number;
  confidence: number | null;
  seq: number | null;
  start: number | null;
  end: number | null;
};

/** Something that would follow: a move, a call of a tool or a model, an end, a handing over. `title` is what it leads to or does, `detail` why or with what, in the language of the request; `approver` is who else would have to agree: empty where no one is asked. */
export type OutlookStep = {
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
  on: boolean | null;
};

/** How an overlay stands. `is_active` is whether it was active in the last turn, `is_next` whether it is in a turn that begins now. `forced` is how it is forced; where it is empty its dates decide. `begins_ms` and `ends_ms` are the span of its dates that holds now, else the next one. */
export type OverlayView = {
  name: string;
  title: string;
  persona_name: string;
  is_active: boolean;
  is_next: boolean;
  forced: "" | "off" | "on";
  is_forced_for_all: boolean;
  forced_by: string;
  forced_ms: number | null;
  begins_ms: number | null;
  ends_ms: number | null;
  subject: string;
};

/** Other overlays are active than in the turn before, from this turn on: all of them, the one with the lowest priority number first, and the name that the agent bears by them. */
export type OverlaysChanged = {
  type: "overlays_changed";
  active: (string)[];
  persona_name?: string;
};

/** The limits that the server applies to this owner. */
export type OwnerLimits = {
  body_bytes: number;
  message_chars: number;
  requests_per_minute: number;
  open_streams: number;
  conversations: number;
};

/** A move that was decided and is taken at the next user event (`reply: next`); `operator` is who chose it. */
export type Pending = [string, string, number, string];

/** The input of a schedule for a period. With `is_set` the program has set it, `by` whom and when, in the place of what the flow has for the period, if it has something. */
export type PeriodInputView = {
  period: string;
  input: Record<string, unknown>;
  is_set: boolean;
  by: string;
  at_ms: number | null;
};

/** A person for whom the conversation waits, or who is in charge (law 6.10). `operator` is the name of the person, empty until a person comes, and `display` what the user sees instead; `reason` is why the operator took over. */
export type Person = {
  queue: string;
  since_ms: number;
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
  queue: string;
  about: string;
  since_ms: number;
  operator: string;
  taken_ms: number | null;
  reason: string;
  display: string;
};

/** Nothing happened lately. The first event of each stream is one; its id is the cursor of the beginning. */
export type Ping = {
  type: "ping";
  at_ms: number;
};

/** A place in the document that an author edits. */
export type PlaceInText = {
  file: string;
  text: string;
  line: number;
  character: number;
  others?: (EditedDocument)[];
};

/** An error as RFC 9457 defines it. `code` is for programs, `detail` for people. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  limit?: string | null;
  hint?: string | null;
  errors?: (Fault)[];
  turn?: TurnResult | null;
  login_url?: string | null;
  candidates?: (SubjectCandidate)[];
};

/** A part of a prompt: persona, instructions, entry, a message of the transcript, notes. */
export type PromptPart = {
  part: "entry" | "instructions" | "missing" | "must_call" | "notes" | "persona" | "prompt" | "question" | "transcript" | "wording";
  text: string;
  role: "" | "agent" | "person" | "tool" | "user";
};

/** A prompt that was sent to a model, made again from the journal; `is_proved` if its hash is the recorded one. */
export type PromptView = {
  effect: string;
  node: string;
  purpose: string;
  parts: (PromptPart)[];
  text: string;
  previous: string | null;
  previous_parts: (PromptPart)[] | null;
  hash: string;
  is_proved: boolean;
  is_erased: boolean;
};

/** A scope that is proposed: its opener, who proposes it, and the input that it opens with, by address. */
export type Proposal = {
  scope: string;
  opener: string;
  by?: string;
  frame?: number;
  node?: string;
  visit?: number;
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
  node: string;
};

/** What to suppose in the conversations of a flow; `after` is the `next` of the page before. */
export type QuestionToAll = {
  values?: Record<string, unknown>;
  rules?: Record<string, string>;
  after?: string;
};

/** The questions whose answers a field takes were read from a field, and stay these until the form is entered again. `node` is the node of the form. A scope that returns the answers takes their questions along. */
export type QuestionsFixed = {
  type: "questions_fixed";
  field: string;
  source: string;
  node: string;
  questions: (DataQuestion)[];
};

/** The source of the Python guards, where the node has nothing but code. */
export type RawCode = {
  pre: string | null;
  post: string | null;
};

/** Give back the state as it was at the end of a turn; answered by `StateRecalled`. */
export type RecallState = {
  type: "recall_state";
  id: string;
  turn: number;
};

/** Read words back from the journal; answered by `WordsRecalled` in the same order. */
export type RecallWords = {
  type: "recall_words";
  id: string;
  places: ([number, number, number])[];
};

/** Every field of a conversation's records with its value, at the end of its last turn. Secrets are redacted. */
export type Records = {
  conversation: string;
  turn: number;
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
  records: Records;
};

/** Take an item out of a list field: the item itself, or as an `ItemRef` names one of a list of records. */
export type Remove = {
  type: "remove";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  field: string;
  item: unknown;
};

/** A repair of a problem: what a button says, the part of the text that it replaces, and the new text. */
export type RepairView = {
  title: string;
  range: TextRange;
  text: string;
};

/** Say that again. */
export type Repeat = {
  type: "repeat";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The client has a position that the journal has not reached: the conversation was deleted and begun again under its name, or a backup was restored. Drop what you have of it; everything follows from the first entry. */
export type Reset = {
  type: "reset";
  conversation: string;
  position: number;
  last: number;
};

/** Begin the task again. */
export type Restart = {
  type: "restart";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The effect of a rule that holds. */
export type RuleResult = {
  action: "block" | "stay" | "transition";
  target?: string | null;
};

/** Run a tool; answered by `ToolReturned` or `ToolFailed`. `call` is the call of a model that it answers, empty where the tool is a node's own work. `was_begun` is true where it may have run before under this id, as after a crash. */
export type RunTool = {
  type: "run_tool";
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
  kind?: "block" | "budget" | "cancelled" | "chooser" | "consent" | "cut" | "done" | "entry" | "failed" | "fallback" | "hand_over" | "help" | "notice" | "offer" | "person" | "question" | "refused" | "reminder" | "reply" | "say" | "stale_button" | "stop" | "summary" | "undo" | "undone" | "unseen_question" | "wait" | "why";
  buttons?: (Button)[];
  question?: "budget" | "call" | "chooser" | "confirmation" | "field" | "offer" | null;
  field?: string;
};

/** A document that was written, and whether the flow was loaded again with it. */
export type SavedDocument = {
  file: SourceFile;
  sha256: string;
  fingerprint: string;
  is_running: boolean;
  problems?: (DiagnosticView)[];
};

/** A schedule came due: the time at which it fires, and how many times it was handled before. `inputs` are those that the program has set for periods about this time. Without `at_ms` it is fired now, by `by`. */
export type ScheduleDue = {
  type: "schedule_due";
  schedule: string;
  at_ms?: number | null;
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
  reason?: "" | "bad_input" | "held" | "missed" | "no_input" | "quiet" | "refused";
  scope?: string;
  period?: string;
  input?: Record<string, unknown> | null;
  is_set?: boolean;
  missed?: number;
  late?: boolean;
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
  does: string;
  scope: string;
  takes: (string)[];
  inputs: (PeriodInputView)[];
};

/** The schedules of a conversation, in the time zone by which they were computed. `said_ms` is when the user wrote last, or the conversation began. */
export type Schedules = {
  zone: string;
  said_ms: number;
  armed?: (ArmedSchedule)[];
  instructions?: (Instruction)[];
};

/** A scope was closed with an outcome. What was said inside leaves the transcript, and the summary stays in it; what it returned is set next. `tool` is the tool that opened it, `call` the model's call which that result answers. `is_by_model` is true where a model wrote the summary. */
export type ScopeClosed = {
  type: "scope_closed";
  scope: string;
  outcome: string;
  summary: string;
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  call?: string;
  tool?: string;
  is_by_model?: boolean;
  keep?: KeptWords | null;
};

/** A scope was opened at its first node, and the conversation goes on inside. `message` is the position of the message that it knows; `tool` is the tool that opened it, `call` the model's call of that tool. `note` was handed over to the model inside. */
export type ScopeOpened = {
  type: "scope_opened";
  scope: string;
  node: string;
  by: "call" | "node" | "offer" | "program" | "schedule" | "tool" | "user";
  transition?: string;
  message?: number;
  call?: string;
  tool?: string;
  note?: string;
  erased?: Erasure | null;
};

/** A decision between two messages, in one line. `text` is made of the parts beside it, with ids; `words` say it with titles in each language of the page. With the moment `person` it is no decision but an act of a person, who took over, or gave the conversation back. */
export type Seam = {
  seq: number;
  turn: number;
  at_ms: number;
  node: string;
  moment: string;
  outcome: "blocked" | "ended" | "error" | "moved" | "person" | "stayed";
  mark: "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown";
  text: string;
  target: string;
  transition: string;
  because: string;
  nearest: string;
  operator: string;
  is_undone: boolean;
  frame: number;
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
  confirm?: boolean;
};

/** The conversation has passed this many positions of the node's tool sequence (law 4.1). */
export type SequenceAdvanced = {
  type: "sequence_advanced";
  to: number;
};

/** Give a field a value. Without a field the machine finds the one that is corrected (law 7.3). */
export type Set = {
  type: "set";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  value: unknown;
  field?: string;
  correction?: boolean;
};

/** One option as it was shown: the value that is stored, and the label if it is another text. */
export type ShownOption = [string, string];

/** Leave this question out. */
export type Skip = {
  type: "skip";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The state at this position: folding may begin here. It changes nothing. `by` is how the turn that it ends was erased. */
export type Snapshot = {
  type: "snapshot";
  state: State;
  by?: Erasure | null;
};

/** A document of a flow: as it is on disk now where the server reloads the flow, else as it was at the start. */
export type SourceFile = {
  file: string;
  name: string;
  format: "dygram" | "json" | "yaml";
  text: string;
  saved_ms: number;
  sha256: string;
  is_current: boolean;
};

/** What was used in all, in the last turn and on the last day that used anything. */
export type Spending = {
  total?: Used;
  turn?: number;
  of_turn?: Used;
  day?: string;
  of_day?: Used;
  prompts?: Record<string, number>;
  reached?: Record<string, string>;
  granted?: Record<string, [string, number]>;
  asked?: string;
  wanted?: number;
  last?: Used;
};

/** What calls used in all, in the last turn and on the last day, and how the budgets stand. `asked` is the budget about which the user is asked, empty where none is. */
export type SpendingReport = {
  conversation: SpentAmount;
  turn: SpentAmount;
  day: SpentAmount;
  currency?: string;
  asked?: string;
  budgets?: (BudgetUse)[];
};

/** What the calls of models used and cost: in all turns, and in each of the last ones that called a model. */
export type SpendingView = {
  calls: number;
  tokens_in: number;
  tokens_out: number;
  money: number | null;
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
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
  target: string;
  input?: Record<string, unknown>;
};

/** A conversation began. Always the first event. The first node is entered with it, unless a write that belongs to entering was refused. `explains` is true where the user may ask why. `overlays` are those that were forced for all conversations of the flow. */
export type Started = {
  type: "started";
  flow: string;
  version: number;
  fingerprint: string;
  node: string;
  time_zone?: string;
  language?: string;
  is_entered?: boolean;
  explains?: boolean;
  overlays?: (ForcedOverlay)[];
};

/** Everything that a conversation is at one moment. */
export type State = {
  format: number;
  flow: string;
  version: number;
  fingerprint: string;
  seq: number;
  turn: number;
  at_ms: number;
  time_zone: string;
  language: string;
  status: turnwise_core_state_Waiting | turnwise_core_state_Ended | turnwise_core_state_Failed;
  frame: Frame;
  outer?: (Frame)[];
  came_from?: number;
  values?: Record<string, FieldValue>;
  shelved?: Record<string, FieldValue>;
  errors?: number;
  run_moves?: number;
  explains?: boolean;
  is_bound?: boolean;
  forked?: number;
  doing?: TurnState | null;
  snapshot?: number;
  taken_back?: (TakenBack)[];
  kept_effects?: (KeptEffect)[];
  undone?: ([number, number])[];
  request_chars?: Record<string, number>;
  cut_off?: number;
  missed?: (number)[];
  unprompted?: (number)[];
  unseen_from?: number;
  spending?: Spending | null;
  question_lists?: Record<string, QuestionList> | null;
  option_lists?: Record<string, OptionList> | null;
  offers?: (Proposal)[];
  overlays?: OverlayState | null;
  schedules?: Schedules | null;
  last_item?: number;
  changed_item?: ChangedItem | null;
};

/** The runner read the state at the end of an earlier turn, for an undo. `kept` are the tools used since, which an undo cannot reverse; `calls` are those that were the work of a node, `made` the ids of those of a model (`None` in journals of version 0.1), `effects` all of them that changed the world; `said` is the last text of that turn. `frames` are the frames of those in `kept`, empty where all belong to the one in charge then. */
export type StateRecalled = {
  type: "state_recalled";
  effect: string;
  turn: number;
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
  seq: number;
  node: string;
  status: Record<string, unknown>;
  values: (ValueView)[];
  timers: (TimerView)[];
  form: FormView | null;
  question: string;
  pending: string;
  awaiting_approval: Record<string, unknown> | null;
  visits: Record<string, number>;
  tools: Record<string, number>;
  last_tools: (ToolUse)[];
  errors: number;
  stack: (string)[];
  frames: (number)[];
  person: PersonView | null;
  time_zone: string;
  language: string;
  approvals: (WaitingCall)[];
};

/** What a tab watches. `after` are positions, one for each conversation, for a client that has loaded some. `list` adds changes of the list of conversations; `cursor` is the id of the last event that was received. */
export type StreamQuery = {
  conversation?: (string)[];
  after?: (number)[];
  debug?: boolean;
  list?: boolean;
  cursor?: string;
};

/** What a question is about. `name` is the name in the flow, the number of a turn or message, the id of a call, an item of a list of records by its id (`order.items[i3]`), or one value of it (`order.items[i3].size`); it is empty for what there is once: the conversation, its end, the open question, the person. */
export type Subject = {
  kind: "call" | "conversation" | "delivery" | "end" | "event" | "field" | "form" | "item" | "limit" | "message" | "model" | "node" | "origin" | "overlay" | "person" | "question" | "schedule" | "timer" | "tool" | "transition" | "turn";
  name?: string;
};

/** What a question may be about: the subject as it can be asked for, what the flow or the user calls it, and why it is offered. */
export type SubjectCandidate = {
  subject: string;
  title: string;
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
  reason?: string;
  instead_of?: string | null;
};

/** A performed call of a node's own work, whose result an undo removed. If the node makes the same call again, the call has the same `id`. `arguments` is a digest of them. */
export type TakenBack = [string, string, string, string];

/** A person took the conversation over; until they give it back, nothing is interpreted and no model is called. */
export type TakenOver = {
  type: "taken_over";
  operator: string;
  reason?: string;
  instead_of?: string;
  display?: string;
};

/** A place in a text. */
export type TextPosition = {
  line: number;
  character: number;
};

/** A part of a text; `end` is behind its last character. */
export type TextRange = {
  start: TextPosition;
  end: TextPosition;
};

/** What a provider wants back with the calls of a reply: a thought with its signature, or a mark of a call or text. */
export type Thought = {
  model: string;
  kind?: "call" | "text" | "thought";
  calls?: number;
  text?: string;
  signature?: string;
  id?: string;
  provider?: string;
  details?: Record<string, unknown>;
};

/** What a conversation does by the clock, and what it spent. `now_ms` is the time of the server; the dates of the conversation are in `time_zone`. */
export type TimeView = {
  conversation: string;
  now_ms: number;
  time_zone: string;
  due: (DueView)[];
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
  lanes: (string)[];
  turns: (TimelineTurn)[];
  marks: (TimelineMark)[];
  commits: (number)[];
  moves: ([number, number, number])[];
  last_seq: number;
  is_cut: boolean;
  candidates: ((string)[])[];
  depths: (number)[];
  signs: (TimelineSign)[];
  overlays: (TimelineOverlay)[];
  titles: Record<string, string>;
};

/** One decision on the timeline. */
export type TimelineMark = [number, number, number, number, "blocked" | "error" | "false" | "not_reached" | "outranked" | "taken" | "unknown", number, string, boolean, string, string, number, string, number, number, boolean];

/** An overlay on the timeline: from the position at which it became active, to that at which it ended. */
export type TimelineOverlay = [string, string, number, number | null];

/** Something around the conversation on the timeline: a timer that fired, an offer, an event of another system. */
export type TimelineSign = [number, number, number, "clock" | "event" | "limit" | "offer" | "overlay", string];

/** One turn on the timeline: its number, its first and last position, its time, and the lane it ends in; `frame` is the id of the frame it ends in, `depth` how many frames are around that one. */
export type TimelineTurn = [number, number, number, number, number, string, boolean, number, number];

/** A timer that is armed: its transition, the visit, when it is due, and how often it has fired in this wait. */
export type Timer = [string, string, number, number, number];

/** A timer came due: the transition it belongs to, the visit for which it was armed, and its time. */
export type TimerFired = {
  type: "timer_fired";
  timer: string;
  visit?: number | null;
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
  node: string;
  due_ms: number;
  because: string;
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
  effect: string;
  tool: string;
  reason: string;
  ms?: number;
  call?: string;
  in_doubt?: boolean;
  not_run?: boolean;
  at?: string;
  attempts?: (Attempt)[];
};

/** How often each tool was used, and the last uses in order, the newest last. */
export type ToolHistory = {
  counts?: Record<string, number>;
  last?: (ToolUse)[];
};

/** A use of a tool by the code of the host. */
export type ToolReport = {
  name: string;
  arguments?: Record<string, unknown>;
  result?: unknown;
};

/** A tool returned a result (JSON data) after `ms` milliseconds. `attempts` are those that failed before. */
export type ToolReturned = {
  type: "tool_returned";
  effect: string;
  tool: string;
  result?: unknown;
  ms?: number;
  call?: string;
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
  result?: unknown;
};

/** A tool of the flow at this node: offered to the model, or why not. */
export type ToolView = {
  name: string;
  about: string;
  is_offered: boolean;
  reason: string;
  policy: string;
  is_effect: boolean;
  used: number;
  parameters: Record<string, unknown>;
  code: string;
};

/** What the chat shows. `seams` are empty without `debug:read`. */
export type Transcript = {
  conversation: ConversationSummary;
  messages: (Message)[];
  seams: (Seam)[];
  is_cut: boolean;
  erasure: string;
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
  moment: string;
  target: string;
  because: string;
};

/** The payload. */
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
  timers?: (Timer)[];
  schedules?: Schedules | null;
};

/** A turn that was cut off resumes at the effect that it awaits; text that was shown but not stored is withdrawn. */
export type TurnRestarted = {
  type: "turn_restarted";
};

/** The result of a turn, or the refusal of an event (`refused` is its code, `text` its words). */
export type TurnResult = {
  conversation: string;
  number: number;
  text: string;
  buttons: (Button)[];
  status: "" | "ended" | "failed" | "waiting";
  node: string;
  outcome: string;
  position: number | null;
  seq: number;
  refused: string;
  is_duplicate: boolean;
  messages: (Message)[];
  form: FormView | null;
  artefacts: (Record<string, unknown>)[];
  warnings: (TurnWarning)[];
  recovered: (TurnResult)[];
  unprompted: (TurnResult)[];
  operator: string;
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
  kind: "approval" | "chose" | "commands" | "continued" | "event" | "given_back" | "operator" | "said" | "schedule" | "started" | "taken_over" | "timer" | "tool" | "undo";
  at_ms: number;
  seq: number;
  start_node?: string;
  base?: number;
  message?: string | null;
  button?: string | null;
  is_used_up?: boolean;
  moves?: number;
  entered?: (string)[];
  understood_for?: (string)[];
  has_spoken?: boolean;
  closed?: "" | "confirmed" | "handed_off";
  heard?: (CommandOutcome)[];
  fault?: turnwise_core_state_Fault | null;
  effects?: number;
  model_calls?: number;
  tool_calls?: number;
  calls?: (Call)[];
  failures?: Record<string, number>;
  asked_to_choose?: number;
  rearms?: boolean;
  awaited?: Understand | CallModel | RunTool | RecallWords | RecallState | null;
  cut_off?: number;
  operator?: string;
  wants_out?: boolean;
  has_caught?: boolean;
  missed?: (number)[];
  prompted?: string;
  opened?: number;
  closed_scopes?: (string)[];
  scope_outcome?: string;
  has_declined?: boolean;
  event?: EventData | null;
};

/** Everything that the panel shows of one turn. */
export type TurnTrace = {
  conversation: string;
  turn: number;
  about: string;
  version: number;
  fingerprint: string;
  is_other_version: boolean;
  first_seq: number;
  last_seq: number;
  at_ms: number;
  took_ms: number;
  decisions: (DecisionView)[];
  state: StateView;
  prompts: (PromptView)[];
  tools: (ToolView)[];
  calls: (CallView)[];
  model_calls: (ModelCallView)[];
  events: (EventRow)[];
  commits: (number)[];
  overlays: (string)[];
  nothing_judged: string;
  is_erased: boolean;
  activity: ActivityView | null;
};

/** A problem of a turn, by its code. What happened is in the trace, which needs `debug:read`: the words may name guards, providers and operators. */
export type TurnWarning = {
  code: "calls_not_run" | "characters_replaced" | "guard_error" | "late" | "offer_not_made" | "options_left_out" | "reply_failed" | "reply_replaced" | "request_shortened" | "result_not_stored" | "scope_not_opened" | "silent_turn" | "stale_button" | "summary_failed" | "text_gap" | "transition_cascade_limit" | "understanding_failed" | "unknown_language" | "unknown_time_zone" | "wording_failed";
};

/** Read the turn's message and propose commands; answered by `Understood` or `UnderstandingFailed`. */
export type Understand = {
  type: "understand";
  id: string;
  field?: string;
  by_rules?: boolean;
  model?: string;
};

/** Understanding failed; the turn continues without commands. `at` is the `file:line` where user code raised, `attempts` are those of a model that failed before the last one. */
export type UnderstandingFailed = {
  type: "understanding_failed";
  effect: string;
  reason: string;
  at?: string;
  attempts?: (Attempt)[];
  count?: TokenCount | null;
};

/** A message was understood as commands. `claims` are other statements of the understanding: recorded, never applied. `dropped` are words for values that the rules did not propose, with the reason. If a model understood it, `model`, `prompt`, tokens, cost and `attempts` are as in `ModelReplied`. */
export type Understood = {
  type: "understood";
  effect: string;
  commands: (Set | Clear | Add | Change | Remove | Move | Copy | Affirm | Deny | Edit | Skip | Back | Help | Why | Repeat | Wait | Cancel | Restart | Undo | Start | HandOver | Ask)[];
  by: "function" | "model" | "rules";
  claims: Record<string, unknown>;
  model: string;
  prompt: string;
  tokens_in: number;
  tokens_out: number;
  cost: number | null;
  replaced: number;
  attempts: (Attempt)[];
  request_chars: number;
  dropped: (Dropped)[];
  is_over_budget: boolean;
  count: TokenCount | null;
};

/** A value that was understood in a message; `start` and `end` are its words, as offsets in the text. */
export type UnderstoodValue = {
  field: string;
  value: unknown;
  how: "button" | "command" | "default" | "derived" | "direct" | "operator" | "prefill" | "scope" | "set" | "supposed" | "tool" | "understood";
  start?: number | null;
  end?: number | null;
  did?: "added" | "changed" | "moved" | "removed" | "set";
};

/** Take the last turn back. */
export type Undo = {
  type: "undo";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** The host undoes the last turn, or all turns after `to`. */
export type UndoAsked = {
  type: "undo_asked";
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
  state: State;
  kept?: (string)[];
  closed?: (KeptWords)[];
};

/** An amount of each measure: money in billionths, tokens, milliseconds. */
export type Used = [number, number, number];

/** The user pressed a button: its value (or label), the position that offered it, and `is_new` as in `UserSaid`. */
export type UserChose = {
  type: "user_chose";
  value: string;
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
  field: string;
  title: string;
  type: string;
  value: unknown;
  text: string;
  is_known: boolean;
  is_secret: boolean;
  is_default: boolean;
  is_active: boolean;
  origin: Origin | null;
  reason: string;
  before: unknown;
  is_changed: boolean;
  item_fields: (ItemField)[];
  most: number | null;
};

/** What happened, and why, without a full stop: `Moved to Profiler`, `Terms accepted`; or `Stayed: needs Age ≥ 38 (is 35)`, `That leads to Expert: old enough`. `reason` is empty where the flow gives none. */
export type VerdictWords = {
  headline: string;
  reason?: string;
};

/** One moment. */
export type Wait = {
  type: "wait";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
};

/** An argument of a call that waits. `text` is the value as people read it; a secret value is redacted. */
export type WaitingArgument = {
  name: string;
  title: string;
  type: string;
  value: unknown;
  text: string;
  options: (string)[];
  is_secret: boolean;
  is_optional: boolean;
  items: ItemTexts | null;
};

/** A call that waits for approval: `id` names it in decisions, `about` is what it does, `question` the question that the author wrote for its approval, in parts; empty without one. `done_before` says that the same effect was done before an undo, and when; empty where it was not. */
export type WaitingCall = {
  id: string;
  tool: string;
  about: string;
  arguments: (WaitingArgument)[];
  approver: "operator" | "user";
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
  arguments?: (string)[];
  is_value?: boolean;
};

/** A problem that operators should see; the turn continues. */
export type Warned = {
  type: "warned";
  code: "calls_not_run" | "characters_replaced" | "guard_error" | "late" | "offer_not_made" | "options_left_out" | "reply_failed" | "reply_replaced" | "request_shortened" | "result_not_stored" | "scope_not_opened" | "silent_turn" | "stale_button" | "summary_failed" | "text_gap" | "transition_cascade_limit" | "understanding_failed" | "unknown_language" | "unknown_time_zone" | "wording_failed";
  message: string;
  fields?: (string)[];
};

/** What to suppose: values by field (`null`: none), guards by transition. `turn` is the turn to judge again, by default every turn. */
export type WhatIfBody = {
  turn?: number | null;
  values?: Record<string, unknown>;
  rules?: Record<string, string>;
};

/** A decision that was judged again: as recorded, and as it would have been. */
export type WhatIfDecision = {
  seq: number;
  turn: number;
  node: string;
  was: Decision;
  would: Decision;
  differs: boolean;
  replaced: (string)[];
};

/** What would differ in some of a flow's conversations; `next` is the cursor of the following ones. `skipped` are conversations that cannot be judged again: their version of the flow does not have what is supposed. */
export type WhatIfPage = {
  conversations: number;
  total: number;
  judged: number;
  differs: number;
  changed: (ChangedConversation)[];
  skipped: number;
  problems: (GuardProblem)[];
  next: string | null;
};

/** What would differ. `problems` are faults in the values or guards of the question; then nothing was judged. */
export type WhatIfResult = {
  judged: number;
  differs: number;
  decisions: (WhatIfDecision)[];
  problems: (GuardProblem)[];
  skipped: number;
  command: string;
};

/** Say why: the question, the last move, or what a field is needed for. `text` is a whole question of the user, `answer` what the runner found in the journal for it. */
export type Why = {
  type: "why";
  words?: [number, number] | null;
  confidence?: number | null;
  objection?: "" | "beside_question" | "contradicted" | "doubtful" | "misquoted" | "no_plain_yes" | "no_value" | "not_named" | "unsupported";
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
  place: [number, number, number];
};

/** The runner read words from the journal; `None` where retention erased them. */
export type WordsRecalled = {
  type: "words_recalled";
  effect: string;
  words: (string | null)[];
};

/** The node in charge has done its work. */
export type WorkDone = {
  type: "work_done";
  node: string;
};

/** The conversation has ended. */
export type turnwise_core_state_Ended = {
  type: "ended";
  outcome: string;
};

/** The last turn failed; the next message tries again from the same node. */
export type turnwise_core_state_Failed = {
  type: "failed";
  reason: "guard" | "limit" | "model" | "refused" | "stuck" | "text" | "tool" | "write";
  message?: string;
};

/** A failure: what `error.*` is bound to while an `error` transition is judged, and what explanations show. */
export type turnwise_core_state_Fault = ["guard" | "limit" | "model" | "refused" | "text" | "tool" | "write", string, string, string, unknown, unknown, string, string];

/** The conversation waits for a message, a button, or the result of an effect. */
export type turnwise_core_state_Waiting = {
  type: "waiting";
  what: "approval" | "button" | "continuation" | "journal" | "message" | "model" | "person" | "tool" | "understanding" | "user";
  since_ms: number;
};

/** The conversation ended with an outcome. */
export type EndedEvent = {
  type: "ended";
  outcome: string;
};

/** The turn failed; the next message can continue the conversation. */
export type FailedEvent = {
  type: "failed";
  reason: "guard" | "limit" | "model" | "refused" | "stuck" | "text" | "tool" | "write";
  message?: string;
};

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
  person: PersonView;
  why: string;
  due_ms: number | null;
  known: (KnownValue)[];
};

/** One thing that is wrong in a request: where, what, and what to do. `at` is a JSON pointer into the body (in a file of lines the first part is the line, from 0), `?name` for a parameter, or the name of a header. */
export type Fault = {
  at: string;
  message: string;
  hint: string;
};
