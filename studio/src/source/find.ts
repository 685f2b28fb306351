// The bar that finds words in the document: labelled, and with the number of places.

import { closeSearchPanel, findNext, findPrevious, getSearchQuery, SearchQuery, setSearchQuery } from "@codemirror/search";
import { EditorView, type Panel, type ViewUpdate } from "@codemirror/view";
import { made } from "./made";
import { t } from "../i18n/t";

const MOST_COUNTED = 1000;

/** How many places match, and which of them is selected: `2 of 7`. */
function countText(view: EditorView, query: SearchQuery): string {
  if (!query.search || !query.valid) return "";
  const { from, to } = view.state.selection.main;
  let [count, at] = [0, 0];
  const places = query.getCursor(view.state);
  for (let next = places.next(); !next.done && count < MOST_COUNTED; next = places.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  if (!count) return t("not found");
  const all = count === MOST_COUNTED ? t("{n} or more", { n: MOST_COUNTED }) : String(count);
  return at ? t("{n} of {all}", { n: at, all }) : count === 1 ? t("1 place") : t("{all} places", { all });
}

/** Select the first place from the cursor on, and leave the field as it is: more may be typed. */
function goToFirst(view: EditorView, query: SearchQuery): void {
  if (!query.search || !query.valid) return;
  let found = query.getCursor(view.state, view.state.selection.main.from).next();
  if (found.done) found = query.getCursor(view.state).next();
  if (found.done) return;
  const { from, to } = found.value;
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
}

function button(text: string, label: string, run: () => void): HTMLButtonElement {
  const made_ = made("button", "", text) as HTMLButtonElement;
  made_.type = "button";
  if (label !== text) made_.setAttribute("aria-label", label);
  made_.addEventListener("click", run);
  return made_;
}

/** The panel of the search. */
export function findPanel(view: EditorView): Panel {
  const dom = made("div", "cm-find");
  dom.setAttribute("role", "search");
  const field = made("input", "") as HTMLInputElement;
  field.type = "search";
  field.setAttribute("aria-label", t("Find in this file"));
  field.setAttribute("main-field", "true");
  field.value = getSearchQuery(view.state).search;
  const count = made("span", "count");
  count.setAttribute("role", "status");
  const commit = () => {
    const query = new SearchQuery({ search: field.value, literal: true });
    view.dispatch({ effects: setSearchQuery.of(query) });
    goToFirst(view, query);
  };
  field.addEventListener("input", commit);
  dom.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === field) (event.shiftKey ? findPrevious : findNext)(view);
    else if (event.key === "Escape") {
      closeSearchPanel(view);
      view.focus();
    } else return;
    event.preventDefault();
  });
  const close = () => {
    closeSearchPanel(view);
    view.focus();
  };
  dom.append(field, count, button(t("Previous"), t("Previous place"), () => findPrevious(view)), button(t("Next"), t("Next place"), () => findNext(view)), button(t("Close"), t("Close the search"), close));
  const show = () => void (count.textContent = countText(view, getSearchQuery(view.state)));
  return {
    dom,
    top: true,
    mount: () => {
      show();
      field.select();
    },
    update: (update: ViewUpdate) => {
      if (update.selectionSet || update.transactions.some(({ effects }) => effects.some((one) => one.is(setSearchQuery)))) show();
    },
  };
}
