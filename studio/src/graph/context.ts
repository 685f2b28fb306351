// What the drawing shows at this moment. Nodes and lines read it, so that the layout does not change with the position.

import { createContext, useContext } from "react";
import type { GraphEdge } from "../api/types";
import type { Standing } from "./standing";

export interface Selection {
  readonly kind: "node" | "edge";
  readonly id: string;
}

export interface Shown {
  readonly standing: Standing;
  /** The transition that a what-if would take now, by its node and name. */
  readonly would: { readonly node: string; readonly transition: string } | null;
  readonly selection: Selection | null;
  readonly onNode: (name: string) => void;
  readonly onEdge: (edge: GraphEdge) => void;
}

const Context = createContext<Shown | null>(null);

export const ShownProvider = Context.Provider;

/** What the drawing shows now. */
export function useShown(): Shown {
  const shown = useContext(Context);
  if (!shown) throw new Error("the drawing has no provider");
  return shown;
}

/** True if a what-if would take this transition. */
export function wouldTake(shown: Pick<Shown, "would">, edge: GraphEdge): boolean {
  const { would } = shown;
  return !!would && would.transition === edge.transition && (!edge.node || edge.node === would.node);
}
