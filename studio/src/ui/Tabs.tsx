import { useRef, type KeyboardEvent, type ReactNode } from "react";

export type Tab<T extends string> = { id: T; label: ReactNode };

type Props<T extends string> = { label: string; tabs: readonly Tab<T>[]; selected: T; onSelect: (id: T) => void; panelId: string; isSelected?: boolean };

/**
 * Tabs with one tab stop: arrows move inside. The body must have `role="tabpanel"` and the id `panelId`. Without
 * `isSelected` something else has the place of the body.
 */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, panelId, isSelected = true }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex((tab) => tab.id === selected);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div className="tablist" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button key={tab.id} type="button" role="tab" data-tab={tab.id} id={`${panelId}-${tab.id}`} aria-selected={isSelected && tab.id === selected} aria-controls={panelId} tabIndex={tab.id === selected ? 0 : -1} onClick={() => onSelect(tab.id)}>
          {tab.label}
        </button>
      ))}
    </div>
  );
}
