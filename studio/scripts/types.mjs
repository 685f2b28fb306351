// Writes src/api/schema.ts from the server's OpenAPI document: node scripts/types.mjs openapi.json [--check]
import { readFileSync, writeFileSync } from "node:fs";

const [file, flag] = process.argv.slice(2);
const document = JSON.parse(readFileSync(file, "utf8"));
const schemas = document.components?.schemas ?? document.$defs ?? document;
const target = new URL("../src/api/schema.ts", import.meta.url);

// The structs of the wire always have all their keys; others omit keys with default values.
const COMPLETE = new Set(`
  Begun CallView ChangedConversation ConversationList ConversationSummary Coverage DecisionView DeltaSent DiagnosticView Draining DryRun 
  EdgeHistory EntrySent EvaluationSent EventPage EventRow Fault FieldInfo FlowChanged FlowPage FlowSummary Forgotten FrameInfo 
  FormItem FormView GiveBackPreview GraphEdge GraphLevel GraphNode GraphView GuardProblem Limits Me Message MessageSent ModelCallView Origin 
  PersonView Ping PromptPart PromptView Seam SeamSent StateView SummarySent Timeline TimelineMark TimelineTurn 
  TimeView DueView SpendingView TurnSpending OfferView OverlayView DeliveryView DeliveryPage ScheduleView PeriodInputView NextSchedule BudgetUse
  TimerView ToolView TransitionChoice Transcript TurnResult TurnSent TurnTrace Understood ValueView Waiting WaitingArgument WaitingCall WhatIfDecision WhatIfPage WhatIfResult
`.trim().split(/\s+/));

const nameOf = (ref) => safe(decodeURIComponent(ref.split("/").pop()));

// A name that several modules use comes with its module: the wire keeps the short name, events end in "Event".
function safe(name) {
  const last = name.split(/[._]/).pop();
  if (/server[._]wire/.test(name)) return last;
  return /core[._]state[._]events/.test(name) ? `${last}Event` : name.replace(/\W/g, "_");
}
const key = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

function type(schema) {
  if (schema === true || schema === undefined || Object.keys(schema).every((k) => /^(description|default|title|examples?)$/.test(k))) return "unknown";
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(" | ");
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return any.map(type).join(" | ");
  if (schema.allOf) return schema.allOf.map(type).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((t) => type({ ...schema, type: t })).join(" | ");
  switch (schema.type) {
    case "string": return "string";
    case "integer":
    case "number": return "number";
    case "boolean": return "boolean";
    case "null": return "null";
    case "array":
      if (schema.prefixItems) return `[${schema.prefixItems.map(type).join(", ")}]`;
      return schema.items ? `(${type(schema.items)})[]` : "unknown[]";
    case "object": return object(schema);
    default: return "unknown";
  }
}

function object(schema, isComplete) {
  const properties = Object.entries(schema.properties ?? {});
  if (!properties.length) {
    return schema.additionalProperties && typeof schema.additionalProperties === "object" ? `Record<string, ${type(schema.additionalProperties)}>` : "Record<string, unknown>";
  }
  const required = new Set(schema.required ?? []);
  return `{\n${properties.map(([name, value]) => `${comment(value, "  ")}  ${key(name)}${isComplete || required.has(name) ? "" : "?"}: ${type(value).replaceAll("\n", "\n  ")};`).join("\n")}\n}`;
}

/** The description of a schema as a comment on a line of its own. */
function comment(schema, indent = "") {
  const about = schema.description?.split("\n\n")[0].replace(/\s+/g, " ").replaceAll("*/", "");
  return about ? `${indent}/** ${about} */\n` : "";
}

const parts = Object.keys(schemas).sort().map((name) => {
  const body = schemas[name].properties ? object(schemas[name], COMPLETE.has(safe(name))) : type(schemas[name]);
  return `${comment(schemas[name])}export type ${safe(name)} = ${body};`;
});
const text = `// Generated from the server's OpenAPI document by scripts/types.mjs. Do not edit.\n\n${parts.join("\n\n")}\n`;
if (flag === "--check") {
  if (readFileSync(target, "utf8") !== text) {
    console.error("src/api/schema.ts differs from the server's schema: run node scripts/types.mjs openapi.json");
    process.exit(1);
  }
} else writeFileSync(target, text);
