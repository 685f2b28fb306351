// The source of the open conversation's flow: where it is, and what each transition was judged to be.

import { useEffect, useMemo, useState } from "react";
import { addressOf } from "../graph/level";
import { Details } from "../graph/Details";
import { showEdge } from "../graph/show";
import { goToLevel, select, useFlowNow, useSelection, type FlowNow } from "../graph/useStanding";
import { NotLive } from "../app/NotLive";
import { moveTo } from "../data/route";
import { useScope } from "../data/hooks";
import { setLayout } from "../data/layout";
import { CheckPage } from "../flow/CheckPage";
import { Button } from "../ui/Button";
import { Empty } from "../ui/Empty";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import { flowMarks, withNotes, type Note, type Tone } from "./marks";
import { showPlace } from "./place";
import { placeOf, type PlacedPart } from "./places";
import { SourceNav } from "./SourceNav";
import { SourceView } from "./SourceView";
import { useSource } from "./useSource";
import { t } from "../i18n/t";

/** The transition that the selected decision took, or that was nearest, with its line. */
function decidedPart({ position, nearest }: FlowNow, parts: readonly PlacedPart[], track: FlowNow["standing"]): PlacedPart | null {
  const own = parts.filter((part) => part.edge && track.edge(part.edge).isNow);
  const taken = own.find((part) => track.edge(part.edge!).outcome === "taken");
  return taken ?? own.find((part) => part.edge!.transition === nearest) ?? (position.seam ? (own[0] ?? null) : null);
}

/** What became of the transitions of a document, and the verdict at the one that moved or was nearest. */
function notesOf(now: FlowNow, parts: readonly PlacedPart[], file: string): { line: number; note: Note }[] {
  const decided = decidedPart(now, parts, now.standing);
  return parts.flatMap((part) => {
    if (part.file !== file) return [];
    if (part.node) return now.standing.here === addressOf(part.node) ? [{ line: part.line, note: { text: "here", tone: "ok" as const } }] : [];
    if (part === decided && now.position.seam) {
      const { text, turn } = now.position.seam;
      const isTaken = now.standing.edge(part.edge!).outcome === "taken";
      return [{ line: part.line, note: { text: t("{text} · turn {turn}", { text, turn }), tone: isTaken ? ("ok" as const) : ("soft" as const), isSentence: true } }];
    }
    const shown = showEdge(part.edge!, now.standing, now.would);
    const text = `${shown.word}${shown.more}`;
    const tone: Tone = shown.isNow && ["ok", "no", "unk"].includes(shown.tone) ? (shown.tone as Tone) : "muted";
    return text && text !== "not judged" ? [{ line: part.line, note: { text, tone } }] : [];
  });
}

/** The source in the centre of a conversation. It follows the position: to the transition that decided, else to the node. */
export function ConversationSource() {
  const now = useFlowNow();
  const { page, position, standing } = now;
  const source = useSource(page);
  const { open, parts, place } = source;
  const selection = useSelection();
  const canDebug = useScope("debug:read");
  const [code, setCode] = useState("");
  const file = open?.file ?? "";
  const here = useMemo(() => placeOf(parts, { kind: "node", id: standing.here }), [parts, standing.here]);
  const marks = useMemo(() => (page ? withNotes(flowMarks(page, parts, file), notesOf(now, parts, file), here?.file === file ? here.line : 0) : null), [page, parts, file, standing, position.seam, now.would, here]);
  const decided = decidedPart(now, parts, standing) ?? here;
  const at = `${position.seq ?? ""} ${standing.here}`;
  useFollowed(page?.flow.name, at, decided, place.asked > 0);
  if (!canDebug) return <Empty title={t("The source needs the scope debug:read")}>{t("Chat and graph show what this key may see.")}</Empty>;
  if (!page || !marks) return now.problem ? <LoadRefusal problem={now.problem} loads="flow:" /> : <Loading label={t("Loading the source")} />;
  if (!source.isLoading && !source.files.length && !source.problem) return <Empty title={t("This flow has no file")}>{t("A program made it. The graph shows the same nodes and transitions.")}</Empty>;
  const selected = selection && parts.find((part) => part.selection.kind === selection.kind && part.selection.id === selection.id && (part.node !== null || part.scope === now.level?.scope));
  const choose = (part: PlacedPart | null) => {
    if (part && part.scope !== (now.level?.scope ?? "")) moveTo({ level: part.scope });
    select(null);
    if (part) select(part.selection);
  };
  const level = page.levels.find((one) => one.scope === selected?.scope) ?? now.level;
  return (
    <>
      <NotLive>{t("The marks show it as it was then, the text is that of now.")}</NotLive>
      {code && (
        <div className="scheck">
          <CheckPage code={code} onClose={() => setCode("")} />
        </div>
      )}
      <SourceView page={page} source={source} marks={marks} at={selected?.file === file ? selected.line : 0} onPart={choose} onCode={setCode}>
        {decided && (
          <Button look="quiet" icon="clock" onClick={() => showPlace(page.flow.name, decided.file, decided.line)}>
            {t("Current line")}
          </Button>
        )}
      </SourceView>
      {selected && level && (
        <div className="sdetails">
          <Details page={page} graph={level.graph} onEnter={goToLevel} standing={standing} position={position} selection={selected.selection} onClose={() => select(null)} />
          <Button
            icon="flow"
            onClick={() => {
              moveTo({ view: "graph" }, { isStep: true });
              setLayout({ pane: "draw" });
            }}
          >
            {t("Show in the graph")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Follow the position: show the line of each new decision. What a link asked for stays until then. */
function useFollowed(flow: string | undefined, at: string, decided: PlacedPart | null, isAsked: boolean): void {
  const [last, setLast] = useState("");
  useEffect(() => {
    if (!flow || !decided || last === at) return;
    setLast(at);
    if (last || !isAsked) showPlace(flow, decided.file, decided.line);
  }, [flow, at, decided]);
}

/** The documents of the open conversation's flow, beside the source. */
export function ConversationFiles() {
  const { page } = useFlowNow();
  const { files, open, parts, isFollowed, isEditable } = useSource(page);
  return page ? <SourceNav page={page} files={files} open={open} parts={parts} isFollowed={isFollowed} isEditable={isEditable} /> : null;
}
