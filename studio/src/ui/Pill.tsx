import type { ReactNode } from "react";

/** A short word about a thing: here, bad, wait. */
export function Pill({ tone = "", children }: { tone?: "" | "here" | "bad" | "wait"; children: ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}
