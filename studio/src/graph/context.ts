// What the drawing shows at this moment. Nodes and lines read it, so that the layout does not change with the position.

import { createContext, useContext } from "react";
import type { GraphEdge, GraphNode } from "../api/types";
import type { EdgeShow, NodeShow } from "./show";

export interface Selection {
  readonly kind: "node" | "edge";
  readonly id: string;
}

export interface Shown {
  readonly node: (node: GraphNode) => NodeShow;
  readonly edge: (edge: GraphEdge) => EdgeShow;
  /** The node that is shown first where the drawing is larger than its frame. */
  readonly here: string;
  readonly selection: Selection | null;
  readonly select: (selection: Selection) => void;
  /** Show what is inside of a scope. */
  readonly enter: (scope: string) => void;
}

const Context = createContext<Shown | null>(null);

export const ShownProvider = Context.Provider;

/** What the drawing shows now. */
export function useShown(): Shown {
  const shown = useContext(Context);
  if (!shown) throw new Error("the drawing has no provider");
  return shown;
}
