import type { KeyboardEvent, PointerEvent } from "react";
import { setSettings, useSettings } from "../data/settings";
import { t } from "../i18n/t";

const LEAST = 420;
const MOST = 720;
const within = (width: number) => Math.round(Math.min(MOST, Math.max(LEAST, width)));

/** The edge between centre and panel: drag it, or use the arrow keys. The width is remembered. */
export function PanelResizer() {
  const { panelWidth } = useSettings();
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons !== 1) return;
    setSettings({ panelWidth: within(innerWidth - event.clientX) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: 16, ArrowRight: -16 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    setSettings({ panelWidth: within(panelWidth + step) });
  };
  return (
    <div
      className="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("Width of the panel")}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={panelWidth}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
    />
  );
}
