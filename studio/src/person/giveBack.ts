// What the person in charge prepares for giving back, per conversation, and giving back itself.

import { api, type GiveBackInput } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import { act } from "../data/actions";
import { loadTranscript, takeResult } from "../data/conversations";
import { setLayout } from "../data/layout";
import { Store, useStore } from "../data/store";
import { EMPTY, type PersonDraft } from "./draft";

interface Prepared {
  readonly draft: PersonDraft;
  readonly isBusy: boolean;
  /** Why the server refused it. */
  readonly problem: Problem | null;
}

const NOTHING: Prepared = { draft: EMPTY, isBusy: false, problem: null };

const prepared = new Store<{ byId: Readonly<Record<string, Prepared>> }>({ byId: {} });

const put = (id: string, change: Partial<Prepared>): void =>
  prepared.set(({ byId }) => ({ byId: { ...byId, [id]: { ...(byId[id] ?? NOTHING), ...change } } }));

export const usePrepared = (id: string): Prepared => useStore(prepared, ({ byId }) => byId[id] ?? NOTHING);

/** Change what is prepared; it stays while the panel shows something else. */
export function prepare(id: string, change: Partial<PersonDraft>): void {
  put(id, { draft: { ...(prepared.get().byId[id] ?? NOTHING).draft, ...change } });
}

/** Forget what was prepared. */
export const forget = (id: string): void => put(id, NOTHING);

/** Give a conversation back. Where the server refuses it, the panel of the person opens with the reason. */
export async function giveBack(id: string, input: GiveBackInput): Promise<boolean> {
  if (prepared.get().byId[id]?.isBusy) return false;
  put(id, { isBusy: true, problem: null });
  try {
    takeResult(id, await api.giveBack(id, input));
    forget(id);
    void loadTranscript(id);
    setLayout({ isPersonOpen: false });
    act("focus-message");
    return true;
  } catch (error) {
    put(id, { isBusy: false, problem: asProblem(error) });
    setLayout({ isPersonOpen: true });
    return false;
  }
}
