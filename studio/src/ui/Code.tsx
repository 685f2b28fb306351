import type { ReactNode } from "react";

/** A name, a value or a piece of source in the text. */
export function Code({ children, className }: { children: ReactNode; className?: string }) {
  return <code className={className}>{children}</code>;
}
