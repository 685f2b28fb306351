import type { FormItem, FormView } from "../api/types";

/** The questions of a form that count: those that apply and are asked. */
export const countedItems = (form: FormView): FormItem[] => form.items.filter((item) => item.counts);

/** A question that is asked again keeps its answer until there is a new one. */
export const isAnswered = (item: FormItem): boolean => item.state === "answered" || item.state === "skipped" || item.answer !== "";
