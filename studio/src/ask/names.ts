import type { Subject } from "../api/types";

export type Piece = { text: string; subject: Subject | null };

const SILENT: ReadonlySet<Subject["kind"]> = new Set<Subject["kind"]>(["turn", "conversation", "message"]);
const isPart = (char: string | undefined) => char !== undefined && /[\w.]/.test(char);

/** A subject as a question: `field user.age`. */
export const questionOf = ({ kind, name }: Subject): string => (name ? `${kind} ${name}` : `the ${kind}`);

/** Whether two subjects are the same one. */
export const isSame = (one: Subject, other: Subject): boolean => one.kind === other.kind && (one.name ?? "") === (other.name ?? "");

/** A text in pieces: those that are the name of a subject ask about it. `own` is what the answer is about already. */
export function piecesOf(text: string, about: readonly Subject[], own: Subject | null): Piece[] {
  const named = about.filter((one) => one.name && !SILENT.has(one.kind));
  const names = [...new Set(named.map((one) => one.name ?? ""))].sort((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const name = isPart(text[at - 1]) ? undefined : names.find((one) => text.startsWith(one, at) && endsThere(text, at + one.length));
    const subject = name === undefined ? undefined : meant(named.filter((one) => one.name === name), text.slice(0, at));
    if (name === undefined || subject === undefined) plain += text[at++];
    else {
      if (plain) pieces.push({ text: plain, subject: null });
      plain = "";
      pieces.push({ text: name, subject: own && isSame(own, subject) ? null : subject });
      at += name.length;
    }
  }
  if (plain) pieces.push({ text: plain, subject: null });
  return pieces;
}

/** A dot ends a sentence, or goes on with a name: `user.age.` and `user.age.days`. */
const endsThere = (text: string, at: number): boolean => !isPart(text[at]) || (text[at] === "." && !isPart(text[at + 1]));

/** A transition and a node may have one name: `→ expert by expert`. */
function meant(subjects: readonly Subject[], before: string): Subject | undefined {
  const isNode = /→ $| in $| of $/.test(before);
  const isTransition = /\bby $/.test(before);
  return subjects.find((one) => (isNode && one.kind === "node") || (isTransition && one.kind === "transition")) ?? subjects.find((one) => one.kind === "field") ?? subjects[0];
}
