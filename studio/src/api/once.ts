import { asProblem } from "./problem";

/** A key by which the server recognizes a request that comes again. */
export const newKey = (): string => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

const open = new Map<string, string>();

/**
 * Send a request with an idempotency key. Until the server has answered, the same request keeps its key, so that one
 * whose answer was lost, and one that was sent twice at once, counts once. `name` tells requests apart.
 */
export async function once<T>(name: string, send: (headers: { "Idempotency-Key": string }) => Promise<T>): Promise<T> {
  const key = open.get(name) ?? newKey();
  open.set(name, key);
  try {
    const answer = await send({ "Idempotency-Key": key });
    open.delete(name);
    return answer;
  } catch (error) {
    if (!asProblem(error).isPassing) open.delete(name);
    throw error;
  }
}
