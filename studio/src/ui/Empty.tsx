import type { ReactNode } from "react";

/** An empty place: what will appear, and how to make it appear. */
export function Empty({ title, children, level = 2 }: { title: ReactNode; children?: ReactNode; level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <div className="empty">
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
    </div>
  );
}
