const NAME = "turnwise.key";

/** The API key of this tab. It is kept until the tab is closed, and sent in a header only. */
export function readKey(): string {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** Keep the key for this tab; an empty one removes it. */
export function keepKey(key: string): void {
  if (key) sessionStorage.setItem(NAME, key);
  else sessionStorage.removeItem(NAME);
}
