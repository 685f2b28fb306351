// Subjects of questions in the language of the page: `field user.age` is *field Age*. The API takes them in English.

import { inWords } from "../data/names";
import { useTitles, type Titles } from "../data/titles";
import { useSettings } from "../data/settings";
import { t } from "../i18n/t";

const ALONE: Readonly<Record<string, string>> = {
  "the conversation": t("what it waits for"),
  "the delivery": t("the delivery"),
  "the end": t("the end"),
  "the form": t("the form"),
  "the model": t("the model"),
  "the origin": t("the origin"),
  "the person": t("the person"),
  "the question": t("this question"),
};
/** A name without the record or scope that it is in, in words; a title stays as it stands. */
const lastOf = (name: string): string => (/\s/.test(name) ? name : inWords(name.replace(/^.*[./]/, "")));

const KINDS: Readonly<Record<string, (name: string) => string>> = {
  call: (name) => t("call {name}", { name }),
  delivery: (name) => t("delivery {name}", { name }),
  event: (name) => t("event {name}", { name: inWords(name) }),
  field: (name) => t("field {name}", { name: lastOf(name) }),
  form: (name) => t("form {name}", { name: inWords(name) }),
  item: (name) => t("item {name}", { name }),
  limit: (name) => t("limit {name}", { name: inWords(name) }),
  message: (name) => t("message {name}", { name }),
  node: (name) => t("step {name}", { name: lastOf(name) }),
  overlay: (name) => t("overlay {name}", { name: inWords(name) }),
  question: (name) => t("question {name}", { name: lastOf(name) }),
  schedule: (name) => t("schedule {name}", { name: inWords(name) }),
  timer: (name) => t("timer {name}", { name: inWords(name) }),
  tool: (name) => t("tool {name}", { name: inWords(name) }),
  transition: (name) => t("rule {name}", { name: inWords(name) }),
  turn: (name) => t("turn {name}", { name }),
};

const PLACES: ReadonlySet<string> = new Set(["node", "form"]);
const FIELDS: ReadonlySet<string> = new Set(["field", "question", "item"]);

/** Returns what a question is about, in words; with the titles of nodes and fields, where these are known. */
export function subjectWords(subject: string, titles?: Titles): string {
  const [kind = "", ...rest] = subject.split(" ");
  const id = rest.join(" ");
  const name = titles && PLACES.has(kind) ? titles.node(id) : titles && FIELDS.has(kind) ? titles.field(id) : id;
  return ALONE[subject] ?? (id ? KINDS[kind]?.(name) : undefined) ?? subject;
}

/** Returns what names a question: its words, or its text as the API takes it where technical details are shown. */
export function useSubjectWords(): (subject: string) => string {
  const titles = useTitles();
  const { isTechnical } = useSettings();
  return (subject) => (isTechnical ? subject : subjectWords(subject, titles));
}
