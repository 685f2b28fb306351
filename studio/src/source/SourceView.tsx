import "./source.css";
import { lazy, Suspense, useMemo, type ReactNode } from "react";
import type { FlowPage } from "../api/types";
import { announce } from "../data/announce";
import { Button } from "../ui/Button";
import { Loading } from "../ui/Loading";
import { LoadRefusal } from "../ui/Refusal";
import { aboutCard } from "./about";
import { alongWay, declarationOf } from "./declared";
import type { Listeners } from "./editor";
import { EditBar, EditNotice } from "./EditBar";
import { findInSource } from "./find-action";
import type { SourceMarks } from "./marks";
import { showPlace } from "./place";
import { partAt, type PlacedPart } from "./places";
import { useEditing } from "./useEditing";
import type { Source } from "./useSource";
import { t, tx } from "../i18n/t";

const Editor = lazy(() => import("./Editor"));

interface Props {
  readonly page: FlowPage;
  readonly source: Source;
  readonly marks: SourceMarks;
  /** The line of what is selected elsewhere, in the open document; 0 if it is not there. */
  readonly at: number;
  /** The reader chose the node or transition of a line; `null` for a line without one. */
  readonly onPart: (part: PlacedPart | null) => void;
  readonly onCode: (code: string) => void;
  /** More for the bar above the text. */
  readonly children?: ReactNode;
}

/** The open document of a flow with its marks. */
export function SourceView({ page, source, marks, at, onPart, onCode, children }: Props) {
  const { files, open, place, parts, problem, isLoading } = source;
  const lines = useMemo(() => (open?.text ?? "").split(/\r\n?|\n/), [open]);
  const editing = useEditing(page.flow.name, source);
  const { draft, isEditing, port } = editing;
  const shown = useMemo(() => (open && isEditing && draft ? { ...open, text: draft.text } : open), [open, isEditing, draft]);
  if (!open || !shown) return problem ? <LoadRefusal problem={problem} loads="source:" /> : isLoading ? <Loading label={t("Loading the source")} /> : null;
  const partOf = (line: number) => partAt(parts, open.file, line, lines, open.format);
  const go = (to: { file: string; line: number } | null, what: string) => {
    if (to) showPlace(page.flow.name, to.file, to.line, true);
    else announce(what);
  };
  const listeners: Listeners = {
    onLine: (line) => onPart(partOf(line)),
    onCode,
    onName: (name) => go(name ? declarationOf(name, parts, files, open) : null, name ? t("{name} is not declared in these files", { name }) : t("There is no name here")),
    onAlong: (line) => {
      const part = partOf(line);
      const next = part && alongWay(part, page, parts);
      if (next) onPart(next);
      go(next, t("No way leads on from here"));
    },
    about: (line) => {
      const part = partOf(line);
      return part && part.line === line ? aboutCard(part, page.coverage) : null;
    },
  };
  return (
    <div className="sview">
      <div className="sbar">
        <label className="sopen">
          <span className="sr">{t("File")}</span>
          <select value={open.file} onChange={(event) => showPlace(page.flow.name, event.target.value, 0)}>
            {files.map((file) => (
              <option key={file.file} value={file.file}>
                {file.name}
              </option>
            ))}
          </select>
        </label>
        <b className="sname">{open.name}</b>
        <EditBar editing={editing} />
        <span className="grow" />
        {children}
        <Button look="quiet" icon="find" onClick={() => findInSource()}>
          {t("Find")}
        </Button>
      </div>
      <EditNotice editing={editing} file={open} />
      {open.saved_ms ? (
        <Suspense fallback={<Loading label={t("Loading the editor")} shape={[68, 36, 68, 36, 68]} />}>
          <Editor key={page.flow.name} file={shown} marks={marks} place={place} at={isEditing ? 0 : at} listeners={listeners} port={port} />
        </Suspense>
      ) : (
        <p className="smissing">
          {tx("The file {file} cannot be read now.", { file: <code>{open.file}</code> })}
        </p>
      )}
      <p className="shelp muted hide">
        {isEditing ? (
          <>
            <kbd>{t("Ctrl")}</kbd> <kbd>S</kbd>{" "}{tx("saves, {kbd} {kbd2} completes, {kbd3} and then {kbd4} leave the editor, {kbd5} goes to where a name is declared.", { kbd: <kbd>{t("Ctrl")}</kbd>, kbd2: <kbd>{t("Space")}</kbd>, kbd3: <kbd>{t("Esc")}</kbd>, kbd4: <kbd>{t("Tab")}</kbd>, kbd5: <kbd>F12</kbd> })}
          </>
        ) : (
          <>
            {tx("A line marks its step in the graph: click it, or press {kbd}. {kbd2} goes to where a name is declared, {kbd3} {kbd4} along a way, {kbd5} {kbd6} finds.", { kbd: <kbd>{t("Enter")}</kbd>, kbd2: <kbd>F12</kbd>, kbd3: <kbd>{t("Alt")}</kbd>, kbd4: <kbd>↓</kbd>, kbd5: <kbd>{t("Ctrl")}</kbd>, kbd6: <kbd>F</kbd> })}
          </>
        )}
      </p>
    </div>
  );
}
