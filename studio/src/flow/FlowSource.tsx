// The source of a flow on its page: documents, text, and beside it the drawing of what a line is about.

import { useEffect, useMemo } from "react";
import type { FlowPage } from "../api/types";
import type { Selection } from "../graph/context";
import { flowMarks } from "../source/marks";
import { parsePlace, showPlace } from "../source/place";
import { placeOf, type PlacedPart } from "../source/places";
import { SourceNav } from "../source/SourceNav";
import { SourceView } from "../source/SourceView";
import { useSource } from "../source/useSource";

interface Props {
  readonly page: FlowPage;
  readonly selection: Selection | null;
  readonly scope: string;
  readonly onPart: (part: PlacedPart | null) => void;
  readonly onCode: (code: string) => void;
}

/** The documents with coverage, waiting conversations and problems at their lines. */
export function FlowSource({ page, selection, scope, onPart, onCode }: Props) {
  const source = useSource(page);
  const { open, parts, files, isFollowed, isEditable } = source;
  const { name, file: own } = page.flow;
  const marks = useMemo(() => flowMarks(page, parts, open?.file ?? ""), [page, parts, open?.file]);
  useEffect(() => {
    const problem = page.diagnostics.find((one) => one.line > 0 && one.severity === "error") ?? page.diagnostics.find((one) => one.line > 0);
    const isAsked = parsePlace(location.hash) !== null || source.place.asked > 0;
    if (!isAsked && problem) showPlace(name, problem.file || own, problem.line);
  }, [name]);
  const selected = selection && parts.find((part) => part.selection.kind === selection.kind && part.selection.id === selection.id && (part.node !== null || part.scope === scope));
  const at = selected && selected.file === open?.file ? selected.line : 0;
  return (
    <div className="sp">
      <SourceNav page={page} files={files} open={open} parts={parts} isFollowed={isFollowed} isEditable={isEditable} />
      <SourceView page={page} source={source} marks={marks} at={at} onPart={onPart} onCode={onCode} />
    </div>
  );
}

/** Open the documents at the place that the address names, now and when it changes. */
export function usePlaceOfAddress(flow: string, own: string | undefined, onPlace: () => void): void {
  useEffect(() => {
    const follow = () => {
      const place = parsePlace(location.hash);
      if (!place || own === undefined) return;
      showPlace(flow, place.name || own, place.line);
      onPlace();
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [flow, own]);
}

/** Show where a selected part of the drawing is written. */
export function showPart(page: FlowPage, parts: readonly PlacedPart[], selection: Selection, scope: string): void {
  const level = page.levels.find((one) => one.scope === scope);
  const edge = selection.kind === "edge" ? level?.graph.edges.find((one) => one.id === selection.id) : undefined;
  const part = selection.kind === "node" ? placeOf(parts, { kind: "node", id: selection.id }) : edge ? placeOf(parts, { kind: "edge", ...edge }) : null;
  if (part) showPlace(page.flow.name, part.file, part.line);
}
