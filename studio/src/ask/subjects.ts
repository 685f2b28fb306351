// Subjects of questions in the language of the page: `field user.age` is *field Age*. The API takes them in English.

import { inWords } from "../data/names";
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
const KINDS: Readonly<Record<string, (name: string) => string>> = {
  call: (name) => t("call {name}", { name }),
  delivery: (name) => t("delivery {name}", { name }),
  event: (name) => t("event {name}", { name: inWords(name) }),
  field: (name) => t("field {name}", { name: inWords(name.replace(/^.*[./]/, "")) }),
  form: (name) => t("form {name}", { name: inWords(name) }),
  item: (name) => t("item {name}", { name }),
  limit: (name) => t("limit {name}", { name: inWords(name) }),
  message: (name) => t("message {name}", { name }),
  node: (name) => t("step {name}", { name: inWords(name.replace(/^.*\//, "")) }),
  overlay: (name) => t("overlay {name}", { name: inWords(name) }),
  question: (name) => t("question {name}", { name: inWords(name.replace(/^.*[./]/, "")) }),
  schedule: (name) => t("schedule {name}", { name: inWords(name) }),
  timer: (name) => t("timer {name}", { name: inWords(name) }),
  tool: (name) => t("tool {name}", { name: inWords(name) }),
  transition: (name) => t("rule {name}", { name: inWords(name) }),
  turn: (name) => t("turn {name}", { name }),
};

/** Returns what a question is about, in words. */
export function subjectWords(subject: string): string {
  const [kind = "", ...rest] = subject.split(" ");
  return ALONE[subject] ?? KINDS[kind]?.(rest.join(" ")) ?? subject;
}
