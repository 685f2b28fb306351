import type { FlowPage, Subject } from "../api/types";
import { isPlace } from "../graph/kinds";
import { addressOf } from "../graph/level";
import type { Titles } from "../data/titles";
import { language } from "../i18n/t";

/** A part of a text. A name asks about its subject, unless that is what the answer is about. */
export type Piece = { text: string; isName: boolean; subject: Subject | null };

const SILENT: ReadonlySet<Subject["kind"]> = new Set<Subject["kind"]>(["turn", "conversation", "message"]);
const isPart = (char: string | undefined) => char !== undefined && /[\w.]/.test(char);

/** A subject as a question: `field user.age`. */
export const questionOf = ({ kind, name }: Subject): string => (name ? `${kind} ${name}` : `the ${kind}`);

/** Whether two subjects are the same one. */
export const isSame = (one: Subject, other: Subject): boolean => one.kind === other.kind && (one.name ?? "") === (other.name ?? "");

/**
 * A text in pieces: those that are the name of a subject ask about it. `own` is what the answer is about already. Names
 * of the flow that the text is not about count where they can be nothing else. What people wrote, in “ ” or as the
 * reason of a transition (`because`), has words and no names.
 */
export function piecesOf(text: string, about: readonly Subject[], own: Subject | null, flow: readonly Subject[] = [], because = "", titles?: Titles): Piece[] {
  const named = about.filter((one) => one.name && !SILENT.has(one.kind));
  const titled = new Map([...flow.filter((one) => (one.kind === "field" || one.kind === "node") && titleOf(one, titles).includes(" ")), ...named].flatMap((one) => [titleOf(one, titles), reasonOf(one, titles)].filter(Boolean).map((title) => [title, one] as const)));
  const names = [...new Set([...[...named, ...flow].map((one) => one.name ?? ""), ...titled.keys()])].filter(Boolean).sort((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const quote = /^(“[^”]*”|„[^“]*“)/.exec(text.slice(at))?.[0] ?? "";
    const written = quote && titled.has(quote) ? "" : because && text.startsWith(because, at) ? because : quote;
    plain += written;
    at += written.length;
    if (written) continue;
    const name = isPart(text[at - 1]) ? undefined : names.find((one) => text.startsWith(one, at) && endsThere(text, at + one.length));
    const subject = name === undefined ? undefined : (subjectOf(name, text.slice(0, at), named, flow) ?? titled.get(name));
    if (name === undefined || subject === undefined) plain += text[at++];
    else {
      if (plain) pieces.push({ text: plain, isName: false, subject: null });
      plain = "";
      pieces.push({ text: name, isName: true, subject: own && isSame(own, subject) ? null : subject });
      at += name.length;
    }
  }
  if (plain) pieces.push({ text: plain, isName: false, subject: null });
  return pieces;
}

/** What a node, field, transition or tool is called where titles are shown; empty for anything else. */
function titleOf({ kind, name = "" }: Subject, titles: Titles | undefined): string {
  if (!titles) return "";
  switch (kind) {
    case "node":
    case "form":
      return titles.node(name);
    case "field":
    case "question":
      return titles.field(name);
    case "transition":
    case "timer":
    case "tool":
      return quoted(name);
    default:
      return "";
  }
}

/** The reason of a transition as answers write it. */
const reasonOf = ({ kind, name = "" }: Subject, titles: Titles | undefined): string => (titles && (kind === "transition" || kind === "timer") ? inQuotes(titles.transition(name)) : "");

/** The name of a transition or a tool as answers write it: `“too young”`, in the quotation marks of the language of the page. */
const quoted = (id: string): string => inQuotes((id.split("/").at(-1) ?? id).replaceAll("_", " "));

const inQuotes = (words: string): string => (language() === "de" ? `„${words}“` : `“${words}”`);

/** Gives each name the punctuation that touches it: a line may end beside a button, and no line begins with a comma. */
export function withPunctuation(pieces: readonly Piece[]): (Piece & { before: string; after: string })[] {
  const cuts = pieces.map(({ text, isName }, at) => {
    const closing = !isName && pieces[at - 1]?.isName ? (/^[,;:.?!)'"]+/.exec(text)?.[0] ?? "") : "";
    const rest = text.slice(closing.length);
    const opening = !isName && pieces[at + 1]?.isName ? (/['"(]+$/.exec(rest)?.[0] ?? "") : "";
    return { closing, text: rest.slice(0, rest.length - opening.length), opening };
  });
  return pieces.map((piece, at) => ({ ...piece, text: cuts[at]?.text ?? "", before: (piece.isName && cuts[at - 1]?.opening) || "", after: (piece.isName && cuts[at + 1]?.closing) || "" }));
}

/** A dot ends a sentence, or goes on with a name: `user.age.` and `user.age.days`. */
const endsThere = (text: string, at: number): boolean => !isPart(text[at]) || (text[at] === "." && !isPart(text[at + 1]));

function subjectOf(name: string, before: string, named: readonly Subject[], flow: readonly Subject[]): Subject | undefined {
  const isThis = (one: Subject) => one.name === name;
  return meant(named.filter(isThis), before) ?? (isCertain(name, before) ? meant(flow.filter(isThis), before) : undefined);
}

/** Whether a name of the flow cannot be another word: it has a dot, a slash or an underscore, or stands in `→ expert by complete` or `went to expert`. */
const isCertain = (name: string, before: string): boolean => /[._/]/.test(name) || /(→|went to|ended in) (\S+ by )?$/.test(before);

/** Everything of a flow that a text may name. */
export function subjectsOf(flow: FlowPage | null): Subject[] {
  if (!flow) return [];
  const named = (kind: Subject["kind"], names: readonly string[]) => names.filter(Boolean).map((name) => ({ kind, name }));
  return [
    ...named("field", flow.fields.map((field) => field.name)),
    ...named("node", flow.graph.nodes.filter(isPlace).map(addressOf)),
    ...flow.graph.edges.flatMap((edge) => named(edge.moment === "timer" ? "timer" : "transition", [edge.transition])),
  ];
}

/** A transition and a node may have one name: `→ expert by expert`. */
function meant(subjects: readonly Subject[], before: string): Subject | undefined {
  const isNode = /→ $| in $| of $|went to $/.test(before);
  const isTransition = /\bby $/.test(before);
  return subjects.find((one) => (isNode && one.kind === "node") || (isTransition && (one.kind === "transition" || one.kind === "timer"))) ?? subjects.find((one) => one.kind === "field") ?? subjects[0];
}
