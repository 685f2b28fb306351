import { useEffect, useRef, type ReactNode } from "react";
import { setLayout } from "../data/layout";
import { Button } from "../ui/Button";
import { t } from "../i18n/t";

/** A modal dialog: focus goes in and comes back, Escape and the backdrop close it. */
export function Dialog({ title, children, className = "", onClose }: { title: string; children: ReactNode; className?: string; onClose?: (() => void) | undefined }) {
  const element = useRef<HTMLDialogElement>(null);
  const close = onClose ?? (() => setLayout({ dialog: null }));
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    dialog?.querySelector<HTMLElement>("input:not([type=radio], [type=checkbox], [data-later]), select, textarea")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={`dlg ${className}`}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === element.current && close()}
    >
      <div className="dlg-body">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <Button look="quiet" icon="close" label={t("Close")} onClick={close} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
