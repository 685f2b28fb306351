import type { MouseEvent } from "react";
import { tx } from "../i18n/t";

/** The first stop of the keyboard: it leads past the bars. */
export function SkipLink({ to }: { to: string }) {
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  return (
    <a className="skip" href={`${location.pathname}${location.search}#main`} onClick={follow}>
      {tx("Skip to the {to}", { to })}
    </a>
  );
}
