// What a person in charge has written down so far: the values that were agreed, and how the conversation goes on.

import type { GiveBackInput } from "../api/calls";
import type { FieldInfo, GiveBackPreview, ValueView } from "../api/types";
import { textOfValue, valueOfText } from "../whatif/draft";
import { outcomeInWords } from "../data/names";
import { t } from "../i18n/t";

/** The texts of changed fields by name; `null` removes a value. */
export type Changes = Readonly<Record<string, string | null>>;

export interface PersonDraft {
  readonly changes: Changes;
  /** What guards read as `person.outcome`; empty until it is chosen. */
  readonly outcome: string;
  /** The transition that the person takes, empty where the rules decide. */
  readonly transition: string;
  readonly reason: string;
}

export const EMPTY: PersonDraft = { changes: {}, outcome: "", transition: "", reason: "" };

/** The outcome of a person who says none. */
export const USUAL_OUTCOME = "done";

/** The outcomes to choose from: the usual one, and those that the transitions of the node know. */
export const outcomesToChoose = (known: readonly string[]): readonly string[] => (known.includes(USUAL_OUTCOME) ? known : [USUAL_OUTCOME, ...known]);

/** Whether the person must still choose an outcome, for the rules of the node decide by it. */
export const needsOutcome = (draft: PersonDraft, known: readonly string[]): boolean => known.length > 0 && !draft.outcome && !draft.transition;

/** The text of a stored value in its input. */
export function storedText(value: ValueView): string {
  return value.is_known && !value.is_secret ? (textOfValue(value.value) ?? "") : "";
}

/** The changes with one more text; a text that is the stored one again is no change. */
export function changed(changes: Changes, value: ValueView, text: string): Changes {
  const { [value.field]: _old, ...others } = changes;
  if (text === storedText(value)) return others;
  return { ...others, [value.field]: text === "" && value.type !== "string" ? null : text === "" && value.is_known ? null : text };
}

/** What is sent: the changed values in the types of their fields, and what the person chose. */
export function inputOf(draft: PersonDraft, types: ReadonlyMap<string, string>, operator: string, end = ""): GiveBackInput {
  const set = Object.fromEntries(Object.entries(draft.changes).map(([field, text]) => [field, valueOfText(text, types.get(field) ?? "string")]));
  return {
    set,
    operator,
    ...(draft.outcome ? { outcome: draft.outcome } : {}),
    ...(draft.reason.trim() ? { reason: draft.reason.trim() } : {}),
    ...(end ? { end } : draft.transition ? { transition: draft.transition } : {}),
  };
}

/** The fields that the person sees first: those that the node works with, or that a candidate reads. */
export function splitFields(values: readonly ValueView[], fields: readonly FieldInfo[], named: ReadonlySet<string>): { first: ValueView[]; others: ValueView[] } {
  const fixed = new Set(fields.filter((field) => field.is_derived || field.is_secret).map((field) => field.name));
  const editable = values.filter((value) => !fixed.has(value.field) && !value.is_secret);
  const first = editable.filter((value) => named.has(value.field));
  return first.length ? { first, others: editable.filter((value) => !named.has(value.field)) } : { first: editable, others: [] };
}

/** What the input of an empty field suggests: its options, or its limits. */
export function hintOf(field: FieldInfo | undefined): string {
  if (!field) return "";
  if (field.options.length) return asChoice(field.options);
  const { minimum, maximum } = field;
  if (field.type === "string") return maximum === null ? "text" : t("at most {maximum} characters", { maximum });
  if (minimum !== null && maximum !== null) return t("{minimum} to {maximum}", { minimum, maximum });
  if (minimum !== null) return t("{minimum} or more", { minimum });
  return maximum !== null ? t("at most {maximum}", { maximum }) : field.type.replace("_", " ");
}

function asChoice(options: readonly string[]): string {
  if (options.length < 2) return options.join("");
  return t("{options} or {last}", { options: options.slice(0, -1).join(", "), last: options.at(-1) ?? "" });
}

/** What giving back would do, in a headline and a sentence. `nameOf` is what people call a node. */
export function previewWords(preview: GiveBackPreview, node: string, chosen = "", nameOf = (id: string): string => id): { head: string; node: string; tail: string; rest: string; move: string } {
  const decided = preview.decisions.find((decision) => decision.candidates?.length);
  const judging = nameOf(decided?.node || node);
  const target = nameOf(preview.node);
  if (preview.refused) return { head: t("This cannot be given back yet:"), node: "", tail: "", rest: preview.text, move: "" };
  const reasons = preview.moves.map((name) => preview.transitions?.find((one) => one.name === name)?.because).filter(Boolean);
  const move = preview.moves.length ? [`${judging} → ${target}`, reasons.join(", ")].filter(Boolean).join(": ") : "";
  const ends = preview.outcome ? t("The conversation ends: {outcome}.", { outcome: outcomeInWords(preview.outcome) }) : "";
  const rest = ends || move ? ends : t("It stays in {node}, which goes on with its question.", { node: target });
  const shared = { rest: [rest, preview.is_known ? "" : t("Then {why}.", { why: preview.why })].filter(Boolean).join(" "), move };
  if (chosen) return { head: t("When you give back, you take"), node: chosen, tail: t("whatever its guard says"), ...shared };
  if (decided) return { head: t("When you give back,"), node: judging, tail: t("judges again"), ...shared };
  return { head: t("When you give back, the conversation goes on in"), node: judging, tail: "", ...shared };
}
