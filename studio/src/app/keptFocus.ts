import { useEffect } from "react";

const REGION = "[tabindex], section, header, nav, main, dialog";

function pathOf(element: HTMLElement): HTMLElement[] {
  const path = [element];
  for (let next = element.parentElement; next; next = next.parentElement) path.push(next);
  return path;
}

/** Focus a region, which need not be a stop of the keyboard. */
function focusRegion(region: HTMLElement | null | undefined): void {
  if (region && !region.hasAttribute("tabindex")) region.tabIndex = -1;
  region?.focus({ preventScroll: true });
}

/** Where the control that has the focus is removed, focus goes to the closest region around it that is left. */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: HTMLElement[] = [];
    const onFocusIn = (event: FocusEvent) => {
      path = event.target instanceof HTMLElement ? pathOf(event.target) : [];
    };
    const onFocusOut = ({ target }: FocusEvent) => {
      const hasLeft = () => target === path[0] && path[0]?.isConnected && !path[0].matches(":disabled") && document.activeElement === document.body;
      queueMicrotask(() => hasLeft() && (path = [])); // the reader pressed on the background; nothing was removed
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || path[0]?.isConnected !== false) return;
      focusRegion(path.find((element) => element.isConnected && element.id !== "root" && element.matches(REGION)) ?? document.getElementById("main"));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", onFocusIn);
    addEventListener("focusout", onFocusOut);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", onFocusIn);
      removeEventListener("focusout", onFocusOut);
    };
  }, []);
}
