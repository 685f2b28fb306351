import type { Fault, SubjectCandidate, TurnResult } from "./types";
import { t } from "../i18n/table";

/** An error of the API, as RFC 9457 describes it, or of the network. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail = "",
    readonly hint = "",
    readonly limit = "",
    readonly retryMs = 0,
    /** Of a refused event: the conversation as it is, with turns that this caller did not receive before. */
    readonly turn: TurnResult | null = null,
    /** Where the application around the server lets people log in; empty if it has no such page. */
    readonly loginUrl = "",
    /** What is wrong with the request, each with its place as a JSON pointer. */
    readonly errors: readonly Fault[] = [],
    /** Of a question that is not clear: what it may be about, the likeliest first. */
    readonly candidates: readonly SubjectCandidate[] = [],
  ) {
    super(detail || title);
    this.name = t("Problem");
  }

  /** True where the same request may succeed later: the network, a busy or a draining server. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504;
  }

  /** True where asking again may help, although the server may have an error. */
  get mayPass(): boolean {
    return this.isPassing || this.status >= 500;
  }
}

const text = (value: unknown) => (typeof value === "string" ? value : value === undefined || value === null ? "" : String(value));

/** The problem that an answer describes. Answers without problem details get their status as code. */
export async function problemOf(response: Response): Promise<Problem> {
  const retry = Number(response.headers.get("Retry-After")) * 1000 || 0;
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = await response.json();
    if (parsed && typeof parsed === "object") body = parsed as Record<string, unknown>;
  } catch {
    // the answer is not JSON: its status has to do
  }
  const title = text(body["title"]) || response.statusText || t("The server answered {status}", { status: response.status });
  return new Problem(response.status, text(body["code"]) || `http_${response.status}`, title, text(body["detail"]), text(body["hint"]), text(body["limit"]), retry, (body["turn"] as TurnResult | undefined) ?? null, text(body["login_url"]), (body["errors"] as Fault[] | undefined) ?? [], (body["candidates"] as SubjectCandidate[] | undefined) ?? []);
}

/** Any error as a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, "network", t("The server does not answer"), t("The connection failed. What you typed is kept."));
}
