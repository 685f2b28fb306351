// The documents of a flow, which of them is open, and the parts of the flow in them.

import { useMemo } from "react";
import type { FlowPage, SourceFile } from "../api/types";
import { useFlowSource } from "../data/hooks";
import type { Resource } from "../data/resource";
import type { FlowSource } from "../api/types";
import { usePlace, type SourcePlace } from "./place";
import { placedParts, type PlacedPart } from "./places";

export interface Source {
  readonly files: readonly SourceFile[];
  readonly open: SourceFile | null;
  readonly place: SourcePlace;
  readonly parts: readonly PlacedPart[];
  readonly isFollowed: boolean;
  /** Whether the server lets this reader edit the documents. */
  readonly isEditable: boolean;
  readonly problem: Resource<FlowSource>["problem"];
  readonly isLoading: boolean;
}

const NONE: readonly SourceFile[] = [];

/** The documents of a flow, as the server has them. */
export function useSource(page: FlowPage | null): Source {
  const { data, problem, isLoading } = useFlowSource(page?.flow.name);
  const place = usePlace(page?.flow.name ?? "");
  const files = data?.files ?? NONE;
  const open = files.find((file) => file.file === place.file || file.name === place.file) ?? files[0] ?? null;
  const parts = useMemo(() => (page ? placedParts(page) : []), [page]);
  return { files, open, place, parts, isFollowed: data?.is_followed ?? false, isEditable: data?.is_editable ?? false, problem, isLoading };
}
