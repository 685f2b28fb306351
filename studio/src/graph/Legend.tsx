import { t } from "../i18n/t";

// What the lines of the drawing mean.

const LINES = [
  ["taken", t("path taken")],
  ["plain", t("not taken")],
  ["never", t("often judged, never true so far")],
  ["timer", "timer"],
] as const;

/** The legend of the drawing; `hasHypothetical` adds the line of a what-if. */
export function Legend({ hasHypothetical, canDebug }: { hasHypothetical: boolean; canDebug: boolean }) {
  if (!canDebug) {
    return (
      <p className="gleg">
        {t("The path and the outcomes need the scope")}{" "}<code>debug:read</code>.
      </p>
    );
  }
  const lines = hasHypothetical ? [...LINES, ["would", t("what if")] as const] : LINES;
  return (
    <ul className="gleg" aria-label={t("Legend")}>
      {lines.map(([look, text]) => (
        <li key={look}>
          <svg className="ln" aria-hidden="true" focusable="false">
            <path className={`gl ${look}`} d="M0 4H26" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
