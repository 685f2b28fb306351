import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "../ui/Button";
import type { IconName } from "../ui/icons";

export type Entry = { label: string; run: () => void; isDangerous?: boolean; isOff?: boolean };

/** A button with a menu: arrows move, Escape and a click elsewhere close it. */
export function Menu({ label, icon, entries, children }: { label: string; icon: IconName; entries: readonly Entry[]; children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", onPointerDown);
    return () => removeEventListener("pointerdown", onPointerDown);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([disabled])') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (next !== undefined) items[(next + items.length) % items.length]?.focus();
    if (event.key !== "Tab" && event.key !== "Enter" && event.key !== " ") {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <Button look="quiet" icon={icon} label={label} aria-haspopup="menu" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)} />
      {isOpen && (
        <div className="menu-list" role="menu" id={id} aria-label={label}>
          {entries.map((entry) => (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              disabled={entry.isOff}
              className={entry.isDangerous ? "no" : undefined}
              onClick={() => {
                close();
                entry.run();
              }}
            >
              {entry.label}
            </button>
          ))}
        </div>
      )}
      {children}
    </div>
  );
}
