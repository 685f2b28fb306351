// Texts of documents that were changed and not saved. They stay while the page is open, wherever the reader goes in it.

import { Store, useStore } from "../data/store";

export interface Draft {
  readonly flow: string;
  /** The path of the document. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** The hash of the content that the draft was begun with. */
  readonly base: string;
}

const drafts = new Store<{ now: readonly Draft[] }>({ now: [] });

const isOf = (draft: Draft, flow: string, file: string): boolean => draft.flow === flow && draft.file === file;

/** Keep a text that was changed, in place of an earlier one of the document. */
export function keepDraft(draft: Draft): void {
  drafts.set(({ now }) => ({ now: [...now.filter((one) => !isOf(one, draft.flow, draft.file)), draft] }));
}

/** Forget what was changed in a document. */
export function dropDraft(flow: string, file: string): void {
  drafts.set(({ now }) => ({ now: now.filter((one) => !isOf(one, flow, file)) }));
}

export const draftOf = (flow: string, file: string): Draft | null => drafts.get().now.find((one) => isOf(one, flow, file)) ?? null;

export const draftsOf = (flow: string): readonly Draft[] => drafts.get().now.filter((one) => one.flow === flow);

/** What is not saved, in all flows. */
export const useDrafts = (): readonly Draft[] => useStore(drafts, (value) => value.now);

addEventListener("beforeunload", (event) => {
  if (drafts.get().now.length) event.preventDefault();
});
