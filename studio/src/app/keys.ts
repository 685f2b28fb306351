import { openForm } from "../ask/question";
import { useLayoutEffect, useRef } from "react";
import { act } from "../data/actions";
import { announce } from "../data/announce";
import { getLayout, setLayout } from "../data/layout";
import { usePosition } from "../data/position";
import { currentRoute, moveTo, type PanelTab } from "../data/route";
import { getSettings, setSettings } from "../data/settings";
import { t } from "../i18n/t";

/** The keys, as the dialog lists them. */
export const KEYS: readonly [string, string][] = [
  [t("Debug panel"), "Ctrl Shift D"],
  [t("Previous, next decision"), "← →"],
  [t("Previous, next turn"), "Shift ← →"],
  [t("First, live"), "Home End"],
  [t("Chat or graph"), "G"],
  [t("Chat or source"), "S"],
  [t("Why, State, Prompt, Events, Time, Ask"), "1 2 3 4 5 6"],
  [t("What if"), "W"],
  [t("Take over, give back"), "T"],
  [t("Search"), "/"],
  [t("Message field"), "M"],
  [t("Button of the question"), "Alt 1…9"],
  [t("Copy as JSON"), "C"],
  [t("Technical: ids and positions"), "X"],
  [t("Keys"), "?"],
  [t("Close"), "Esc"],
];

const TABS: readonly PanelTab[] = ["why", "state", "prompt", "events", "time", "ask"];

/** What the event began at, also inside of a shadow root. */
const originOf = (event: Event) => event.composedPath()[0] ?? event.target;

/** A text that is only read takes no letters. */
const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || (target.isContentEditable && target.getAttribute("aria-readonly") !== "true"));

/** Widgets with arrow keys of their own keep them. */
const hasArrows = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('[role="tab"],[role="slider"],[role="separator"],[role="tree"],[role="menu"],[role="radiogroup"]') !== null;

function closeTopmost(): boolean {
  const layout = getLayout();
  const route = currentRoute();
  if (layout.dialog) setLayout({ dialog: null });
  else if (layout.hasDrawer) setLayout({ hasDrawer: false });
  else if (layout.isPersonOpen) setLayout({ isPersonOpen: false });
  else if (route.page === "conversation" && route.whatIf) moveTo({ whatIf: false });
  else if (isTyping(document.activeElement)) (document.activeElement as HTMLElement).blur();
  else return false;
  return true;
}

/** Listen to the keys of the whole page. */
export function useKeys(): void {
  const shown = usePosition();
  const latest = useRef(shown);
  latest.current = shown;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const key = event.key;
      const position = latest.current;
      const isOpen = currentRoute().page === "conversation";
      const stop = (done: boolean | void) => {
        if (done !== false) event.preventDefault();
      };
      if ((event.ctrlKey || event.metaKey) && event.shiftKey && key.toLowerCase() === "d") return stop(setSettings({ hasPanel: !getSettings().hasPanel }));
      if (key === "Escape") return stop(closeTopmost());
      if (event.altKey && !event.ctrlKey && /^Digit[1-9]$/.test(event.code)) return stop(act("press-button", Number(event.code.slice(5))));
      if (isTyping(originOf(event)) || event.ctrlKey || event.metaKey || event.altKey || getLayout().dialog) return;
      if (isOpen && !hasArrows(event.target)) {
        if (key === "ArrowLeft" || key === "ArrowRight") {
          const by = key === "ArrowRight" ? 1 : -1;
          return stop(event.shiftKey ? position.stepTurn(by) : position.step(by));
        }
        if (key === "Home") return stop(position.goFirst());
        if (key === "End") return stop(position.goLive());
      }
      if (!getSettings().hasSingleKeys) return;
      if (key === "/") return stop(setLayout({ dialog: "search" }));
      if (key.toLowerCase() === "x") return stop(switchTechnical());
      if (key === "?") return stop(setLayout({ dialog: "keys" }));
      if (isOpen) stop(onLetter(key));
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Show ids, positions and the words of the engine, or hide them. */
export function switchTechnical(): void {
  const isTechnical = !getSettings().isTechnical;
  setSettings({ isTechnical });
  announce(isTechnical ? t("Technical details are shown") : t("Technical details are hidden"));
}

function onLetter(key: string): boolean | void {
  const route = currentRoute();
  if (route.page !== "conversation") return false;
  const tab = TABS[Number(key) - 1];
  if (tab === "ask") return openForm();
  if (tab) {
    setLayout({ isPersonOpen: false });
    return moveTo({ tab, whatIf: false });
  }
  switch (key.toLowerCase()) {
    case "s":
      return moveTo({ view: route.view === "source" ? "chat" : "source" });
    case "g":
      return moveTo({ view: route.view === "graph" ? "chat" : "graph" });
    case "w":
      return void act("what-if");
    case "t":
      return void (act("take-over") || setLayout({ isPersonOpen: true, pane: "why" }));
    case "m":
      return void act("focus-message");
    case "c":
      return void act("copy-json");
    default:
      return false;
  }
}
