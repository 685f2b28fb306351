const name = (id: string) => `turnwise.draft.${id}`;

/** What was typed in a conversation and not sent, kept over a reload. */
export function readDraft(id: string): string {
  try {
    return sessionStorage.getItem(name(id)) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(id: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(name(id), text);
    else sessionStorage.removeItem(name(id));
  } catch {
    // without storage a reload loses the text
  }
}
