import { language } from "../i18n/table";
import { readKey } from "./key";
import { asProblem, problemOf } from "./problem";

/** The address of the API: beside the page, whichever path the page is mounted on. */
export const API = new URL("api/", document.baseURI);

/** The address of a resource; each part of the path is encoded. */
export function address(path: readonly (string | number)[], query: Record<string, string | number | boolean | readonly string[] | undefined | null> = {}): URL {
  const url = new URL(path.map((part) => encodeURIComponent(part)).join("/"), API);
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value as readonly string[]) url.searchParams.append(name, one);
    else if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value));
  }
  return url;
}

/** The headers that every request has: the key, if there is one, never in the address. */
export function headers(more: Record<string, string> = {}): Record<string, string> {
  const key = readKey();
  return { Accept: "application/json", "Accept-Language": language(), ...(key ? { Authorization: `Bearer ${key}` } : {}), ...more };
}

export type Options = { method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> };

let running = 0;
const resting = new Set<() => void>();

/** Resolve once no request for JSON is on its way, at the latest after `most` milliseconds. */
export async function whenAtRest(most: number): Promise<void> {
  if (!running) return;
  let end = (): void => undefined;
  await new Promise<void>((resolve) => {
    end = resolve;
    resting.add(end);
    setTimeout(end, most);
  });
  resting.delete(end);
}

/** Send a request; a refusal or a broken connection raises a `Problem`. */
export async function send(url: URL, options: Options = {}): Promise<Response> {
  const { method = "GET", body, signal, headers: more = {} } = options;
  const isText = typeof body === "string" || body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal: signal ?? null,
      headers: headers(body === undefined ? more : { "Content-Type": "application/json", ...more }),
      body: body === undefined ? null : isText ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw asProblem(error);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Send a request and read its JSON. */
export async function request<T>(url: URL, options: Options = {}): Promise<T> {
  running += 1;
  try {
    const response = await send(url, options);
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  } finally {
    running -= 1;
    if (!running) for (const end of resting) end();
  }
}
