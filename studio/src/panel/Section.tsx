import { useState, type ReactNode } from "react";
import { Icon } from "../ui/Icon";

const opened = new Map<string, boolean>();

type Props = { id: string; title: string; aside?: ReactNode; isGreen?: boolean; isOpen?: boolean; children: ReactNode };

/** A part of the panel that folds. Whether it is open stays the same from turn to turn. */
export function Section({ id, title, aside, isGreen = false, isOpen = false, children }: Props) {
  const [open, setOpen] = useState(opened.get(id) ?? isOpen);
  const toggle = (next: boolean) => {
    opened.set(id, next);
    setOpen(next);
  };
  return (
    <details className="sect" open={open} onToggle={(event) => toggle(event.currentTarget.open)} data-section={id}>
      <summary>
        <Icon name="chev" className="chev" />
        <h3>{title}</h3>
        {aside && <span className={isGreen ? "r ok" : "r"}>{aside}</span>}
      </summary>
      {open && children}
    </details>
  );
}
