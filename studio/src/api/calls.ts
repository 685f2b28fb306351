import { hasTitles } from "../i18n/texts";
import { address, request, send } from "./client";
import { once } from "./once";
import type {
  Answer,
  BegunConversation,
  CallChoice,
  CheckedTexts,
  CompletionView,
  ConversationList,
  ConversationSummary,
  DeliveryPage,
  DeliveryView,
  DryRun,
  EdgeHistory,
  EditedDocument,
  EditedDocuments,
  LedgerAnswer,
  EventPage,
  FlowPage,
  FlowSource,
  FlowSummary,
  FormattedText,
  FrameInfo,
  GiveBackPreview,
  WaitingCall,
  HoverView,
  Me,
  NewContent,
  OverlayView,
  PlaceInText,
  PromptView,
  Records,
  RecordsEdited,
  SavedDocument,
  ScheduleView,
  StateView,
  Timeline,
  TimerView,
  TimeView,
  Transcript,
  TurnResult,
  TurnTrace,
  Waiting,
  WhatIfPage,
  WhatIfResult,
} from "./types";

const at = (id: string, ...more: (string | number)[]) => ["conversations", id, ...more];

/** What an event of a turn may be: a text, a button with its position, or the events of an operator or a test. */
export type TurnInput = { text: string; position?: number | null } | { button: string; position?: number | null } | { undo: { to?: number } } | { tool: { name: string; arguments?: Record<string, unknown>; result?: unknown } } | { timer: { transition: string; visit?: number } } | { commands: Record<string, unknown>[] };

/** What a person agreed with the user, and how the conversation goes on. */
export type GiveBackInput = { outcome?: string; set?: Record<string, unknown>; transition?: string; end?: string; reason?: string; operator?: string };

export type ListQuery = { flow?: string; text?: string; node?: string; status?: string; after?: string; limit?: number };

/** Begin a conversation: once, also where the answer is lost and the reader presses again. */
const posted = <T>(url: URL, body: unknown) => once(`${url.href} ${JSON.stringify(body)}`, (headers) => request<T>(url, { method: "POST", body, headers }));

/** Files come as they are. */
const ANY = { headers: { Accept: "*/*" } };

/** The requests of the studio, one function each. */
export const api = {
  me: () => request<Me>(address(["me"])),
  meWithKey: (key: string) => request<Me>(address(["me"]), { headers: { Authorization: `Bearer ${key}` } }),
  flows: () => request<FlowSummary[]>(address(["flows"])),
  flow: (name: string) => request<FlowPage>(address(["flows", name])),
  flowSource: (name: string) => request<FlowSource>(address(["flows", name, "source"])),
  checkSource: (name: string, body: EditedDocuments) => request<CheckedTexts>(address(["flows", name, "source", "check"]), { method: "POST", body }),
  completeSource: (name: string, body: PlaceInText) => request<CompletionView>(address(["flows", name, "source", "complete"]), { method: "POST", body }),
  hoverSource: (name: string, body: PlaceInText) => request<HoverView>(address(["flows", name, "source", "hover"]), { method: "POST", body }),
  formatSource: (name: string, body: EditedDocument) => request<FormattedText>(address(["flows", name, "source", "format"]), { method: "POST", body }),
  saveSource: (name: string, body: NewContent) => request<SavedDocument>(address(["flows", name, "source"]), { method: "PUT", body }),
  flowEdges: (name: string) => request<EdgeHistory[]>(address(["flows", name, "edges"])),
  conversations: (query: ListQuery = {}) => request<ConversationList>(address(["conversations"], query)),
  conversation: (id: string) => request<ConversationSummary>(address(at(id))),
  begin: (flow: string, name?: string) => posted<BegunConversation>(address(["conversations"]), { flow, ...(name ? { name } : {}), time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  importFile: (file: File, name?: string) =>
    once(`import ${file.name} ${file.size} ${file.lastModified} ${name ?? ""}`, (headers) =>
      request<ConversationSummary>(address(["conversations", "import"], { name }), { method: "POST", body: file, headers: { ...headers, "Content-Type": "application/x-ndjson" } }),
    ),
  forget: (id: string) => send(address(at(id)), { method: "DELETE" }),
  take: (id: string, input: TurnInput, idempotencyKey: string) => request<TurnResult>(address(at(id, "turns")), { method: "POST", body: input, headers: { "Idempotency-Key": idempotencyKey } }),
  transcript: (id: string, after?: number) => request<Transcript>(address(at(id, "transcript"), { after })),
  frames: (id: string) => request<FrameInfo[]>(address(at(id, "frames"))),
  trace: (id: string, turn: number) => request<TurnTrace>(address(at(id, "trace"), { turn })),
  ledger: (id: string, turn: number) => request<LedgerAnswer>(address(at(id, "ledger"), { turn })),
  timeline: (id: string) => request<Timeline>(address(at(id, "timeline"))),
  events: (id: string, after = 0, limit = 200) => request<EventPage>(address(at(id, "events"), { after, limit })),
  edges: (id: string) => request<EdgeHistory[]>(address(at(id, "edges"))),
  state: (id: string, turn?: number) => request<StateView>(address(at(id, "state"), { turn })),
  prompt: (id: string, turn: number) => request<PromptView>(address(at(id, "prompt"), { turn })),
  records: (id: string) => request<Records>(address(at(id, "records"))),
  editItems: (id: string, items: readonly Record<string, unknown>[]) => once(`items ${id} ${JSON.stringify(items)}`, (headers) => request<RecordsEdited>(address(at(id, "records")), { method: "PATCH", body: { items }, headers })),
  timers: (id: string) => request<TimerView[]>(address(at(id, "timers"))),
  forceOverlay: (id: string, name: string, on: boolean | null) => request<OverlayView>(address(at(id, "overlays", name)), { method: "PUT", body: { on } }),
  schedules: (flow: string) => request<ScheduleView[]>(address(["flows", flow, "schedules"])),
  setScheduleInput: (flow: string, schedule: string, period: string, input: Record<string, unknown> | null) => request<ScheduleView>(address(["flows", flow, "schedules", schedule, "input", period]), { method: "PUT", body: { input } }),
  deliveries: (id: string) => request<DeliveryView[]>(address(at(id, "deliveries"))),
  failedDeliveries: () => request<DeliveryPage>(address(["deliveries"], { status: "failed" })),
  sendAgain: (id: string, delivery: string, confirm = false) => request<DeliveryView>(address(at(id, "deliveries", delivery, "send-again"), confirm ? { confirm } : {}), { method: "POST" }),
  time: (id: string) => request<TimeView>(address(at(id, "time"))),
  why: (id: string, question: { subject?: string; turn?: number; against?: string; against_turn?: number; to?: string; usual?: boolean }) => request<Answer>(address(at(id, "why"), { ...question, ...(hasTitles() ? { titles: true } : {}) })),
  whatIf: (id: string, question: { turn?: number; values?: Record<string, unknown>; rules?: Record<string, string> }) => request<WhatIfResult>(address(at(id, "what-if")), { method: "POST", body: question }),
  whatIfAll: (flow: string, question: { values: Record<string, unknown>; rules: Record<string, string>; after: string }, signal: AbortSignal) => request<WhatIfPage>(address(["flows", flow, "what-if"]), { method: "POST", body: question, signal }),
  dryRun: (id: string, input: TurnInput) => request<DryRun>(address(at(id, "dry-run")), { method: "POST", body: input }),
  fork: (id: string, options: { name?: string; turn?: number; effects?: boolean }) => posted<ConversationSummary>(address(at(id, "fork")), options),
  approvals: (id: string) => request<WaitingCall[]>(address(at(id, "approvals"))),
  decide: (id: string, decisions: readonly CallChoice[]) => posted<TurnResult>(address(at(id, "approvals")), { decisions }),
  decideAsOperator: (id: string, decisions: readonly CallChoice[], operator: string) => posted<TurnResult>(address(at(id, "person", "approvals")), { decisions, operator }),
  queue: () => request<Waiting[]>(address(["queue"])),
  takeOver: (id: string, operator: string, reason = "", from = "") =>
    posted<TurnResult>(address(at(id, "person", "take-over")), { operator, reason, ...(from ? { instead_of: from } : {}) }),
  say: (id: string, text: string, operator: string, idempotencyKey: string) => request<TurnResult>(address(at(id, "person", "say")), { method: "POST", body: { text, operator }, headers: { "Idempotency-Key": idempotencyKey } }),
  giveBack: (id: string, body: GiveBackInput) => posted<TurnResult>(address(at(id, "person", "give-back")), body),
  previewGiveBack: (id: string, body: GiveBackInput) => request<GiveBackPreview>(address(at(id, "person", "preview")), { method: "POST", body }),
  exportFile: (id: string) => send(address(at(id, "export")), ANY),
  scenario: (id: string) => send(address(at(id, "scenario")), ANY),
};
