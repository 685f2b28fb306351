"""The shape of a flow document: every key of every object, once.

The reader, the writer, the JSON Schema and the reference are all made from these tables.
"""

from __future__ import annotations

from typing import get_args

from turnwise.flow import model
from turnwise.flow import short_forms as short
from turnwise.flow.model import words
from turnwise.flow.shape import (
    ARGUMENT_NAME,
    TOOL_NAME,
    Anything,
    Bound,
    Duration,
    Flag,
    Integer,
    Key,
    Many,
    Name,
    Named,
    OneOf,
    Part,
    Shape,
    Table,
    Text,
    When,
)

TEXT, NAME, FLAG, WHEN, DURATION, ANYTHING = Text(), Name(), Flag(), When(), Duration(), Anything()
NAMES, TEXTS = Many(Text(), single=True), Many(Text(), single=True)

TYPES: tuple[str, ...] = get_args(words.FieldType)
OPTIONS = Many(Part("Option"), single=True, split=True)

OPTION = Shape(
    "an allowed answer",
    model.Option,
    (
        Key("value", TEXT, "the answer", required=True),
        Key("words", TEXTS, "further words that mean it"),
    ),
    short.widen_option,
    short.narrow_option,
    short.OPTION,
)
FIELD = Shape(
    "a field of a record, or an argument of a tool",
    model.Field,
    (
        Key("type", OneOf(TYPES), "what kind of value it holds"),
        Key("of", OneOf(tuple(word for word in TYPES if word != "list")), "of a list: the type of its items"),
        Key("options", OPTIONS, "the allowed answers, each with further words that mean it"),
        Key("min", Bound(), "smallest value; of a text its shortest length, of a list its least items"),
        Key("max", Bound(), "largest value; of a text its greatest length, of a list its most items"),
        Key("pattern", TEXT, "a regular expression (RE2) that the whole text must match"),
        Key("about", TEXT, "what it means, for people and models"),
        Key("default", ANYTHING, "what guards and templates see while it is missing; a form offers it"),
        Key("value", TEXT, "an expression: the field is derived and nobody writes it"),
        Key("secret", FLAG, "redacted everywhere but in the store, and in what `turnwise test` compares and writes"),
        Key("optional", FLAG, "of a tool's argument: it may be left out"),
        Key("validate", WHEN, "a guard that a new value must not fail"),
        Key("refuse", TEXT, "what is said when `validate` refuses"),
    ),
    short.widen_field,
    short=short.TEXT,
)
RECORD = Shape(
    "a named group of fields",
    model.Record,
    (Key("fields", Named("Field"), "its fields"),),
    short.widen_record,
    short.narrow_record,
    short.RECORD,
)
POSITION = Shape(
    "a position of a tool sequence",
    model.SequencePosition,
    (
        Key("tools", NAMES, "the tools, any of which fills it", required=True),
        Key("optional", FLAG, "it may be left out"),
    ),
    short.widen_position,
    short.narrow_position,
    short.POSITION,
)
RETRY = Shape(
    "how failed work is tried again",
    model.Retry,
    (
        Key("times", Integer(), "further attempts"),
        Key("pause", DURATION, "the wait between two attempts", "pause_s"),
    ),
)
TOOL = Shape(
    "a tool",
    model.Tool,
    (
        Key("about", TEXT, "what it does, for the model"),
        Key("args", Named("Field", ARGUMENT_NAME), "its arguments: a type, or a field"),
        Key("kind", OneOf(get_args(words.ToolKind)), "whether it changes the world"),
        Key("confirm", FLAG, "the user is asked before it runs"),
        Key("timeout", DURATION, "when it counts as failed", "timeout_s"),
        Key("retry", Part("Retry"), "how it is tried again"),
        Key("on_crash", OneOf(get_args(words.OnCrash)), "what happens to a call in doubt"),
        Key("expects", TEXT, "a commitment that the checker must prove, such as `confirmed`"),
    ),
)
MCP = Shape(
    "a server that supplies tools",
    model.McpServer,
    (
        Key("command", Many(TEXT, single=True), "the command that starts it"),
        Key("url", TEXT, "its address"),
        Key("env", Many(TEXT, single=True), "variables of the environment that the command is given"),
        Key("token", TEXT, "the variable of the environment with the bearer token of the address"),
    ),
)
POLICY = Shape(
    "which tools a node allows",
    model.ToolPolicy,
    (
        Key("allow", NAMES, "tools, with wildcards"),
        Key("deny", NAMES, "tools that are not allowed, with wildcards"),
        Key("sequence", Many(Part("Position"), single=True), "tools that must be used in this order"),
        Key("enforce", FLAG, "true: the sequence is demanded although a `sequence_match` reads it"),
    ),
)
TOOL_WORK = Shape(
    "a tool as the work of a node",
    model.ToolWork,
    (
        Key("name", Name(TOOL_NAME), "which tool", required=True),
        Key("with", Table(TEXT), "its arguments as expressions", "arguments"),
        Key("into", NAME, "the record that takes its result"),
    ),
    short.widen_tool,
    short=short.TEXT,
)
COLLECT = Shape(
    "fields filled from what the user says",
    model.Collect,
    (
        Key("fields", NAMES, "fields, or whole records", required=True),
        Key("mode", OneOf(get_args(words.CollectMode)), "whether what is known may be overwritten"),
        Key("expose", OneOf(get_args(words.Exposure)), "all missing fields at once, or one at a time"),
    ),
    short.widen_collect,
    short.narrow_collect,
    short.NAMES,
)
STOP = Shape(
    "answers that end a form",
    model.Stop,
    (Key("values", TEXTS, "the answers", required=True), Key("say", TEXT, "what is said then")),
)
FORM_FIELD = Shape(
    "a question of a form",
    model.FormField,
    (
        Key("field", TEXT, "the field that takes the answer", required=True),
        Key("ask", TEXT, "the question"),
        Key("help", TEXT, "what is said when the user asks for help"),
        Key("required", FLAG, "false: the form can be complete without it, and asks it after the required ones"),
        Key("asked", FLAG, "false: the form never puts this question; it takes the answer if the user gives it"),
        Key("options", OPTIONS, "the allowed answers, in the order of the buttons"),
        Key("other", FLAG, "a button for an answer in free text"),
        Key("anything", FLAG, "a free text may be any message, also a question, a bare yes or thanks"),
        Key("buttons", Table(TEXT), "labels of the buttons, by option"),
        Key("ask_when", WHEN, "when it is asked"),
        Key("stop", Part("Stop"), "answers that end the form"),
        Key("match", OneOf(get_args(words.MatchMode)), "whether a model may read the answer"),
        Key("validate", WHEN, "a guard that a new value must not fail"),
        Key("refuse", TEXT, "what is said when `validate` refuses"),
        Key("rephrase", TEXTS, "other wordings, one for each time that the answer was not understood"),
        Key("then", OneOf(get_args(words.LastRung)), "what follows the last of them"),
        Key("key", TEXT, "its name on the wire"),
    ),
)
CONFIRM = Shape(
    "how answers are confirmed",
    model.Confirm,
    (
        Key("summary", TEXT, "a template for the summary"),
        Key("buttons", Table(TEXT), "labels: `yes`, `edit`"),
        Key("edit", OneOf(get_args(words.EditWay)), "an edit asks which answer, or asks again in order"),
    ),
)
FORM = Shape(
    "questions that are asked in order, required ones first",
    model.Form,
    (
        Key("fields", Many(Part("FormField")), "the questions"),
        Key("questions", TEXT, "a list that holds the questions as data"),
        Key("confirm", Part("Confirm"), "the answers are shown and confirmed"),
        Key("statement", TEXT, "a template for the problem statement"),
        Key("handoff", NAME, "who takes over after the confirmation"),
        Key("acknowledge", TEXT, "said before the next question"),
        Key("wording", OneOf(get_args(words.Wording)), "who words the questions"),
        Key("fresh", FLAG, "a new visit clears the answers"),
        Key("prefill", OneOf(get_args(words.Prefill)), "what happens to values known from elsewhere"),
    ),
)
SCOPE_LIMITS = Shape(
    "when an inner conversation closes by itself",
    model.ScopeLimits,
    (
        Key("turns", Integer(1), "user turns"),
        Key("idle", DURATION, "silence", "idle_s"),
        Key("tokens", Integer(1), "tokens"),
    ),
)
SUMMARY = Shape(
    "what an inner conversation leaves behind",
    model.Summary,
    (
        Key("fallback", TEXT, "a template", "template"),
        Key("model", FLAG, "a model writes it, with the template as fallback"),
    ),
    short.widen_summary,
    short.narrow_summary,
    short.TEXT,
)
SCOPE = Shape(
    "an inner conversation",
    model.Scope,
    (
        Key("inherits", NAMES, "records that it sees, and `message`"),
        Key("input", Named("Field"), "fields that whoever opens it gives"),
        Key("returns", NAME, "the record that it gives back"),
        Key("summary", Part("Summary"), "what stays of it"),
        Key("limits", Part("ScopeLimits"), "when it closes by itself"),
        Key("tool", Name(TOOL_NAME), "the name of the tool that opens it"),
        Key("on_return", OneOf(get_args(words.OnReturn)), "how the interrupted node goes on"),
        Key("keep", DURATION, "how long its words are kept", "keep_s"),
        Key("records", Named("Record"), "records of its own"),
        Key("start", TEXT, "its first node"),
        Key("nodes", Named("Node"), "its nodes"),
        Key("flow", TEXT, "another file that runs in it"),
    ),
)
OFFER = Shape(
    "a scope that is proposed",
    model.Offer,
    (Key("scope", TEXT, "which", required=True), Key("opener", TEXT, "the words for it")),
)
TRANSITION = Shape(
    "a way out of a node",
    model.Transition,
    (
        Key("id", NAME, "its name; made from the target where it is left out"),
        Key("at", OneOf(get_args(words.Moment)), "when it is judged"),
        Key("when", WHEN, "its guard"),
        Key("guard", NAME, "the Python function that is its guard"),
        Key("mirror", FLAG, "it only describes a Python guard and never fires"),
        Key("because", TEXT, "its reason, in a sentence"),
        Key("priority", Integer(), "lower is judged first"),
        Key("in", DURATION, "of a timer: the delay", "delay_s"),
        Key("set", Table(ANYTHING), "fields that it writes: constants or expressions"),
        Key("reply", OneOf(get_args(words.Reply)), "whether the target speaks in this turn"),
        Key("to", TEXT, "the node that it goes to"),
        Key("call", TEXT, "the scope that it opens"),
        Key("stay", FLAG, "it holds here, and nothing after it is judged"),
        Key("block", TEXT, "it refuses, and says this"),
        Key("return", FLAG, "it closes the scope", "return_"),
        Key("end", TEXT, "it ends with this outcome"),
    ),
)
NODE = Shape(
    "a place that a conversation can be in",
    model.Node,
    (
        Key("description", TEXT, "what it is for, shown in drawings"),
        Key("persona", TEXT, "who speaks here"),
        Key("model", TEXT, "the model that works here"),
        Key("say", TEXT, "work: a text"),
        Key("prompt", TEXT, "work: instructions for the model; beside a form or scope, its voice"),
        Key("form", Part("Form"), "work: questions"),
        Key("tool", Part("ToolWork"), "work: a tool"),
        Key("scope", Part("Scope"), "work: an inner conversation"),
        Key("entry", TEXT, "said once on each arrival, before the work; a prompt is told it for its first reply"),
        Key("collect", Part("Collect"), "fields to fill"),
        Key("reads", NAMES, "records or fields that the model may read"),
        Key("writes", NAMES, "records or fields that the model may write"),
        Key("tools", Part("ToolPolicy"), "the tools that it may use"),
        Key("enter_when", WHEN, "a guard that opens this node from every other node"),
        Key("set", Table(ANYTHING), "fields that are written on entering"),
        Key("set_on_leave", Table(ANYTHING), "fields that are written on leaving"),
        Key("offer", Part("Offer"), "a scope that it proposes"),
        Key(
            "once",
            TEXT,
            "this node works once, the next message goes to that one: an unguarded `reply: next`",
        ),
        Key("end", TEXT, "the conversation ends here, with this outcome, after the work"),
        Key("retry", Part("Retry"), "how failed work is tried again"),
        Key("timeout", DURATION, "when its work counts as failed", "timeout_s"),
        Key("transitions", Many(Part("Transition")), "the ways out"),
    ),
)
OVERLAY = Shape(
    "a dated change of persona",
    model.Overlay,
    (
        Key("from", TEXT, "first day or moment", "starts"),
        Key("to", TEXT, "last day or moment", "ends"),
        Key("every", OneOf(get_args(words.Recurrence)), "whether it comes back"),
        Key("time_zone", TEXT, "the zone of its dates; the conversation's where left out"),
        Key("name", TEXT, "the name that the agent bears", "persona_name"),
        Key("persona", TEXT, "the persona instead"),
        Key("addendum", TEXT, "what is added to the persona"),
        Key("priority", Integer(), "lower wins"),
    ),
)
SCHEDULE = Shape(
    "a recurring trigger",
    model.Schedule,
    (
        Key("cron", TEXT, "when, as a cron line in the conversation's time zone"),
        Key("every", DURATION, "every so often, from the anchor", "every_s"),
        Key("anchor", TEXT, "the date from which `every` counts"),
        Key("idle", DURATION, "after so much silence", "idle_s"),
        Key("call", TEXT, "the scope that it opens"),
        Key("offer", TEXT, "the scope that it proposes"),
        Key("opener", TEXT, "the words of the proposal"),
        Key("instruct", TEXT, "a text for the next reply"),
        Key("with", Table(Table(ANYTHING)), "the input of the scope, by period", "input"),
        Key("quiet", TEXT, "hours in which it keeps silent"),
        Key("missed", OneOf(get_args(words.Missed)), "what happens to times that were missed"),
        Key("interrupt", FLAG, "it comes also while a scope is open"),
    ),
)
LIMITS = Shape(
    "the bounds of a conversation",
    model.Limits,
    (
        Key("moves", Integer(1), "moves in a turn"),
        Key("run_moves", Integer(1), "moves of an autonomous run"),
        Key("model_calls", Integer(1), "model calls in a turn"),
        Key("tool_calls", Integer(1), "tool calls in a turn"),
        Key("frames", Integer(1), "open scopes and the root"),
        Key("message_chars", Integer(1), "characters of a message"),
        Key("strings", Integer(1), "characters of a stored text"),
        Key("lists", Integer(1), "items of a stored list"),
        Key("window", Integer(1), "transcript messages that a model sees"),
        Key("reply_chars", Integer(1), "characters of one reply of a model, its calls included"),
        Key("result_chars", Integer(1), "characters of a tool's result"),
    ),
)
KEEP = Shape(
    "how long things stay whole",
    model.Keep,
    (Key("events", Integer(), "days for events"), Key("decisions", Integer(), "days for decisions")),
)
COMMANDS = Shape(
    "the commands that are exposed everywhere",
    model.Commands,
    (Key("names", NAMES, "commands"), Key("start", NAMES, "what may be started")),
    short.widen_commands,
    short.narrow_commands,
    short.COMMANDS,
)
FLOW = Shape(
    "a flow",
    model.Flow,
    (
        Key("flow", NAME, "its name", "name", required=True),
        Key("version", Integer(), "its version"),
        Key("title", TEXT, "its title"),
        Key("description", TEXT, "what it is for"),
        Key("start", TEXT, "its first node", required=True),
        Key("time_zone", TEXT, "the zone of its dates"),
        Key("language", TEXT, "the language of its fixed texts and phrases"),
        Key("texts", Table(ANYTHING), "fixed texts and phrases of its own"),
        Key("persona", TEXT, "who speaks"),
        Key("prompt", TEXT, "instructions for nodes that have none"),
        Key("model", TEXT, "the model"),
        Key("fallback", TEXT, "what is said when nothing else was"),
        Key("autonomous", FLAG, "it does not wait for a person between prompts"),
        Key("busy", OneOf(get_args(words.Busy)), "what happens to a message that comes during a turn"),
        Key("commands", Part("Commands"), "commands"),
        Key("limits", Part("Limits"), "bounds"),
        Key("keep", Part("Keep"), "retention"),
        Key("records", Named("Record"), "what it knows"),
        Key("tools", Named("Tool", TOOL_NAME), "tools"),
        Key("mcp", Named("McpServer", TOOL_NAME), "servers that supply tools"),
        Key("nodes", Named("Node"), "nodes"),
        Key("transitions", Many(Part("Transition")), "ways out of every node of its own frame"),
        Key("overlays", Named("Overlay"), "dated changes"),
        Key("schedules", Named("Schedule"), "recurring triggers"),
        Key("imports", TEXTS, "other files"),
    ),
)

SHAPES: dict[str, Shape] = {
    "Flow": FLOW,
    "Option": OPTION,
    "Field": FIELD,
    "Record": RECORD,
    "Position": POSITION,
    "Retry": RETRY,
    "Tool": TOOL,
    "McpServer": MCP,
    "ToolPolicy": POLICY,
    "ToolWork": TOOL_WORK,
    "Collect": COLLECT,
    "Stop": STOP,
    "FormField": FORM_FIELD,
    "Confirm": CONFIRM,
    "Form": FORM,
    "ScopeLimits": SCOPE_LIMITS,
    "Summary": SUMMARY,
    "Scope": SCOPE,
    "Offer": OFFER,
    "Transition": TRANSITION,
    "Node": NODE,
    "Overlay": OVERLAY,
    "Schedule": SCHEDULE,
    "Limits": LIMITS,
    "Keep": KEEP,
    "Commands": COMMANDS,
}
