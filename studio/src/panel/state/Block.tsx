import type { ReactNode } from "react";

/** A part of a tab with its heading. */
export function Block({ title, about, action, children }: { title: string; about?: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="blk">
      <h2>
        {title} {about && <small>{about}</small>}
        {action && <span className="end">{action}</span>}
      </h2>
      {children}
    </section>
  );
}
