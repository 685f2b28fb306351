import type { FlowPage, GraphLevel } from "../api/types";
import { Icon } from "../ui/Icon";
import { levelsTo } from "./level";
import { t } from "../i18n/t";

type Props = { page: FlowPage; level: GraphLevel; onGo: (scope: string) => void; className?: string };

const nameOf = (page: FlowPage, { scope, title }: GraphLevel): string => (scope ? title || (scope.split("/").at(-1) ?? "") : title || page.flow.title || page.flow.name);

/** The way out of a level of the drawing: the levels around it, the flow first. Nothing where the flow has one level. */
export function Levels({ page, level, onGo, className = "" }: Props) {
  if (page.levels.length < 2) return null;
  const around = levelsTo(page, level).slice(0, -1);
  return (
    <nav className={`glevels ${className}`} aria-label={t("Levels of the drawing, outermost first")}>
      <ol>
        {around.map((one) => (
          <li key={one.scope}>
            <button type="button" className="linkish" onClick={() => onGo(one.scope)}>
              {nameOf(page, one)}
            </button>
            <Icon name="chev" />
          </li>
        ))}
        <li>
          <b tabIndex={-1} aria-current="page">
            {nameOf(page, level)}
          </b>
        </li>
      </ol>
    </nav>
  );
}

/** Move the focus to the name of the level that is shown: what had it was on another level. */
export function focusOnLevel(): void {
  requestAnimationFrame(() => {
    const names = document.querySelectorAll<HTMLElement>(".glevels [aria-current]");
    [...names].find((name) => name.offsetParent !== null)?.focus();
  });
}

/** The way into a scope, beside its node. */
export function GoIn({ name, onGo }: { name: string; onGo: () => void }) {
  return (
    <button type="button" className="gin" aria-label={t("Go inside {name}", { name })} title={t("Go inside {name}", { name })} onClick={onGo}>
      <Icon name="in" />
    </button>
  );
}
