import type { MouseEvent } from "react";

/** The first stop of the keyboard: it leads past the bars. */
export function SkipLink({ label }: { label: string }) {
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  return (
    <a className="skip" href={`${location.pathname}${location.search}#main`} onClick={follow}>
      {label}
    </a>
  );
}
